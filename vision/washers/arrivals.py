"""Which of the things that move are throws coming in, and when one closes the account of the one before."""

from __future__ import annotations

import numpy as np

from vision.washers.flights import Path
from vision.washers.view import View

# A washer entering so long after another is a throw of its own; sooner, it is the same washer or its shadow.
APART_NS = 300_000_000
# So long after, what the earlier one did can be told by itself if it has come to rest, crawls or is gone.
CLOSED_NS = 600_000_000
SLOW_MM_S = 350.0
# A throw comes in from the border of the picture (a share of its width), or from well outside the board.
BORDER = 0.16
OUTSIDE_MM = 60.0
# What begins so near to where another was so lately is that other one.
SAME_MM = 220.0
LOST_NS = 500_000_000


class Arrivals:
    """The throws that came in since the last account was closed, in order."""

    def __init__(self, view: View, width_px: int, height_px: int) -> None:
        """Watch small pictures of that size, in which the board is seen as ``view`` says."""
        self._view = view
        self._size = (width_px, height_px)
        self.paths: list[Path] = []

    def see(self, paths: list[Path]) -> Path | None:
        """Take note of new throws among ``paths``; return one that comes in when the one before is over."""
        for path in paths:
            if not path.is_throw or any(path is known for known in self.paths):
                continue
            last = self.paths[-1] if self.paths else None
            if last is None:
                self.paths.append(path)
            elif path.t_ns[0] - last.t_ns[0] >= APART_NS and self._from_outside(path) and not _goes_on(last, path):
                if path.t_ns[0] - last.t_ns[0] > CLOSED_NS and _is_over(last, path.t_ns[0]):
                    return path
                self.paths.append(path)
        return None

    def _from_outside(self, path: Path) -> bool:
        (x, y), (width, height) = path.px[0], self._size
        return min(x, y, width - x, height - y) < BORDER * width or not self._view.on_board(path.mm[0], OUTSIDE_MM)


def _goes_on(last: Path, path: Path) -> bool:
    """Whether a path begins where a throw just was: the same washer, lost and found again."""
    k = min(range(len(last.t_ns)), key=lambda i: abs(last.t_ns[i] - path.t_ns[0]))
    gap_ns = abs(last.t_ns[k] - path.t_ns[0])
    return gap_ns < LOST_NS and float(np.hypot(*(last.mm[k] - path.mm[0]))) < SAME_MM


def _is_over(path: Path, t_ns: int) -> bool:
    return path.resting or path.t_ns[-1] < t_ns or path.speed_mm_s(first=False) < SLOW_MM_S
