"""``tallycam replay``: run recorded footage through the same pipeline as live, and tell what happened."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.errors import BadUsage, CannotRun
from api.cli.house_rules import house_rules

if TYPE_CHECKING:
    from api.live.happenings import Happening
    from scoring.rules import Rules
    from vision.frames import Frame


def replay(
    recording: Annotated[str, typer.Argument(metavar="RECORDING", help="A recording, a video or pictures.")],
    game: Annotated[str, typer.Option(help="What is played; a recording may say so itself.")] = "",
    rules: Annotated[
        str | None, typer.Option(metavar="R", help="One of the game's rulesets, or a TOML file of house rules.")
    ] = None,
    board: Annotated[Path | None, typer.Option(metavar="FILE", help="A board file; Tallycam does not search.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    realtime: Annotated[bool, typer.Option(help="Run no faster than it was recorded.")] = False,
) -> None:
    """Tell every throw, round and match in recorded footage, as the camera would have told them live."""
    from api.live.replay import GameNotNamed, opened
    from calibration.errors import CalibrationError
    from scoring.errors import ScoringError
    from vision.errors import BadSource, NotWatched

    ruleset, options = _ruleset(rules)
    told = 0
    try:
        with opened(recording, game, ruleset, options, board) as footage:
            say = _say_json if as_json else _say_words
            frames = _paced(footage.source) if realtime else footage.source
            for t_s, happening in footage.happenings(frames):
                say(t_s, told, happening, footage.live.match.rules)
                told += 1
    except (GameNotNamed, ScoringError, CalibrationError, NotWatched) as error:
        raise BadUsage(str(error)) from error
    except BadSource as error:
        raise (CannotRun if told else BadUsage)(str(error)) from error
    for note in footage.source.notes:
        print(f"tallycam: {note}", file=sys.stderr)
    if footage.watcher.calibration is None:
        raise BadUsage(f"{recording}: no board was found in it. The whole board has to be in view, and nothing on it.")


def _ruleset(text: str | None) -> tuple[str | None, dict[str, Any]]:
    """Return the ruleset's name and the options that ``--rules`` asks for."""
    if text is None or not (text.endswith(".toml") or Path(text).is_file()):
        return text, {}
    options = house_rules(Path(text))
    return options.pop("ruleset", None), options


def _paced(frames: Iterable[Frame]) -> Iterator[Frame]:
    """Give each frame no sooner than it came when it was recorded."""
    began_s, first_ns = time.monotonic(), None
    for frame in frames:
        first_ns = frame.t_ns if first_ns is None else first_ns
        time.sleep(max(0.0, began_s + (frame.t_ns - first_ns) / 1e9 - time.monotonic()))
        yield frame


def _say_json(t_s: float, seq: int, happening: Happening, rules: Rules[Any]) -> None:  # noqa: ARG001 in words only
    from api.live.lines import line

    print(json.dumps({"t_s": round(t_s, 3), "seq": seq, **line(happening)}), flush=True)


def _say_words(t_s: float, seq: int, happening: Happening, rules: Rules[Any]) -> None:  # noqa: ARG001 in JSON only
    from api.live.words import words

    first, *others = words(happening, rules)
    minutes, seconds = divmod(t_s, 60)
    print(f"{minutes:3.0f}:{seconds:04.1f}  {first}", *(f"          {other}" for other in others), sep="\n", flush=True)
