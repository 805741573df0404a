# %% [markdown]
# # A masked policy gradient
# An agent learns Cờ Tư Lệnh by playing against chance, in NumPy alone. It has one number for each
# thing that may be said of a move ("a tank takes a ship", "it ends two points north of the enemy
# Commander"); the sum of these numbers is how much it likes the move. Only legal moves are ever
# looked at: the environment lists them.
#
#     python examples/policy_gradient.py --minutes 30 --out policy
#
# Started again, it goes on where it was stopped.

# %%
import argparse
import json
import time
from pathlib import Path

import numpy as np

from cotulenh.env import VectorEnv, action_space
from cotulenh.rules import Rules

# %% [markdown]
# ## What is said of a move
# Planes of an observation (docs/environment.md): kinds that stand are 0–10, whether that piece is
# heroic 11, kinds that are carried 12–22; the enemy's begin at 34.

# %%
RULES = Rules.load("official")
FILES, RANKS, KINDS = RULES.files, RULES.ranks, 11
CELLS, OFFSETS = FILES * RANKS, 23 * 23
ENEMY, HEROIC, CARRIED, COMMANDER = 34, 11, 12, 5
POINTS = np.array([80, 40, 20, 10, 10, 0, 10, 10, 30, 10, 20], np.float32) / 100  # kinds' order


def action_tables():
    """Cell of departure and of arrival, and variant, of every action; commits go nowhere."""
    space = action_space("cotulenh")
    numbers = np.arange(space.n)
    pairs = np.array(space.pairs)
    pair = pairs[numbers % len(pairs)]
    variant = np.minimum(numbers // len(pairs), 8)
    pair[variant == 8] = 0
    rank, file = pair // 12, np.minimum(pair % 12, FILES - 1)  # the frame is 12 wide
    cell = np.minimum(rank, RANKS - 1) * FILES + file
    return cell[:, 0], cell[:, 1], variant


FROM, TO, VARIANT = action_tables()
SIZES = {
    "piece and variant": 2 * 12 * 9,
    "piece takes kind": 12 * 12,
    "arrives, seen from the enemy Commander": 2 * 12 * OFFSETS,
    "departs, seen from the enemy Commander": 2 * 12 * OFFSETS,
    "arrives": 12 * CELLS,
    "departs": 12 * CELLS,
}
FIRST = np.cumsum([0, *SIZES.values()])
WEIGHTS = int(FIRST[-1])


def kinds(planes, first):
    """Which kind stands on each cell, from 1; 0 where nobody does."""
    here = planes[:, first : first + KINDS].reshape(len(planes), KINDS, CELLS)
    return np.einsum("nkc,k->nc", here, np.arange(1, KINDS + 1, dtype=np.uint8))


def commander(planes):
    """The cell of the enemy Commander."""
    at = planes[:, ENEMY + COMMANDER] + planes[:, ENEMY + CARRIED + COMMANDER]
    return at.reshape(len(planes), CELLS).argmax(1)


def offset(cell, other):
    """Where a cell lies, seen from another one."""
    return (cell // FILES - other // FILES + 11) * 23 + cell % FILES - other % FILES + 11


def features(planes, actions, offsets):
    """For each legal action the places of its six numbers."""
    game = np.repeat(np.arange(len(planes)), np.diff(offsets))
    own, enemy, target = kinds(planes, 0), kinds(planes, ENEMY), commander(planes)[game]
    heroic = planes[:, HEROIC].reshape(len(planes), CELLS)
    start, end = FROM[actions], TO[actions]
    kind = own[game, start].astype(np.int32)
    piece = kind + 12 * heroic[game, start].astype(np.int32)
    rows = (
        piece * 9 + VARIANT[actions],
        kind * 12 + enemy[game, end],
        piece * OFFSETS + offset(end, target),
        piece * OFFSETS + offset(start, target),
        kind * CELLS + end,
        kind * CELLS + start,
    )
    return np.stack([row + first for row, first in zip(rows, FIRST, strict=False)], 1)


def material(planes):
    """Pieces of each kind, standing or carried, own minus enemy; and the clock."""
    counts = planes.reshape(len(planes), planes.shape[1], CELLS)
    own = counts[:, :KINDS].sum(2, dtype=np.float32)
    own += counts[:, CARRIED : CARRIED + KINDS].sum(2)
    enemy = counts[:, ENEMY : ENEMY + KINDS].sum(2, dtype=np.float32)
    enemy += counts[:, ENEMY + CARRIED : ENEMY + CARRIED + KINDS].sum(2)
    clock = counts[:, 87, :1].astype(np.float32) / 100
    ones = np.ones_like(clock)
    return np.concatenate([own / 2, enemy / 2, clock, ones], 1), (own - enemy) @ POINTS


# %% [markdown]
# ## Choosing
# The softmax over legal moves only, for many games at once: sums over ragged rows.


# %%
def softmax(likes, offsets):
    """Chances of the moves of each game."""
    most = np.maximum.reduceat(likes, offsets[:-1])
    sizes = np.diff(offsets)
    chance = np.exp(likes - np.repeat(most, sizes))
    return chance / np.repeat(np.add.reduceat(chance, offsets[:-1]), sizes)


def draw(chance, offsets, dice):
    """One move of each game by its chance: its place in the list."""
    ends = np.cumsum(chance)
    before = ends[offsets[:-1]] - chance[offsets[:-1]]
    total = ends[offsets[1:] - 1] - before
    found = np.searchsorted(ends, before + dice.random(len(before)) * total)
    return np.clip(found, offsets[:-1], offsets[1:] - 1)


class Adam:
    """The usual optimiser."""

    def __init__(self, size, rate):
        """Of so many numbers."""
        self.rate, self.steps = rate, 0
        self.mean, self.square = np.zeros(size, np.float32), np.zeros(size, np.float32)

    def __call__(self, gradient):
        """What to add."""
        self.steps += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        mean, square = self.mean / (1 - 0.9**self.steps), self.square / (1 - 0.999**self.steps)
        return self.rate * mean / (np.sqrt(square) + 1e-8)


class Agent:
    """Likes moves (the policy) and judges positions (the value)."""

    def __init__(self, rate=0.02):
        """Likes all moves alike at first."""
        self.likes = np.zeros(WEIGHTS, np.float32)
        self.values = np.zeros(2 * KINDS + 2, np.float32)
        self.policy_step, self.value_step = Adam(WEIGHTS, rate), Adam(len(self.values), rate)

    def chances(self, planes, actions, offsets, temperature=1.0):
        """The chance of each legal action, and what was seen of it."""
        seen = features(planes, actions, offsets)
        return softmax(self.likes[seen].sum(1) / temperature, offsets), seen

    def act(self, planes, actions, offsets, dice, temperature=1.0):
        """An action for each game; games that are over get the number 0."""
        alive = np.flatnonzero(np.diff(offsets))
        out = np.zeros(len(planes), np.int64)
        starts = np.append(offsets[:-1][alive], offsets[-1])
        chance, _ = self.chances(planes[alive], actions, starts, temperature)
        out[alive] = actions[draw(chance, starts, dice)]
        return out

    def save(self, path):
        """All that was learnt."""
        parts = {"likes": self.likes, "values": self.values}
        for name, step in (("p", self.policy_step), ("v", self.value_step)):
            parts |= {name + "mean": step.mean, name + "square": step.square, name: step.steps}
        np.savez(path, **parts)

    def load(self, path):
        """The same back."""
        with np.load(path) as parts:
            self.likes, self.values = parts["likes"], parts["values"]
            for name, step in (("p", self.policy_step), ("v", self.value_step)):
                step.mean, step.square = parts[name + "mean"], parts[name + "square"]
                step.steps = int(parts[name])


# %% [markdown]
# ## Learning
# Some steps of all games are played; then each move becomes more likely, the better it went than
# the position's value said (generalised advantage). Besides the end of the game, the agent is paid
# for a rise of its material, and gives the same back when it falls: a potential, which changes no
# best play.


# %%
def rollout(env, agent, dice, steps, gamma, trace):
    """Steps of all games: what was seen, what was done, how much better it went than expected."""
    seen, chances, rows, chosen, states, rewards, ends = [], [], [], [], [], [], []
    planes = env.buffer
    state, points = material(planes)
    finished = []
    for _ in range(steps):
        actions, offsets = env.legal_actions()
        chance, places = agent.chances(planes, actions, offsets)
        choice = draw(chance, offsets, dice)
        seen.append(places), chances.append(chance), rows.append(offsets), chosen.append(choice)
        states.append(state)
        _, reward, ended, cut, _ = env.step(actions[choice].astype(np.int64))
        done = ended | cut
        finished += reward[done].tolist()
        state, now = material(planes)
        rewards.append(reward + np.where(done, 0, gamma * now - points) * 0.2)
        ends.append(done)
        points = now
    values = np.stack([*states, state]) @ agent.values
    gains = np.zeros((steps, env.num_envs), np.float32)
    carry = np.zeros(env.num_envs, np.float32)
    for t in reversed(range(steps)):
        going = 1 - ends[t].astype(np.float32)
        surprise = rewards[t] + gamma * values[t + 1] * going - values[t]
        carry = surprise + gamma * trace * going * carry
        gains[t] = carry
    return seen, chances, rows, chosen, np.stack(states), gains, finished


def learn(agent, env, dice, steps=32, gamma=0.99, trace=0.95, entropy=0.003):
    """One rollout and one step of the optimiser; how the games ended that did."""
    seen, chances, rows, chosen, states, gains, finished = rollout(
        env, agent, dice, steps, gamma, trace
    )
    scaled = (gains - gains.mean()) / (gains.std() + 1e-6)
    gradient = np.zeros(WEIGHTS)
    for t in range(steps):
        sizes = np.diff(rows[t])
        push = -chances[t] * np.repeat(scaled[t], sizes)
        push[chosen[t]] += scaled[t]
        logs = np.log(chances[t] + 1e-9)
        mean = np.add.reduceat(chances[t] * logs, rows[t][:-1])
        push -= entropy * chances[t] * (logs - np.repeat(mean, sizes))
        for column in seen[t].T:
            gradient += np.bincount(column, push, WEIGHTS)
    agent.likes += agent.policy_step((gradient / gains.size).astype(np.float32))
    error = np.einsum("tn,tnk->k", gains, states) / gains.size
    agent.values += agent.value_step(error.astype(np.float32))
    return finished


def play(agent, opponent, games, seed):
    """Wins, draws and losses of the agent against an opponent of the environment."""
    envs = min(games, 128)
    env = VectorEnv(
        envs, opponent=opponent, action_mask=False, copy=False, autoreset_mode="SameStep"
    )
    planes, dice, results = env.reset(seed=seed)[0]["observation"], np.random.default_rng(seed), []
    quota = np.full(envs, -(-games // envs))  # as many of each, lest short games count twice
    while quota.any():
        actions = agent.act(planes, *env.legal_actions(), dice)
        _, reward, ended, _, _ = env.step(actions)
        results += reward[ended & (quota > 0)].tolist()
        quota -= ended & (quota > 0)
    return [results.count(value) for value in (1.0, 0.0, -1.0)]


# %% [markdown]
# ## The curve
# A small picture, so that no plotting library is needed.


# %%
def curve(points, path, title, x_label, y_label="% of games won", goal=None):
    """Writes an SVG of (x, y) points, y from 0 to 100."""
    left, right, top, bottom = 56, 624, 34, 276
    most = max(x for x, _ in points) or 1

    def x_of(x):
        return round(left + x / most * (right - left), 1)

    def y_of(y):
        return round(bottom - y / 100 * (bottom - top), 1)

    def text(x, y, words, anchor="middle", more=""):
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{words}</text>'

    def level(y, style):
        return f'<path d="M{left} {y_of(y)}H{right}" {style}/>'

    lines = [text(left - 8, y_of(y) + 4, y, "end") for y in range(0, 101, 25)]
    lines += [level(y, 'stroke="#ddd"') for y in range(0, 101, 25)]
    lines += [text(x_of(x), bottom + 18, f"{x:.3g}") for x in np.linspace(0, most, 6)]
    if goal:
        lines.append(level(goal, 'stroke="#c33" stroke-dasharray="5 4"'))
    line = " ".join(f"{x_of(x)},{y_of(y)}" for x, y in points)
    lines += [
        text(340, 20, title, more=' font-size="14"'),
        text(340, 312, x_label),
        text(0, 0, y_label, more=' transform="translate(14 160) rotate(-90)"'),
        f'<polyline fill="none" stroke="#236" stroke-width="2" points="{line}"/>',
    ]
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 320" font-size="12"'
    body = "".join(f"\n{one}" for one in lines)
    back = '<rect width="640" height="320" fill="#fff"/>'
    path.write_text(f'{head} font-family="sans-serif">\n{back}{body}\n</svg>\n', "utf-8")


# %% [markdown]
# ## The run
# Time is processor time, so that what else the machine does is not counted.


# %%
def train(options):
    """Learns for so many minutes, keeps what was learnt and how it went."""
    agent, folder = Agent(), Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    kept, log = folder / "agent.npz", folder / "log.jsonl"
    past = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    if kept.exists():
        agent.load(kept)
    seconds, steps = (past[-1]["seconds"], past[-1]["steps"]) if past else (0.0, 0)
    dice = np.random.default_rng(steps)
    env = VectorEnv(
        options.envs,
        opponent="random",
        threads=options.threads,
        action_mask=False,
        copy=False,
        autoreset_mode="SameStep",
    )
    env.buffer = env.reset(seed=steps)[0]["observation"]
    recent, told, began = [], time.process_time(), time.process_time() - seconds
    while time.process_time() - began < 60 * options.minutes:
        recent += learn(agent, env, dice)
        steps += 32 * options.envs
        if time.process_time() - told < options.every:
            continue
        told = time.process_time()
        won = 100 * recent.count(1.0) / max(1, len(recent))
        past.append({"seconds": told - began, "steps": steps, "games": len(recent), "won": won})
        print(f"{past[-1]['seconds']:7.0f} s  {steps:9} steps  {won:5.1f} % won", flush=True)
        with log.open("a") as out:
            out.write(json.dumps(past[-1]) + "\n")
        agent.save(kept)
        recent = []
    if past:
        points = [(0, 0)] + [(row["seconds"] / 60, row["won"]) for row in past]
        title = "Masked policy gradient against random play"
        curve(points, folder / "curve.svg", title, "minutes of processor", goal=95)
    return agent


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="A masked policy gradient in NumPy")
    parser.add_argument("--minutes", type=float, default=30.0, help="of processor time")
    parser.add_argument("--envs", type=int, default=128)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--every", type=float, default=30.0, help="seconds between lines")
    parser.add_argument("--games", type=int, default=400, help="at the end, against chance")
    parser.add_argument("--out", default="policy")
    options = parser.parse_args()
    agent = train(options)
    won, drawn, lost = play(agent, "random", options.games, seed=1)
    print(f"against random play: {won} won, {drawn} drawn, {lost} lost")
