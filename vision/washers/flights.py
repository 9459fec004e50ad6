"""What moved across the picture: the paths of thrown washers and of those they knocked."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from calibration.calibration import Floats
from vision.washers.blobs import Blob

# Nothing thrown underhand at a board is faster; a camera near the flight sees it faster than it is over the board.
FASTEST_MM_S = 16_000.0
# A path whose next point is missing for longer has ended.
LOST_NS = 250_000_000
# What is thrown comes in at a fair speed; what drifts, creeps or grows slower is not thrown.
THROWN_MM_S = 700.0
THROWN_POINTS = 3
# While hands are about, things flit by that are none.
SURE_POINTS = 5
# A shadow shows as one in a good part of its frames; a washer hardly ever.
MOST_SHADE = 0.3
# Frames so far apart show a throw in two of them only.
SPARSE_NS = 50_000_000
THROWN_MM = 90.0
# The middle of a thing that lies still may wander so far, as what of it stands out varies.
LIES_PX = 12.0


@dataclass(slots=True)
class Path:
    """One moving thing, as seen in the small picture: times, middles (px), sizes and colours."""

    t_ns: list[int] = field(default_factory=list)
    px: list[Floats] = field(default_factory=list)
    mm: list[Floats] = field(default_factory=list)
    area_px: list[int] = field(default_factory=list)
    colours: list[NDArray[np.float64]] = field(default_factory=list)
    contrast: list[float] = field(default_factory=list)
    from_piece: int | None = None
    at_border: bool = False
    resting: bool = False
    moved_until_ns: int = 0
    moved_points: int = 0
    shade_points: int = 0
    from_hand: bool = False
    amid_hands: bool = False

    def add(self, t_ns: int, blob: Blob, mm: Floats) -> None:
        """Follow it to where it is now."""
        self.t_ns.append(t_ns)
        self.px.append(blob.point_px)
        self.mm.append(mm)
        self.area_px.append(blob.area_px)
        self.colours.append(np.array(blob.colour))
        self.contrast.append(blob.contrast)
        self.shade_points += blob.shade
        self.at_border = blob.at_border
        self.resting = not blob.moves
        if blob.moves:
            self.moved_until_ns = t_ns
            self.moved_points += 1

    def expected_px(self, t_ns: int) -> Floats:
        """Return where it would be now if it went on as it went last."""
        if len(self.px) < 2 or self.resting:
            return self.px[-1]
        step_s = max((self.t_ns[-1] - self.t_ns[-2]) / 1e9, 1e-3)
        ahead_s = min((t_ns - self.t_ns[-1]) / 1e9, 0.1)
        away: Floats = self.px[-1] + (self.px[-1] - self.px[-2]) * (ahead_s / step_s)
        return away

    def stopping_px(self) -> float:
        """Return how far from where it was last it may lie still now."""
        if len(self.px) < 2 or self.resting:
            return LIES_PX
        return LIES_PX + 0.5 * float(np.hypot(*(self.px[-1] - self.px[-2])))

    def speed_mm_s(self, first: bool = True) -> float:
        """Return how fast it was over its first (or last) few points, on the plane of the board."""
        if len(self.mm) < 2:
            return 0.0
        part = slice(0, 4) if first else slice(-4, None)
        mm, t = self.mm[part], self.t_ns[part]
        return float(np.hypot(*(mm[-1] - mm[0])) / max((t[-1] - t[0]) / 1e9, 1e-3))

    @property
    def is_throw(self) -> bool:
        """Whether it moved as something thrown does, not as a shadow, and did not set out from a washer or a hand."""
        if self.from_piece is not None or self.from_hand or self.moved_points < 2:
            return False
        if self.shade_points > MOST_SHADE * len(self.px):
            return False
        if self.amid_hands and self.moved_points < SURE_POINTS:
            return False
        if self.moved_points < THROWN_POINTS and self.t_ns[1] - self.t_ns[0] < SPARSE_NS:
            return False
        return self.reach_mm > THROWN_MM and self.speed_mm_s() > THROWN_MM_S

    @property
    def reach_mm(self) -> float:
        """How far it got from where it began."""
        return max(float(np.hypot(*(mm - self.mm[0]))) for mm in self.mm)

    def heading(self) -> Floats:
        """Return the direction (mm, not normalised) of its first part: from where it came in to where it slowed."""
        most = min(len(self.mm) - 1, 4)
        towards: Floats = self.mm[most] - self.mm[0]
        return towards


class Flights:
    """Follows everything small that moves, frame by frame."""

    def __init__(self, px_per_mm: float) -> None:
        """``px_per_mm`` is the scale of the small picture over the board."""
        self._px_per_mm = px_per_mm
        self.paths: list[Path] = []

    def clear(self) -> None:
        """Forget what has been told."""
        self.paths = []

    def follow(self, t_ns: int, moving: list[tuple[Blob, Floats]]) -> list[Path]:
        """Link this frame's blobs (with where they are in mm) to the paths so far; return the paths that began now."""
        live = [path for path in self.paths if t_ns - path.t_ns[-1] <= LOST_NS]
        links = []
        for i, path in enumerate(live):
            gap_s = (t_ns - path.t_ns[-1]) / 1e9
            fastest = FASTEST_MM_S * self._px_per_mm
            if len(path.px) > 1:
                last_s = max((path.t_ns[-1] - path.t_ns[-2]) / 1e9, 1e-3)
                known = float(np.hypot(*(path.px[-1] - path.px[-2]))) / last_s
                fastest = min(fastest, 0.9 * known + 900 * self._px_per_mm)
            gate = 12 + fastest * gap_s
            expected = path.expected_px(t_ns)
            for j, (blob, _) in enumerate(moving):
                if not blob.moves and np.hypot(*(blob.point_px - path.px[-1])) > path.stopping_px():
                    continue
                away = float(np.hypot(*(blob.point_px - expected)))
                size = abs(np.log(blob.area_px / path.area_px[-1])) + abs(np.log(blob.contrast / path.contrast[-1]))
                if away < gate:
                    links.append((away / gate + 0.25 * size, i, j))
        taken_paths: set[int] = set()
        taken_blobs: set[int] = set()
        for _, i, j in sorted(links):
            if i not in taken_paths and j not in taken_blobs:
                taken_paths.add(i)
                taken_blobs.add(j)
                live[i].add(t_ns, *moving[j])
        begun = []
        for j, (blob, mm) in enumerate(moving):
            if j not in taken_blobs and blob.moves:
                path = Path()
                path.add(t_ns, blob, mm)
                self.paths.append(path)
                begun.append(path)
        return begun
