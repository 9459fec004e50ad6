"""``tallycam calibrate``: find the board once, and keep where it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from api.cli.errors import BadUsage


def calibrate(
    photo: Annotated[Path, typer.Argument(metavar="SRC", help="A picture from the camera, the whole board in view.")],
    game: Annotated[str, typer.Option(help="What is played, for example crokinole.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write the board file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Find the board, write a board file, and say how good it is in millimetres."""
    from api.photo_games import photo_game
    from calibration import boardfile, ring_board
    from calibration.errors import CalibrationError
    from vision.errors import VisionError
    from vision.sources.pictures import open_picture

    try:
        board = photo_game(game).board
        picture = open_picture(photo)
        found = ring_board.find(picture.bgr, board).at_size(picture.width_px, picture.height_px)
    except (ValueError, VisionError, CalibrationError) as error:
        raise BadUsage(str(error)) from error
    if out is not None:
        try:
            boardfile.save(out, found)
        except OSError as error:
            raise BadUsage(f"{out}: cannot be written ({error.strerror}).") from error
    if as_json:
        centre_px = [round(c, 2) for c in found.centre_px]
        print(json.dumps({"centre_px": centre_px, "rms_px": round(found.rms_px, 3), "rms_mm": round(found.rms_mm, 3)}))
    else:
        print(f"Board found. Its lines lie within {found.rms_mm:.2f} mm ({found.rms_px:.2f} px) of where they should.")
        if out is not None:
            print(f"Written to {out}; use it with --board {out}.")
