# %% [markdown]
# # A small AlphaZero
# A network that says how likely each move is and who will win, a tree search that improves on what
# it says, and games against itself from which it learns what the search found. Many games are
# searched at once: each step of the search is one step of the vector environment and one call of
# the network for all of them.
#
#     python examples/policy_gradient.py --minutes 5 --out policy
#     python examples/alpha_zero.py --minutes 30 --prior policy/agent.npz --out zero
#
# Needs torch. With `--prior` it begins with what the policy gradient has learnt about moves and is
# measured against it; without, it begins with nothing. Started again, it goes on.

# %%
import argparse
import json
import time
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from policy_gradient import CELLS, POINTS, WEIGHTS, Agent, curve, features, material
from torch import nn

from cotulenh.env import VectorEnv, planes

# %% [markdown]
# ## The network
# Likes of moves are sums of numbers, as in the policy gradient. The value looks at all planes
# through one hidden layer.


# %%
class Network(nn.Module):
    """Likes of legal moves, and the value of positions for the side to move."""

    def __init__(self, hidden=48):
        """Knows nothing at first."""
        super().__init__()
        self.likes = nn.EmbeddingBag(WEIGHTS, 1, mode="sum")
        nn.init.zeros_(self.likes.weight)
        self.hidden = nn.Linear(len(planes("official")) * CELLS, hidden)
        self.material = nn.Linear(24, hidden)
        self.value = nn.Linear(hidden, 1)
        nn.init.zeros_(self.value.weight)

    def judge(self, seen, counts):
        """Values of positions, -1 to 1."""
        flat = seen.reshape(len(seen), -1).float() * 0.1
        return torch.tanh(self.value(torch.relu(self.hidden(flat) + self.material(counts))))[:, 0]


def evaluate(network, seen, actions, offsets):
    """Chances of each position's legal moves, and values, without learning."""
    with torch.no_grad():
        likes = network.likes(torch.from_numpy(features(seen, actions, offsets)))[:, 0].numpy()
        values = network.judge(torch.from_numpy(seen), torch.from_numpy(material(seen)[0])).numpy()
    chances = []
    for first, last in pairwise(offsets):
        part = np.exp(likes[first:last] - likes[first:last].max(initial=-1e9))
        chances.append(part / max(part.sum(), 1e-9))
    return chances, values


# %% [markdown]
# ## The search
# A node keeps the environment's state, so any node can be gone on from at any time. In a deployment
# the same side moves again: values change their sign only where the side changes.


# %%
class Node:
    """A position, its moves, and what was found out about them."""

    def __init__(self, state, actions, chances):
        """Before any visit."""
        self.state, self.player, self.actions, self.chances = state, state.player, actions, chances
        self.visits = np.zeros(len(actions), np.float32)
        self.totals = np.zeros(len(actions), np.float32)
        self.children = {}

    def best(self, explore=1.5):
        """The move that promises most: what it brought so far, and how likely and new it is."""
        visited = self.visits.sum()
        mean = self.totals / np.maximum(self.visits, 1)
        mean[self.visits == 0] = self.totals.sum() / max(1, visited) - 0.1
        bonus = explore * self.chances * np.sqrt(visited + 1) / (1 + self.visits)
        return int((mean + bonus).argmax())


class Search:
    """Trees of many games, grown together."""

    def __init__(self, network, games, threads=1):
        """With an environment of its own to try moves in."""
        self.network = network
        self.env = VectorEnv(
            games, autoreset_mode="Disabled", action_mask=False, copy=False, threads=threads
        )
        self.seen = self.env.reset(seed=0)[0]["observation"]

    def nodes(self):
        """What the network says of the positions of the environment."""
        actions, offsets = self.env.legal_actions()
        chances, values = evaluate(self.network, self.seen, actions, offsets)
        parts = np.split(actions, offsets[1:-1])
        return [Node(*each) for each in zip(self.env.states(), parts, chances, strict=True)], values

    def run(self, states, simulations, dice=None):
        """Roots of trees with so many visits; with dice the first moves are tried more widely."""
        self.env.restore(states)
        roots, _ = self.nodes()
        for root in roots if dice is not None else ():
            noise = dice.dirichlet(np.full(len(root.actions), 0.3))
            root.chances = (0.75 * root.chances + 0.25 * noise).astype(np.float32)
        for _ in range(simulations):
            self.simulate(roots)
        return roots

    def simulate(self, roots):
        """Down each tree to a new position, and back with what it is worth."""
        paths = [self.descend(root) for root in roots]
        self.env.restore([path[-1][0].state for path in paths])
        moves = np.array([node.actions[place] for node, place in (path[-1] for path in paths)])
        _, _, ended, _, infos = self.env.step(moves.astype(np.int64))
        leaves, values = self.nodes()
        for i, path in enumerate(paths):
            leaf = leaves[i]
            worth = infos["rewards_of_both"][i, 0] if ended[i] else values[i]
            if not ended[i] and leaf.player == 1:
                worth = -worth  # as the first player sees it
            if not ended[i]:
                path[-1][0].children[path[-1][1]] = leaf
            for node, place in path:
                node.visits[place] += 1
                node.totals[place] += worth if node.player == 0 else -worth

    def descend(self, root):
        """Nodes and moves to the end of the tree."""
        path, node = [], root
        while node is not None:
            place = node.best()
            path.append((node, place))
            node = node.children.get(place)
        return path


# %% [markdown]
# ## Games against itself
# A game that is not over after some moves is judged by its material.


# %%
def settle(state, seen):
    """What a game was worth to the first player."""
    if state.terminated:
        return state.returns[0]
    ahead = float(np.tanh(material(seen[None])[1][0]))
    return ahead if state.player == 0 else -ahead


def self_play(network, games, moves, simulations, dice):
    """Positions with what the search chose there and how the game ended."""
    search = Search(network, games)
    env = VectorEnv(games, autoreset_mode="Disabled", action_mask=False, copy=False)
    seen = env.reset(seed=int(dice.integers(1 << 40)))[0]["observation"]
    alive, rows, results = np.arange(games), [], {}
    for number in range(moves):
        states = [env.state(int(i)) for i in alive]
        padded = states + [states[0]] * (games - len(states))
        roots = search.run(padded, simulations, dice)[: len(states)]
        for i, root in zip(alive, roots, strict=True):
            share = root.visits / root.visits.sum()
            rows.append((seen[i].copy(), root.actions, share, int(i), root.player))
            sharp = share if number < 30 else share**4
            place = dice.choice(len(share), p=sharp / sharp.sum())
            env.restore([root.state.after(int(root.actions[place]))], [int(i)])
        ended = [int(i) for i in alive if env.state(int(i)).terminated]
        results |= {i: settle(env.state(i), seen[i]) for i in ended}
        alive = np.array([i for i in alive if i not in results])
        if not len(alive):
            break
    results |= {int(i): settle(env.state(int(i)), seen[i]) for i in alive}
    return [
        (planes_, actions, share, results[i] if player == 0 else -results[i])
        for planes_, actions, share, i, player in rows
    ]


# %% [markdown]
# ## Learning


# %%
def learn(network, optimiser, rows, dice, batch=128, passes=2):
    """Towards what the search chose and how the games ended; the mean losses."""
    losses = []
    for _ in range(max(1, passes * len(rows) // batch)):
        chosen = [rows[i] for i in dice.integers(len(rows), size=batch)]
        seen = np.stack([row[0] for row in chosen])
        offsets = np.cumsum([0] + [len(row[1]) for row in chosen])
        actions = np.concatenate([row[1] for row in chosen])
        share = torch.from_numpy(np.concatenate([row[2] for row in chosen]))
        owner = torch.from_numpy(np.repeat(np.arange(batch), np.diff(offsets)))
        likes = network.likes(torch.from_numpy(features(seen, actions, offsets)))[:, 0]
        total = torch.zeros(batch).index_add(0, owner, torch.exp(likes)).log()
        policy = -(share * (likes - total[owner])).sum() / batch
        values = network.judge(torch.from_numpy(seen), torch.from_numpy(material(seen)[0]))
        wanted = torch.tensor([row[3] for row in chosen], dtype=torch.float32)
        value = ((values - wanted) ** 2).mean()
        optimiser.zero_grad()
        (policy + value).backward()
        optimiser.step()
        losses.append((policy.item(), value.item()))
    return np.mean(losses, 0)


# %% [markdown]
# ## A match against the policy gradient
# Both play both sides; a game that lasts too long is a draw.


# %%
def match(network, agent, games, simulations, seed, moves):
    """Wins, draws and losses of the search against the agent."""
    search, dice = Search(network, games), np.random.default_rng(seed)
    env = VectorEnv(games, autoreset_mode="Disabled", action_mask=False, copy=False)
    seen, searcher = env.reset(seed=seed)[0]["observation"], np.arange(games) % 2
    results = {}
    for _ in range(moves):
        alive = [i for i in range(games) if i not in results]
        if not alive:
            break
        acts = agent.act(seen, *env.legal_actions(), dice)
        thinking = [i for i in alive if env.current_player[i] == searcher[i]]
        if thinking:
            states = [env.state(i) for i in thinking]
            roots = search.run(states + [states[0]] * (games - len(states)), simulations)
            for i, root in zip(thinking, roots, strict=False):
                acts[i] = root.actions[root.visits.argmax()]
        for i in alive:
            env.restore([env.state(i).after(int(acts[i]))], [i])
            if env.state(i).terminated:
                results[i] = env.state(i).returns[searcher[i]]
    ends = [results.get(i, 0.0) for i in range(games)]
    return [ends.count(value) for value in (1.0, 0.0, -1.0)]


# %% [markdown]
# ## The run


# %%
def begin(options):
    """The network and its optimiser, from a file if there is one."""
    network = Network()
    optimiser = torch.optim.Adam(network.parameters(), 0.002)
    kept = Path(options.out) / "network.pt"
    if kept.exists():
        parts = torch.load(kept, weights_only=True)
        network.load_state_dict(parts["network"])
        optimiser.load_state_dict(parts["optimiser"])
        return network, optimiser
    with torch.no_grad():
        points = torch.tensor(np.concatenate([POINTS, -POINTS, [0, 0]]), dtype=torch.float32)
        network.material.weight[0], network.value.weight[0, 0] = points, 0.5
        network.material.bias[0], network.value.bias[0] = 4.0, -2.0  # past the hidden layer's zero
        if options.prior:
            agent = Agent()
            agent.load(options.prior)
            network.likes.weight[:, 0] = torch.from_numpy(agent.likes)
    return network, optimiser


def train(options):
    """Plays, learns, is measured, for so many minutes of processor."""
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "log.jsonl"
    past = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    network, optimiser = begin(options)
    agent = Agent()
    if options.prior:
        agent.load(options.prior)
    seconds = past[-1]["seconds"] if past else 0.0
    began, rows = time.process_time() - seconds, []
    while True:
        dice = np.random.default_rng(len(past))
        won, drawn, lost = match(
            network, agent, options.games, options.simulations, len(past), options.longest
        )
        score = 100 * (won + drawn / 2) / options.games
        row = {"seconds": time.process_time() - began, "won": won, "drawn": drawn, "lost": lost}
        past.append({**row, "score": score, "rows": len(rows)})
        print(f"{row['seconds']:7.0f} s  +{won} ={drawn} -{lost}  {score:.1f} %", flush=True)
        with log.open("a") as out:
            out.write(json.dumps(past[-1]) + "\n")
        if row["seconds"] > 60 * options.minutes:
            break
        network.eval()
        rows += self_play(network, options.envs, options.moves, options.simulations, dice)
        rows = rows[-20_000:]
        network.train()
        policy, value = learn(network, optimiser, rows, dice)
        print(f"          {len(rows)} positions, losses {policy:.3f} {value:.3f}", flush=True)
        torch.save(
            {"network": network.state_dict(), "optimiser": optimiser.state_dict()},
            folder / "network.pt",
        )
    points = [(row["seconds"] / 60, row["score"]) for row in past]
    title = "AlphaZero-like search against the policy gradient"
    curve(points, folder / "curve.svg", title, "minutes of processor", "% of points", goal=50)


if __name__ == "__main__":
    torch.set_num_threads(1)
    parser = argparse.ArgumentParser(description="A small AlphaZero")
    parser.add_argument("--minutes", type=float, default=30.0, help="of processor time")
    parser.add_argument("--prior", help="what the policy gradient has learnt")
    parser.add_argument("--envs", type=int, default=24, help="games against itself at a time")
    parser.add_argument("--moves", type=int, default=160, help="of a game against itself at most")
    parser.add_argument("--simulations", type=int, default=40, help="for each move")
    parser.add_argument("--games", type=int, default=20, help="of each match")
    parser.add_argument("--longest", type=int, default=400, help="moves of a game of a match")
    parser.add_argument("--out", default="zero")
    train(parser.parse_args())
