"""``tallycam score``: read photographs of a board and score them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.errors import BadUsage

if TYPE_CHECKING:
    from api.photo_games import PhotoGame
    from api.schemas import StillOut
    from calibration.calibration import Calibration, Floats
    from scoring.board import RingBoard
    from vision.sources.pictures import Picture
    from vision.still import Still


def score(
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTO...", help="Photographs, each of one whole board.")],
    game: Annotated[str, typer.Option(help="What is played, for example crokinole.")],
    board: Annotated[Path | None, typer.Option(metavar="FILE", help="A board file; Tallycam does not search.")] = None,
    taps: Annotated[
        str | None,
        typer.Option(
            metavar='"X,Y X,Y X,Y X,Y"',
            help="Where the four quadrant lines meet the start line, in order round the board, in pixels.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a photo.")] = False,
    overlay: Annotated[
        Path | None, typer.Option(metavar="OUT.png", help="Draw what was read over the photo, and save it here.")
    ] = None,
) -> None:
    """Read photos of a board: where every disc lies, what it counts, and how sure that is."""
    from api.describe import still_out
    from api.photo_games import photo_game
    from calibration.errors import CalibrationError
    from vision.errors import VisionError

    if board is not None and taps is not None:
        raise BadUsage("Give --board or --taps, not both.")
    if overlay is not None and overlay.resolve() in {photo.resolve() for photo in photos}:
        raise BadUsage(f"--overlay {overlay} is the photo itself; name another file.")
    if overlay is not None and len(photos) > 1:
        raise BadUsage("--overlay takes one photo at a time.")
    try:
        rules = photo_game(game)
    except ValueError as error:
        raise BadUsage(str(error)) from error
    tapped = None if taps is None else _four_points(taps)

    read = 0
    for photo in photos:
        try:
            picture, still = _read(photo, rules, board, tapped)
        except (VisionError, CalibrationError) as error:
            _report(photo, error, as_json)
            continue
        read += 1
        out = still_out(still, picture, rules, str(photo))
        print(out.model_dump_json() if as_json else _in_words(out), flush=True)
        if overlay is not None:
            _save_overlay(overlay, picture, still)
    if not read:
        raise typer.Exit(2)


def _read(photo: Path, game: PhotoGame, board: Path | None, tapped: Floats | None) -> tuple[Picture, Still]:
    from vision.sources.pictures import open_picture
    from vision.still import read_still

    picture = open_picture(photo)
    return picture, read_still(picture.bgr, _calibration(picture, game, board, tapped))


def _calibration(
    picture: Picture, game: PhotoGame, board: Path | None, tapped: Floats | None
) -> Calibration[RingBoard] | None:
    if board is not None:
        from calibration.boardfile import load

        return load(board, game.board)
    if tapped is not None:
        from calibration.taps import from_taps

        return from_taps(picture.from_original(tapped), picture.bgr, game.board)
    return None


def _four_points(text: str) -> Floats:
    import numpy as np

    try:
        points = np.array([[float(number) for number in pair.split(",")] for pair in text.split()])
    except ValueError:
        points = np.empty(0)
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise BadUsage('--taps takes four points in pixels, such as --taps "310,95 820,120 790,640 280,610".')
    return points


def _report(photo: Path, error: Exception, as_json: bool) -> None:
    message = str(error)
    if not message.startswith(str(photo)):
        message = f"{photo}: {message}"
    print(f"tallycam: {message}", file=sys.stderr)
    if as_json:
        from api.schemas import FailureOut

        print(FailureOut.of(str(photo), error).model_dump_json(), flush=True)


def _save_overlay(path: Path, picture: Picture, still: Still) -> None:
    import cv2

    from vision.overlay import draw

    try:
        done, data = cv2.imencode(path.suffix, draw(picture.bgr, still))
    except cv2.error:
        done = False
    if not done:
        raise BadUsage(f"--overlay {path}: name a .png or .jpg file.")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise BadUsage(f"--overlay {path} cannot be written: {error.strerror}.") from error


def _in_words(out: StillOut) -> str:
    lines = [out.image]
    for side in out.sides:
        own = [piece for piece in out.pieces if piece.side == side.side]
        places = [piece.place for piece in sorted(own, key=lambda piece: -piece.points)]
        counts = ", ".join(f"{places.count(place)} × {place}" for place in dict.fromkeys(places))
        lines.append(f"  {side.colour}: {side.points} points ({counts or 'no discs'})")
    lines += [f"  ? {doubt}" for doubt in out.doubts]
    return "\n".join(lines)
