"""A film made of photographs: a folder of pictures, or one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from vision.errors import BadPicture, BadSource
from vision.sources.pictures import open_picture
from vision.sources.taken import Taken

SUFFIXES = frozenset([".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp", ".gif"])
APART_NS = 1_000_000_000
"""Photographs that nobody timed are taken as one second apart."""

_FULL_SIZE_PX = 1_000_000


def pictures_in(folder: Path) -> list[Path]:
    """Return the pictures of a folder, ``9.jpg`` before ``10.jpg``."""
    pictures = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and not path.name.startswith(".")]
    return sorted(pictures, key=lambda path: [(len(n), n) if n.isdigit() else (0, n) for n in _words(path.name)])


def _words(name: str) -> list[str]:
    return re.split(r"(\d+)", name.lower())


class StillPictures:
    """The pictures at ``paths``, in this order. ``notes`` names those that could not be read."""

    own_times = "the pictures are taken as one second apart"

    def __init__(self, paths: Sequence[Path]) -> None:
        """Name the pictures; each is opened when its turn comes."""
        self.notes: list[str] = []
        self._paths = paths

    def open(self) -> None:
        """Nothing is to be opened before the first picture."""

    def close(self) -> None:
        """Nothing stays open."""

    def times_ns(self) -> list[int | None]:
        """A photograph does not say when it is shown."""
        return [None] * len(self._paths)

    def __iter__(self) -> Iterator[Taken]:
        """Read the pictures at full size, the right way up."""
        read = 0
        for index, path in enumerate(self._paths):
            try:
                picture = open_picture(path, least_side_px=_FULL_SIZE_PX)
            except BadPicture as error:
                if len(self._paths) == 1:
                    raise BadSource(str(error)) from error
                self.notes.append(str(error))
                continue
            yield Taken(index, index * APART_NS, bgr=picture.bgr)
            read += 1
        if not read:
            raise BadSource(f"None of the {len(self._paths)} pictures can be read; the first: {self.notes[0]}")
