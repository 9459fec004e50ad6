"""``tallycam calibrate``: find the board once, and keep where it is."""

from __future__ import annotations

import json
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.errors import BadUsage

if TYPE_CHECKING:
    from calibration.calibration import Calibration
    from scoring.board import Board


# How many pictures of footage are looked at: those of its first second, evenly.
LOOKED_AT = 5
SECOND_NS = 1_000_000_000


def calibrate(
    source: Annotated[str, typer.Argument(metavar="SRC", help="A picture or footage, the whole board in view.")],
    game: Annotated[str, typer.Option(help="What is played, for example crokinole.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write the board file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the board, write a board file, and say how good it is in millimetres."""
    from calibration import boardfile
    from calibration.errors import CalibrationError
    from scoring import games
    from scoring.errors import ScoringError
    from vision.errors import VisionError

    try:
        board = games.game(game).played_on
        if board is None:
            raise BadUsage(f"{game} is not played on a board that a camera can find.")
        found = _found(source, board)
    except (ScoringError, VisionError, CalibrationError) as error:
        raise BadUsage(str(error)) from error
    if out is not None:
        try:
            boardfile.save(out, found)
        except OSError as error:
            raise BadUsage(f"{out}: cannot be written ({error.strerror}).") from error
    if as_json:
        print(json.dumps(_in_figures(found)))
    else:
        print(_in_words(found))
        if out is not None:
            print(f"Written to {out}; use it with --board {out}.")


def _found(source: str, board: Board) -> Calibration[Any]:
    from calibration.finder import find
    from vision.sources import open_source
    from vision.sources.pictures import open_picture
    from vision.sources.stills import SUFFIXES

    path = Path(source)
    if path.suffix.lower() in SUFFIXES and not path.is_dir():
        picture = open_picture(path)
        return find([picture.bgr], board).at_size(picture.width_px, picture.height_px)
    with open_source(source) as footage:
        frames = iter(footage)
        first_second = [next(frames)]
        first_second += takewhile(lambda frame: frame.t_ns - first_second[0].t_ns < SECOND_NS, frames)
        step = max(1, len(first_second) // LOOKED_AT)
        return find([frame.bgr for frame in first_second[::step]], board)


def _in_words(found: Calibration[Any]) -> str:
    from scoring.board import HoleBoard

    what = "holes and edges" if isinstance(found.board, HoleBoard) else "lines"
    said = f"Board found. Its {what} lie within {found.rms_mm:.2f} mm ({found.rms_px:.2f} px) of where they should."
    if isinstance(found.board, HoleBoard):
        hole_mm = 2 * found.board.holes[0].radius_mm
        said += (
            f"\nIt is {found.board.width_mm:.0f} × {found.board.length_mm:.0f} mm, its holes {hole_mm:.0f} mm"
            " wide, if they are as far apart as usual. Which end is the near one a picture cannot tell."
        )
    return said


def _in_figures(found: Calibration[Any]) -> dict[str, Any]:
    from calibration.calibration import corners_px
    from scoring.board import HoleBoard

    figures: dict[str, Any] = {
        "centre_px": [round(c, 2) for c in found.centre_px],
        "rms_px": round(found.rms_px, 3),
        "rms_mm": round(found.rms_mm, 3),
    }
    if isinstance(found.board, HoleBoard):
        figures["corners_px"] = [[round(c, 2) for c in corner] for corner in corners_px(found)]
    return figures
