"""``tallycam eval``: how often is it right? Counted against pictures and recordings whose truth is known."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.errors import BadUsage, CannotRun

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from api.measure.recordings import Measured, Recording
    from vision.accuracy import Accuracy


def evaluate(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Pictures and recordings with truth beside them.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the totals as one JSON object.")] = False,
    report: Annotated[
        Path | None, typer.Option(metavar="OUT.html", help="Write a report on the recordings, with pictures.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(metavar="N", min=1, help="Recordings replayed at once.")] = None,
) -> None:
    """Score every picture and replay every recording in a folder against its truth, and print the accuracy."""
    from api.measure.recordings import bench_in, recordings_in
    from vision.errors import VisionError

    if not folder.is_dir():
        raise BadUsage(f"{folder} is no folder; name one with pictures or recordings and their truth.")
    recordings = recordings_in(folder)
    films = {recording.truth for recording in recordings}
    photos = [path for path in sorted(folder.glob("*.truth.json")) if path not in films]
    if not photos and not films - {None}:
        raise BadUsage(
            f"{folder}: nothing with truth here. Put NAME.truth.json beside each picture or video, "
            "truth.json into each recording."
        )
    say: Callable[[str], None] = (lambda _: None) if as_json else print
    counted: dict[str, Any] = {}
    complaints: list[str] = []
    try:
        bench = bench_in(folder)
        if photos:
            counted |= _photos(photos, say)
        if recordings:
            measured = _recordings(recordings, jobs or os.cpu_count() or 1, report is not None, say)
            counted["recordings"] = _summary(measured)
            if report is not None:
                _write_report(report, measured)
            complaints = bench.complaints(recordings, measured) if bench else []
    except VisionError as error:
        raise BadUsage(str(error)) from error
    if as_json:
        print(json.dumps(counted))
    for complaint in complaints:
        print(f"tallycam: {complaint}", file=sys.stderr)
    if complaints:
        raise typer.Exit(1)


def _recordings(
    recordings: Sequence[Recording], jobs: int, pictures: bool, say: Callable[[str], None]
) -> list[Measured]:
    from api.measure.recordings import measure
    from api.measure.table import row, summary

    measured = []
    for recording in recordings:
        if recording.truth is None:
            say(f"{recording.name}: no truth, left out")
    for one in measure(recordings, jobs, pictures):
        measured.append(one)
        say(row(one))
    say("\n" + summary(measured))
    return measured


def _summary(measured: Sequence[Measured]) -> dict[str, Any]:
    """Return the counts of all recordings, of each game and of each recording, as JSON values."""
    from api.measure.tally import Tally

    games = sorted({one.game for one in measured})
    return asdict(Tally.of(measured)) | {
        "games": {game: asdict(Tally.of(one for one in measured if one.game == game)) for game in games},
        "each": [
            {"name": one.name, "game": one.game, "exact": one.is_exact, "first_difference": one.first or None}
            | asdict(Tally.of([one]))
            | {"seconds": round(one.took_s, 3)}
            for one in measured
        ],
    }


def _write_report(path: Path, measured: Sequence[Measured]) -> None:
    from api.report import report

    try:
        path.write_text(report(measured), encoding="utf-8")
    except OSError as error:
        raise CannotRun(f"{path} cannot be written: {error.strerror}.") from error


def _photos(truths: Sequence[Path], say: Callable[[str], None]) -> dict[str, Any]:
    from vision.accuracy import Accuracy

    total, seconds = Accuracy(), 0.0
    for path in truths:
        name, counted, took = _photo(path)
        total, seconds = total + counted, seconds + took
        say(f"{name}: {_in_words(counted)}, {1000 * took:.0f} ms")
    say(f"\n{total.exact} of {total.photos} pictures exact; {_in_words(total)}; {total.no_board} without a board")
    say(f"{total.doubtful} calls marked doubtful, {total.wrong_but_doubtful} of them wrong; {seconds:.1f} s\n")
    return asdict(total) | {"seconds": round(seconds, 3)}


def _photo(path: Path) -> tuple[str, Accuracy, float]:
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
