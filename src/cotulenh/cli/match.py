"""``cotulenh match`` and ``cotulenh selfplay``: games between engines, counted and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cotulenh.cli._common import as_json, print_json
from cotulenh.cli._games import game_option, progress
from cotulenh.cli._runs import cluster_option, drive, run_option
from cotulenh.cluster import MatchJob, SelfplayJob, game_name
from cotulenh.engine import dataset
from cotulenh.games import new_board, side_name
from cotulenh.match import GameRecord, Log, Settings, Spec, Sprt, Tally, pgn, play_match

__all__ = ["match_verb", "selfplay_verb"]


def _speed_options(function: Any) -> Any:
    for option in (
        click.option("--tc", "clock", metavar="S+INC", help="A clock: seconds and increment."),
        click.option("--nodes", type=click.IntRange(1), help="Nodes a move."),
        click.option("--depth", type=click.IntRange(1, 240), help="Depth of every move."),
        click.option("--time", type=click.FloatRange(0.001), help="Seconds a move."),
    ):
        function = option(function)
    return function


def _common_options(function: Any) -> Any:
    for option in (
        click.option(
            "--seed", type=int, default=1, show_default=True, help="Of openings and dice."
        ),
        click.option("--max-turns", "most_turns", type=click.IntRange(1), default=600),
        click.option(
            "--balance",
            type=click.IntRange(0),
            default=100,
            show_default=True,
            help="Openings may favour a side by so many centipawns; 0: take any.",
        ),
        click.option(
            "--opening",
            "opening_turns",
            type=click.IntRange(0),
            default=8,
            show_default=True,
            help="Random turns before the players begin.",
        ),
        click.option("-j", "--concurrency", type=click.IntRange(1), default=1, show_default=True),
        click.option("--pgn", "pgn_path", type=click.Path(path_type=Path), help="Keep the games."),
        click.option(
            "--log",
            "log_path",
            type=click.Path(path_type=Path),
            help="JSON lines; an unfinished match goes on from there.",
        ),
    ):
        function = option(function)
    return function


@click.command("match")
@click.argument("first")
@click.argument("second")
@game_option
@click.option("-n", "--games", type=click.IntRange(1), default=100, show_default=True)
@_speed_options
@click.option(
    "--sprt",
    nargs=2,
    type=float,
    default=None,
    metavar="ELO0 ELO1",
    help="Stop as soon as the sequential test decides; exit status 1 if it says ELO0.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Error rates of the")
@click.option("--beta", type=float, default=0.05, show_default=True, help="sequential test.")
@_common_options
@run_option
@cluster_option
@as_json
def match_verb(
    first: str,
    second: str,
    game: str,
    games: int,
    sprt: tuple[float, float] | None,
    alpha: float,
    beta: float,
    pgn_path: Path | None,
    log_path: Path | None,
    directory: Path | None,
    cluster: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Let two players play, colours swapped in pairs, and say who is stronger.

    \b
    A player is one of
      engine[,hash=MB][,threads=N][,skill=0-20][,elo=N][,time=SECONDS][,depth=N][,nodes=N]
          [,without=PART+PART]  parts of the search, to see what they are worth
          [,network=PATH]       a network of one's own
          [,weights=PATH]       weights of the evaluation, as tools/tune.py writes them
          [,PARAMETER=NUMBER]   a margin of the search, to tune it (lmr_base=80)
      random                  any legal move
      greedy                  the turn that wins most at once
      uci:COMMAND[,Option=Value …]

    \b
    cotulenh match engine greedy --time 0.02 --games 100
    cotulenh match engine "uci:stockfish,UCI_LimitStrength=true,UCI_Elo=2400" -g chess
    cotulenh match engine engine,time=0.02 --time 0.1 --sprt 0 50 --log match.jsonl
    """  # noqa: D301  (click reads the sign)
    test = None if sprt is None else Sprt(*sprt, alpha, beta)
    settings = _settings((first, second), game, games, test, options)
    if directory is not None:
        if pgn_path or log_path:
            raise ValueError("a run keeps its games itself: leave --pgn and --log out")
        return _run(settings, directory, cluster, as_json=as_json)
    tally = _play(settings, pgn_path, log_path)
    verdict = None if test is None else test.verdict(tally.pairs)
    if as_json:
        print_json(_for_machines(settings, tally, verdict))
    else:
        click.echo(tally.summary())
        if test is not None:
            low, high = test.bounds
            ratio = test.ratio(tally.pairs)
            words = (
                f"SPRT [{test.elo0:g}, {test.elo1:g}]: ratio {ratio:.2f} ({low:.2f}, {high:.2f})"
            )
            click.echo(f"{words}, {verdict or 'undecided'}")
    return 1 if verdict == "rejected" else 0


def _run(settings: Settings, directory: Path, cluster: str, *, as_json: bool) -> int:
    def tell(found: dict[str, Any]) -> str:
        words = Tally(found["wins"], found["draws"], found["losses"], found["pairs"]).summary()
        sprt = f"\nSPRT: {found['verdict'] or 'undecided'}" if settings.sprt is not None else ""
        return words + sprt

    return drive(
        MatchJob.of(settings),
        directory,
        cluster,
        settings.concurrency,
        as_json=as_json,
        tell=tell,
        verdict=lambda found: int(found["verdict"] == "rejected"),
    )


@click.command("selfplay")
@game_option
@click.option("-n", "--games", type=click.IntRange(1), default=100, show_default=True)
@_speed_options
@click.option("--player", default="engine,hash=8", show_default=True, help="As in match.")
@click.option(
    "--data",
    "data_path",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write whole games for training into this folder; --nodes is where an iteration is the"
    " last. Files that are there are not played again.",
)
@_common_options
@run_option
@cluster_option
@as_json
def selfplay_verb(
    game: str,
    games: int,
    player: str,
    data_path: Path | None,
    pgn_path: Path | None,
    log_path: Path | None,
    directory: Path | None,
    cluster: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Let the engine play against itself: games to learn from or to look at.

    \b
    cotulenh selfplay --nodes 5000 --games 1000 -j 2 --log games.jsonl --pgn games.pgn
    cotulenh selfplay --data FOLDER --nodes 500 --games 100000 -j 2
    cotulenh selfplay --run DIR --nodes 500 --games 100000 --cluster ray
    cotulenh selfplay --run DIR --player engine,skill=5 --time 0.05 --games 1000 -j 2
    """  # noqa: D301  (click reads the sign)
    if directory is not None:
        if pgn_path or log_path or data_path:
            raise ValueError("a run keeps its games itself: leave --pgn, --log and --data out")
        return _run_selfplay(game, games, player, options, directory, cluster, as_json=as_json)
    if data_path is not None:
        return _play_data(data_path, game, games, player, options)
    settings = _settings((player, player), game, games, None, options)
    tally = _play(settings, pgn_path, log_path, names=(player, player))
    if as_json:
        print_json(_for_machines(settings, tally, None))
    else:
        won = ", ".join(f"{name} {count}" for name, count in _by_side(settings, tally).items())
        click.echo(f"{tally.games} games: {won}")
    return 0


_GAMES_A_FILE = 100  # an interruption loses no more


def _run_selfplay(
    game: str,
    games: int,
    player: str,
    options: dict[str, Any],
    directory: Path,
    cluster: str,
    *,
    as_json: bool,
) -> int:
    """Natively by nodes; players of a level, and limits of time and depth, as in a match."""
    spec = Spec.parse(player)
    other_limits = any(options[name] for name in ("time", "depth", "clock"))
    if _is_native(spec) and not other_limits:
        job = SelfplayJob(
            game_name(game),
            games,
            nodes=options["nodes"] or 500,
            random_moves=options["opening_turns"],
            seed=options["seed"],
            network=_network_of(spec),
        )
    else:
        job = SelfplayJob.by_players(_settings((player, player), game, games, None, options))
    return drive(
        job,
        directory,
        cluster,
        options["concurrency"],
        as_json=as_json,
        tell=lambda found: f"{games} games in {directory}",
    )


def _is_native(spec: Spec) -> bool:
    """Whether the core plays such a player's games against itself by nodes."""
    return (
        spec.kind == "engine"
        and not spec.limits
        and not set(spec.settings) - {"hash", "network", "without"}
        and spec.settings.get("without", "network") == "network"
    )


def _network_of(spec: Spec) -> str | None:
    """The network of a native player: a file, "" for the package's, None for the terms."""
    path = spec.settings.get("network", "")
    return None if "without" in spec.settings else path and str(Path(path).resolve())


def _play_data(folder: Path, game: str, games: int, player: str, options: dict[str, Any]) -> int:
    spec = Spec.parse(player)
    if not _is_native(spec):
        raise ValueError(f"expected engine[,network=PATH][,without=network], got {player!r}")
    settings = dataset.Settings(
        game,
        games=min(_GAMES_A_FILE, games),
        nodes=options["nodes"] or 500,
        random_moves=options["opening_turns"],
        network=_network_of(spec),
    )
    units = range(-(-games // settings.games))
    run, played = f"seed{options['seed']}", 0
    with progress("files") as bar:
        task = bar.add_task("", total=len(units))
        for _ in dataset.play_units(settings, folder, run, units, options["concurrency"]):
            played += settings.games
            bar.update(task, advance=1, description=f"{played} games")
    click.echo(f"{len(units)} files of {settings.games} games in {folder}")
    return 0


def _settings(
    players: tuple[str, str], game: str, games: int, sprt: Sprt | None, options: dict[str, Any]
) -> Settings:
    speed = ("time", "depth", "nodes", "clock")
    if all(options[name] is None for name in speed):
        options["time"] = 0.1
    return Settings(players, variant=game, games=games, sprt=sprt, **options)


def _play(
    settings: Settings,
    pgn_path: Path | None,
    log_path: Path | None,
    names: tuple[str, str] | None = None,
) -> Tally:
    log = None if log_path is None else Log(log_path, settings.for_log())
    kept = 0 if log is None else len(log.records)
    if names is None:
        first, second = settings.specs()
        names = (first.name, second.name)
    tally = Tally()
    with progress("games") as bar:
        task = bar.add_task("", total=settings.games)
        for number, record in enumerate(play_match(settings, log)):
            tally.add(record)
            if pgn_path is not None and number >= kept:
                _append(pgn_path, record, settings, names)
            bar.update(task, advance=1, description=_live(settings, tally))
    return tally


def _append(path: Path, record: GameRecord, settings: Settings, names: tuple[str, str]) -> None:
    text = pgn(record, settings.variant, names, str(settings.control()))
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def _live(settings: Settings, tally: Tally) -> str:
    text = f"+{tally.wins} ={tally.draws} -{tally.losses}  {100 * tally.score:.1f} %"
    if tally.games > 3:
        text += f" ± {100 * tally.error:.1f}"
    if settings.sprt is not None:
        text += f"  ratio {settings.sprt.ratio(tally.pairs):.2f}"
    return text


def _by_side(settings: Settings, tally: Tally) -> dict[str, int]:
    board = new_board(settings.variant)
    words = (side_name(board, 0), "drawn", side_name(board, 1))
    return dict(zip(words, tally.by_side, strict=True))


def _for_machines(settings: Settings, tally: Tally, verdict: str | None) -> dict[str, Any]:
    low, middle, high = tally.elo
    test = settings.sprt
    return {
        "players": settings.players,
        "game": settings.variant,
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "by_side": _by_side(settings, tally),
        "pairs": tally.pairs,
        "score": tally.score,
        "elo": [None if abs(x) == float("inf") else round(x, 1) for x in (low, middle, high)],
        "superiority": tally.superiority,
        "ratio": None if test is None else test.ratio(tally.pairs),
        "verdict": verdict,
    }
