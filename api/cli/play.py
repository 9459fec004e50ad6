"""``tallycam play``: keep the score of any game from the keyboard, without a camera."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.errors import BadUsage
from api.cli.house_rules import house_rules

if TYPE_CHECKING:
    from scoring.match import Match
    from scoring.state import MatchState, Round

_HELP = """undo takes the newest event back; fix 3 off says what event 3 really was; retract 3 takes it back.
score 18-15 sets the score between rounds; first B says who begins; forfeit A; time, where a game is timed.
B: before a line says that it is B's. log lists the events; quit ends."""


def play(
    game: Annotated[str, typer.Argument(metavar="GAME", help="What is played; tallycam games lists them.")],
    ruleset: Annotated[str | None, typer.Option(help="One of the game's rulesets.")] = None,
    rules: Annotated[
        Path | None, typer.Option(metavar="FILE", help="House rules: a TOML file of the game's options.")
    ] = None,
    sides: Annotated[str, typer.Option(metavar="NAMES", help="Who plays, the side that begins first.")] = "A,B",
) -> None:
    """Keep the score of a game from the keyboard: one line a throw."""
    from scoring.errors import ScoringError
    from scoring.match import Match

    options = {} if rules is None else house_rules(rules)
    ruleset = options.pop("ruleset", None) if ruleset is None else ruleset
    names = [name.strip() for name in sides.split(",")]
    if not all(names) or len({name.lower() for name in names}) < len(names):
        raise BadUsage(f"Every side needs a name of its own, such as --sides Ann,Bob, not {sides!r}.")
    try:
        match = Match.start(game, ruleset, options, names)
    except ScoringError as error:
        raise BadUsage(str(error)) from error
    interactive = sys.stdin.isatty()
    print(f"{game}, {match.ruleset}. {match.rules.how_to}")
    if letters := _letters(match.sides):
        print(f"{letters}.")
    print("help says more." if interactive else _HELP)
    _show(match, 0)
    for line in _lines(interactive):
        if line.lower() in ("quit", "exit"):
            break
        finished = len(match.state.rounds)
        try:
            _do(match, line)
        except ScoringError as error:
            print(f"? {error}", flush=True)
        else:
            _show(match, finished)


def _lines(interactive: bool) -> Iterator[str]:
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while True:
        if interactive:
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            if interactive:
                print()
            return
        if line.strip():
            yield line.strip()


def _do(match: Match, line: str) -> None:
    from scoring.errors import CannotParse
    from scoring.events import Correction, Retraction, event_to_json

    word, _, rest = line.partition(" ")
    match word := word.lower():
        case "undo":
            match.undo()
        case "help":
            print(match.rules.how_to)
            print(_HELP)
        case "log":
            for number, event in enumerate(match.log, start=1):
                print(f"{number:4} {_in_words(event_to_json(event), match.sides)}")
        case "fix" | "retract":
            text, _, instead = rest.partition(" ")
            if not text.isdecimal():
                raise CannotParse(f"Say which event: {word} 3{' off' if word == 'fix' else ''}; log lists them.")
            number = int(text)
            match.record(
                Retraction(number) if word == "retract" else Correction(number, match.read(instead, instead_of=number))
            )
        case _:
            match.record(match.read(line))


def _letters(sides: tuple[str, ...]) -> str:
    """Say which letter stands for whom, where the names are not their letters."""
    from scoring.notation import LETTERS

    letters = zip(LETTERS, sides, strict=False)
    return ", ".join(f"{letter} is {name}" for letter, name in letters if name.upper() != letter)


def _in_words(said: Any, sides: tuple[str, ...]) -> str:
    """Return an event, or a part of one, in words, from its JSON."""
    if isinstance(said, list):
        if said and isinstance(said[0], list):
            return " / ".join(f"{sides[whose]} {_in_words(what, sides)}" for whose, what in said)
        return " ".join(_in_words(part, sides) for part in said)
    if not isinstance(said, dict):
        return str(said)
    whose = said.get("side")
    words = [said["type"].replace("_", " ")] if "type" in said else []
    others = [(key, part) for key, part in said.items() if key not in ("type", "side")]
    words += [f"{key.replace('_', ' ')} {_in_words(part, sides)}" for key, part in others]
    return (f"{sides[whose]}: " if isinstance(whose, int) else "") + ", ".join(words)


def _show(match: Match, finished: int) -> None:
    state = match.state
    for closed in state.rounds[finished:]:
        print(_round(state, closed))
    for doubt in state.doubts:
        number = doubt.event
        print(f"? event {number} no longer fits: {doubt.message} fix {number} or retract {number} settles it.")
    print(_score(state), flush=True)


def _round(state: MatchState, closed: Round) -> str:
    gains = ", ".join(f"{name} {net:+}" for name, net in zip(state.sides, closed.net, strict=True))
    return f"Round {closed.number}: {gains}"


def _score(state: MatchState) -> str:
    words = _tally(state.sides, state.score)
    if state.reason is not None:
        reason = state.reason.value.replace("_", " ")
        winner = "a draw" if state.winner is None else f"{state.sides[state.winner]} wins"
        return f"{words}. The match is over: {winner} ({reason})."
    if state.provisional != state.score:
        words += f" (so far {_tally(state.sides, state.provisional)})"
    words += f". Round {state.round}"
    if state.to_throw is not None:
        words += f", {state.sides[state.to_throw]}"
        if state.throws_left:
            words += f" with {state.throws_left[state.to_throw]} left"
    words += f": {state.needs}." if state.needs else "."
    for claim in state.claims:
        words += f" {state.sides[claim.side]} claims {claim.reason.value.replace('_', ' ')}; {claim.void_by}."
    return words


def _tally(sides: tuple[str, ...], score: tuple[int, ...]) -> str:
    return ", ".join(f"{name} {points}" for name, points in zip(sides, score, strict=True))
