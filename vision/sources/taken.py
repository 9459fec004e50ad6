"""A picture as it came out of a file, before it is known for certain when it was taken."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from cv2.typing import MatLike

from calibration.calibration import Bgr


@dataclass(frozen=True, slots=True)
class Taken:
    """One picture of a film: the ``index``-th that was taken, damaged ones counted.

    ``shown_ns`` is how long after the first it is shown, None where the file does not say. The picture is either
    ``bgr`` or ``yuv``, as a ``Frame`` holds it.
    """

    index: int
    shown_ns: int | None
    bgr: Bgr | None = None
    yuv: MatLike | None = None


class Film(Protocol):
    """Pictures one after another, from one file or from many."""

    notes: list[str]
    own_times: str
    """What its pictures' times are where nobody else says: "the video's own times are used", for instance."""

    def open(self) -> None:
        """Open it. Raises ``BadSource``."""

    def close(self) -> None:
        """Close it; it may be opened again."""

    def times_ns(self) -> list[int | None]:
        """When each picture is shown, from the first, without reading any; None where the film does not say."""

    def __iter__(self) -> Iterator[Taken]:
        """Read the pictures. Raises ``BadSource`` where there is none; says lesser troubles in ``notes``."""
