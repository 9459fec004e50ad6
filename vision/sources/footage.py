"""Footage in files: a recording, a bare video, pictures. Its frames have the times they were taken at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from vision.frames import Frame
from vision.sources.moments import Moment, check_fit, read_moments
from vision.sources.settings import RecordingSettings
from vision.sources.taken import Film, Taken

_USUAL_NS = 1_000_000_000 // 30


class Footage:
    """A source over ``film``; ``moments_path`` is its ``frames.jsonl``, where it has one."""

    def __init__(
        self,
        name: str,
        film: Film,
        *,
        settings: RecordingSettings | None = None,
        notes: tuple[str, ...] = (),
        moments_path: Path | None = None,
        truth_path: Path | None = None,
        board_path: Path | None = None,
    ) -> None:
        """Put the parts together; nothing is opened yet."""
        self.name = name
        self.settings = settings
        self.truth_path = truth_path
        self.board_path = board_path
        self._film = film
        self._notes = list(notes)
        self._moments_path = moments_path
        self._moments: list[Moment] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """What was wrong with the footage, in words, as far as it has been read."""
        return (*self._notes, *self._film.notes)

    def __enter__(self) -> Self:
        """Open the files. Raises ``BadSource``."""
        self._film.open()
        try:
            if self._moments_path is not None:
                self._moments = self._fitting(self._moments_path)
        except BaseException:
            self._film.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the files."""
        self._film.close()

    def __iter__(self) -> Iterator[Frame]:
        """Give the frames, each later than the one before. Raises ``BadSource`` where there is none."""
        camera = self.settings.camera if self.settings else ""
        last_ns: int | None = None
        shift_ns = 0
        astray = 0
        for taken in self._film:
            known_ns, seq = self._moment(taken)
            t_ns = None if known_ns is None else known_ns + shift_ns
            if last_ns is not None and (t_ns is None or t_ns <= last_ns):
                shift_ns += 0 if t_ns is None else last_ns + _USUAL_NS - t_ns
                t_ns = last_ns + _USUAL_NS
                astray += 1
            last_ns = t_ns or 0
            yield Frame(last_ns, seq, bgr=taken.bgr, yuv=taken.yuv, camera=camera)
        if astray:
            self._notes.append(
                f"{self.name}: pictures whose own time is missing or goes back, put after the one before: {astray}."
            )

    def _fitting(self, path: Path) -> list[Moment]:
        """Return the moments of the pictures; none, and a note why, where ``frames.jsonl`` is not theirs."""
        times_ns = self._film.times_ns()
        try:
            moments = read_moments(path)
            check_fit(moments, times_ns)
        except ValueError as error:
            self._notes.append(f"{path.name} {error}; {self._film.own_times} instead.")
            return []
        if len(moments) > len(times_ns):
            self._notes.append(f"{self.name} breaks off: {len(times_ns)} of its {len(moments)} pictures are there.")
        dropped = moments[-1].seq - moments[0].seq + 1 - len(moments)
        if dropped:
            self._notes.append(f"{self.name}: pictures that the camera dropped while recording: {dropped}.")
        return moments

    def _moment(self, taken: Taken) -> tuple[int | None, int]:
        """Return when a picture was taken and its number. Where ``frames.jsonl`` has ended, the film goes on."""
        if not self._moments:
            return taken.shown_ns, taken.index
        if taken.index < len(self._moments):
            return self._moments[taken.index]
        t_ns = None if taken.shown_ns is None else self._moments[0].t_ns + taken.shown_ns
        return t_ns, self._moments[-1].seq + 1 + taken.index - len(self._moments)
