"""Write a recording: every frame with its time, readable whatever stops the recorder."""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from vision.errors import NotRecorded
from vision.frames import Frame
from vision.sources import moments, settings
from vision.sources.mp4 import Mp4Writer
from vision.sources.settings import RecordingSettings, write_settings

VIDEO = "video.mp4"


class RecordingWriter:
    """Writes a recording into a new ``folder``::

        with RecordingWriter(folder, RecordingSettings(game="crokinole")) as writer:
            for frame in source:
                writer.write(frame)

    It is completed on leaving, also by an exception. Where no frame was written, nothing is left behind.
    """

    def __init__(self, folder: Path, about: RecordingSettings) -> None:
        """Name the folder and say what is recorded; nothing is written yet."""
        self.frames = 0
        self._folder = folder
        self._about = about
        self._files: list[BinaryIO] = []
        self._mp4: Mp4Writer | None = None
        self._first_ns = 0
        self._last_ns = 0

    @property
    def duration_s(self) -> float:
        """The time from the first frame to the last."""
        return (self._last_ns - self._first_ns) / 1e9

    @property
    def size_bytes(self) -> int:
        """How large the recording has become on the disk."""
        return sum(path.stat().st_size for path in self._folder.iterdir())

    def __enter__(self) -> Self:
        """Make the folder. Raises ``NotRecorded`` where something is in it, or where the disk does not let it."""
        with self._in_words():
            self._folder.mkdir(parents=True, exist_ok=True)
            if any(self._folder.iterdir()):
                raise NotRecorded(f"{self._folder} is not empty and is not overwritten; name another folder.")
        try:
            with self._in_words():
                write_settings(self._folder / settings.FILE, self._about)
                self._files = [_create(self._folder / name) for name in (moments.FILE, VIDEO)]
        except NotRecorded:
            self._discard()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Complete the recording. Raises ``NotRecorded`` where that fails and nothing had failed before."""
        try:
            with suppress(OSError) if error else self._in_words():
                self._complete()
        finally:
            for file in self._files:
                with suppress(OSError):
                    file.close()
            if not self.frames:
                self._discard()

    def write(self, frame: Frame, metadata: Mapping[str, int | float | str] | None = None) -> None:
        """Add a frame and what the sensor said of it.

        Raises ``NotRecorded`` where the disk takes no more; what was written before stays readable.
        """
        times, video = self._files
        with self._in_words():
            if self._mp4 is None:
                self._mp4 = Mp4Writer(video, frame.size_px)
                self._first_ns = frame.t_ns
            times.write(json.dumps({"t_ns": frame.t_ns, "seq": frame.seq, **(metadata or {})}).encode() + b"\n")
            times.flush()
            self._mp4.write(frame)
        self._last_ns = frame.t_ns
        self.frames += 1

    def _complete(self) -> None:
        if self._mp4 is not None:
            self._mp4.close()
        for file in self._files:
            file.close()
        about = replace(self._about, frames=self.frames, duration_s=round(self.duration_s, 3))
        write_settings(self._folder / settings.FILE, about)

    def _discard(self) -> None:
        for name in (settings.FILE, moments.FILE, VIDEO):
            (self._folder / name).unlink(missing_ok=True)
        with suppress(OSError):
            self._folder.rmdir()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            kept = f"{self._folder} holds what came before, about {self.duration_s:.0f} s"
            held = kept if self.frames else "nothing was recorded"
            if error.errno == errno.ENOSPC:
                raise NotRecorded(f"The disk is full; {held}.", disk_full=True) from error
            raise NotRecorded(f"{self._folder} cannot be written ({error.strerror}); {held}.") from error


def _create(path: Path) -> BinaryIO:
    return path.open("xb")
