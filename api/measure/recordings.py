"""The recordings in a folder, and what a replay of each tells, held against its truth."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2

from api.live.lines import line
from api.live.replay import opened
from api.measure.compare import Compared, compare
from api.measure.faults import Line
from api.measure.thumbnails import Thumbnail, thumbnails
from api.measure.truth import Truth, read_truth
from vision.accuracy import BadTruth
from vision.sources import settings
from vision.watchers import WATCHED

BENCH_FILE = "bench.toml"
FILM = "video.mp4"


@dataclass(frozen=True, slots=True)
class Recording:
    """Footage to measure with: a name, where it is, and its truth, None where it has none."""

    name: str
    footage: Path
    truth: Path | None


@dataclass(frozen=True, slots=True)
class Measured:
    """A recording that was replayed and compared; ``broken`` says in one line why it could not be, and else nothing."""

    name: str
    game: str
    purpose: str
    conditions: Mapping[str, tuple[str, ...]]
    compared: Compared
    footage_s: float
    took_s: float
    broken: str = ""
    thumbnails: tuple[Thumbnail, ...] = ()

    @property
    def first(self) -> str:
        """The first difference in words, empty where the replay told exactly what happened."""
        return self.broken or self.compared.first

    @property
    def is_exact(self) -> bool:
        """Whether the replay told what happened, and nothing else."""
        return not self.first


@dataclass(frozen=True, slots=True)
class Bench:
    """A folder that promises a recording with truth of every game that can be watched: its ``bench.toml``.

    ``known`` are the recordings that are not told right yet, with the first difference of each.
    """

    known: Mapping[str, str]

    def complaints(self, recordings: Sequence[Recording], measured: Sequence[Measured]) -> list[str]:
        """Return what breaks the promise, one sentence each."""
        said = [f"{recording.name} has no truth." for recording in recordings if recording.truth is None]
        games = {one.game for one in measured}
        said += [f"There is no recording of {game}, which can be watched." for game in WATCHED if game not in games]
        for one in measured:
            known = self.known.get(one.name, "")
            if one.first != known:
                said.append(f"{one.name}: {one.first or 'is exact now'}; {BENCH_FILE} says: {known or 'exact'}.")
        names = {recording.name for recording in recordings}
        said += [f"{name} is in {BENCH_FILE} and not in the folder." for name in self.known if name not in names]
        return said


def bench_in(folder: Path) -> Bench | None:
    """Return the folder's promise, None where it makes none. Raises ``BadTruth``."""
    path = folder / BENCH_FILE
    if not path.is_file():
        return None
    try:
        known = tomllib.loads(path.read_text(encoding="utf-8")).get("known", {})
        return Bench({str(name): str(difference) for name, difference in known.items()})
    except (ValueError, AttributeError) as error:
        raise BadTruth(f"{path}: {error}.") from error


def recordings_in(folder: Path) -> list[Recording]:
    """Return the recordings in a folder and the folders in it, and its bare videos, sorted by name."""
    films = [path for path in folder.rglob("*.mp4") if path.name != FILM]
    folders = {path.parent for name in (FILM, settings.FILE) for path in folder.rglob(name)}
    return sorted((_recording(folder, path) for path in (*films, *folders)), key=lambda recording: recording.name)


def _recording(folder: Path, footage: Path) -> Recording:
    truth = footage / "truth.json" if footage.is_dir() else footage.with_suffix(".truth.json")
    name = footage.relative_to(folder).as_posix() if footage != folder else footage.name
    return Recording(name, footage, truth if truth.is_file() else None)


def measure(recordings: Sequence[Recording], jobs: int, pictures: bool = False) -> Iterator[Measured]:
    """Yield what came of each recording with truth, in that order, the same with any number of ``jobs``.

    ``pictures``: with a thumbnail of every difference. Raises ``BadTruth``.
    """
    known = [(recording, read_truth(recording.truth)) for recording in recordings if recording.truth is not None]
    if jobs <= 1 or len(known) <= 1:
        threads = cv2.getNumThreads()
        cv2.setNumThreads(1)
        try:
            for recording, truth in known:
                yield measure_one(recording, truth, pictures)
        finally:
            cv2.setNumThreads(threads)
        return
    with ProcessPoolExecutor(jobs, get_context("spawn"), cv2.setNumThreads, (1,)) as pool:
        running = [pool.submit(measure_one, recording, truth, pictures) for recording, truth in known]
        for future in running:
            yield future.result()


def measure_one(recording: Recording, truth: Truth, pictures: bool = False) -> Measured:
    """Replay one recording as fast as it goes, and compare."""
    began_s = time.perf_counter()
    broken = ""
    lines: list[Line] = []
    try:
        lines = _lines(recording, truth)
    except Exception as error:
        broken = f"the replay broke off: {type(error).__name__}: {error}"
    took_s = time.perf_counter() - began_s
    compared = compare(lines, truth)
    shown = thumbnails(recording.footage, truth, compared.differences) if pictures else ()
    footage_s = len(truth.pieces_px) / truth.fps
    return Measured(
        recording.name, truth.game, truth.purpose, truth.conditions, compared, footage_s, took_s, broken, shown
    )


def _lines(recording: Recording, truth: Truth) -> list[Line]:
    with opened(str(recording.footage), truth.game, options=truth.options) as replay:
        return [{"t_s": t_s, "seq": seq} | line(told) for seq, (t_s, told) in enumerate(replay.happenings())]
