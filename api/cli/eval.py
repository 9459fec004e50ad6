"""``tallycam eval``: how often is it right? Counted against pictures whose truth is known."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.errors import BadUsage

if TYPE_CHECKING:
    from vision.accuracy import Accuracy


def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Pictures, each with a NAME.truth.json beside it.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the totals as one JSON object.")] = False,
) -> None:
    """Score every picture in a folder against its truth, and print the accuracy."""
    from vision.accuracy import Accuracy
    from vision.errors import VisionError

    truths = sorted(folder.glob("*.truth.json")) if folder.is_dir() else []
    if not truths:
        raise BadUsage(f"{folder}: no pictures with truth here. Put NAME.truth.json beside each picture.")
    total, seconds = Accuracy(), 0.0
    for path in truths:
        try:
            name, counted, took = _one(path)
        except VisionError as error:
            raise BadUsage(str(error)) from error
        total, seconds = total + counted, seconds + took
        if not as_json:
            print(f"{name}: {_in_words(counted)}, {1000 * took:.0f} ms")
    if as_json:
        print(json.dumps(asdict(total) | {"seconds": round(seconds, 3)}))
    else:
        print(f"\n{total.exact} of {total.photos} pictures exact; {_in_words(total)}; {total.no_board} without a board")
        print(f"{total.doubtful} calls marked doubtful, {total.wrong_but_doubtful} of them wrong; {seconds:.1f} s")


def _one(path: Path) -> tuple[str, Accuracy, float]:
    from calibration.errors import BoardNotFound
    from vision.accuracy import compare, missing_board, read_truth
    from vision.sources.pictures import open_picture
    from vision.still import read_still

    image, truth = read_truth(path)
    picture = open_picture(path.parent / image)
    started = time.perf_counter()
    try:
        still = read_still(picture.bgr)
    except BoardNotFound:
        return image, missing_board(truth), time.perf_counter() - started
    took = time.perf_counter() - started
    return image, compare(still, picture.scale, truth), took


def _in_words(counted: Accuracy) -> str:
    if counted.photos == 1 and counted.no_board:
        return "no board found"
    return (
        f"{counted.found} of {counted.discs} discs found, {counted.place_right} placed right, "
        f"{counted.side_right} sided right, {counted.extra} too many"
    )
