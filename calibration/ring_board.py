"""Find a crokinole board, or any board of concentric lines, in one picture, with nobody's help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from calibration import concentric, rings
from calibration.calibration import Bgr, Calibration, Floats, box_px
from calibration.errors import BoardNotFound
from calibration.exposure import exposed
from calibration.pose import camera_place
from calibration.rings import RingFit, Size
from calibration.unrolled import Ring
from scoring.board import Circle, RingBoard

SMALL_SIDE_PX = 480
LEAST_SIDE_PX = 120
# Evidence counts rings seen, of five. Four clear ones cannot be chance; a worn board may show little more than its
# edge, its hole and parts of two lines, which will do when nothing better is proposed: one figure a stage.
CERTAIN = 4.2
ENOUGH = (3.4, 3.0, 2.6, 2.6)
PROMISING = 1.2
FEWEST_EDGES = 200
# How far round a board seen small to look again, in units of its start line.
CLOSER = 1.6

# Radii relative to the start line, over the boards measured so far: tournament boards have their lines at 0.34 and
# 0.67, home octagons at 0.34 and 0.72, others at 0.32 and 0.65 or 0.72. The surface ends 5 to 13 % outside the line.
RINGS = (
    Ring("20", painted=False, usual=0.0574, spread=0.004, least=0.045, most=0.07),
    Ring("15", painted=True, usual=0.335, spread=0.012, least=0.305, most=0.365),
    Ring("10", painted=True, usual=0.685, spread=0.03, least=0.63, most=0.74),
    Ring("5", painted=True, usual=1.0, spread=1.0, least=1.0, most=1.0),
    Ring("edge", painted=False, usual=1.08, spread=0.02, least=1.03, most=1.15),
)


def find(bgr: Bgr, board: RingBoard) -> Calibration[RingBoard]:
    """Find ``board`` in one picture and measure it there; raises ``BoardNotFound``.

    Only the size of the start line is taken from ``board``; where the other lines lie is measured, since boards vary.
    """
    bgr = exposed(bgr)
    found = _search(bgr)
    if found is not None and not _suffices(found):
        found = _look_closer(bgr, found)
    if found is None or not _suffices(found):
        raise BoardNotFound(f"No {board.name} board found. Show the whole board from above, in focus, and try again.")
    return calibrated(bgr, rings.sharpen(bgr, found, RINGS), board, "lines")


def calibrated(bgr: Bgr, fit: RingFit, board: RingBoard, found_by: str) -> Calibration[RingBoard]:
    """Turn a fit in units of the start line into a calibration in mm, with the board as measured."""
    start_mm = board.zones[-1].radius_mm
    homography = fit.homography @ np.diag([1 / start_mm, 1 / start_mm, 1.0])
    height_px, width_px = bgr.shape[:2]
    width_mm = start_mm * rings.line_width(bgr, fit, RINGS)
    measured = RingBoard(
        name=board.name,
        hole=Circle(board.hole.place, fit.radii["20"] * start_mm),
        zones=tuple(Circle(zone.place, fit.radii[str(zone.place)] * start_mm, width_mm) for zone in board.zones),
        edge_mm=fit.radii["edge"] * start_mm,
        piece_radius_mm=board.piece_radius_mm,
        piece_height_mm=board.piece_height_mm,
    )
    unit_px = float(np.sqrt(abs(np.linalg.det(fit.homography))))
    camera_mm = camera_place(homography, width_px, height_px)
    return Calibration(
        measured, width_px, height_px, homography, camera_mm, fit.rms * unit_px, fit.rms * start_mm, found_by
    )


def _search(bgr: Bgr) -> RingFit | None:
    """Return the best fit in a picture, however little evidence it has."""
    if min(bgr.shape[:2]) < LEAST_SIDE_PX:
        return None
    small, to_full = shrink(bgr)
    best: RingFit | None = None
    for stage, enough in zip(_proposals(small), ENOUGH, strict=False):
        for homography, size in stage:
            found = rings.fit(small, homography @ np.diag([size.radius, size.radius, 1.0]), size.dark, RINGS)
            best = found if best is None else max(best, found, key=_evidence)
            if best.evidence >= CERTAIN:
                break
        if best is not None and PROMISING < best.evidence < CERTAIN:
            best = max(best, rings.fit(small, best.homography, best.dark, RINGS), key=_evidence)
        if best is not None and best.evidence >= enough and _is_crokinole(best):
            break
    return best and replace(best, homography=to_full @ best.homography)


def _look_closer(bgr: Bgr, guess: RingFit) -> RingFit | None:
    """Search again in the part of the picture where something like a board was seen small."""
    left, top, right, bottom = box_px(guess.homography, CLOSER, bgr.shape)
    if guess.evidence < PROMISING or max(right - left, bottom - top) > 0.7 * max(bgr.shape[:2]):
        return None
    found = _search(np.ascontiguousarray(bgr[top:bottom, left:right]))
    back = np.array([[1, 0, left], [0, 1, top], [0, 0, 1.0]])
    return found and replace(found, homography=back @ found.homography)


def _suffices(found: RingFit) -> bool:
    return found.evidence >= ENOUGH[-1] and _is_crokinole(found)


def _is_crokinole(found: RingFit) -> bool:
    """Targets and clocks have circles too, but no hole; where a hand covers it, every line must show instead."""
    return found.support["20"] > 0.3 or min(found.support[ring.name] for ring in RINGS if ring.painted) > 0.4


def _evidence(found: RingFit) -> float:
    return found.evidence


def shrink(bgr: Bgr, side_px: int = SMALL_SIDE_PX) -> tuple[Bgr, Floats]:
    """Return the picture a whole number of times smaller, about ``side_px`` long, and the map back to its px."""
    factor = max(1, round(max(bgr.shape[:2]) / side_px))
    height, width = (side // factor * factor for side in bgr.shape[:2])
    small = cv2.resize(bgr[:height, :width], (width // factor, height // factor), interpolation=cv2.INTER_AREA)
    return small, np.array([[factor, 0, (factor - 1) / 2], [0, factor, (factor - 1) / 2], [0, 0, 1.0]])


Proposal = tuple[Floats, Size]


def _proposals(small: Bgr) -> Iterator[list[Proposal]]:
    """Yield maps from a plane in px with sizes in it, in stages: likeliest and cheapest first."""
    points = concentric.edge_points(small)
    if len(points.weight) < FEWEST_EDGES:
        return
    middle, *others = concentric.middles(concentric.centre_votes(points, small.shape), 3)
    seen = concentric.upright(points, middle)
    side = max(small.shape[:2])
    plain = seen.homography(1.0)
    sizes = rings.sizes(small, plain, RINGS, 0.1 * side, 0.6 * side)
    yield [(plain, size) for size in sizes[:3]]
    # The surface's edge is the strongest circle on many boards: sizes that took it for the start line. And grain can
    # feign a squash where the camera in truth looks straight down.
    above = concentric.Foreshortening(seen.centre_px, 0.0, 0.0, seen.tilt).homography(1.0)
    yield [
        *((plain, Size(size.radius / 1.08, size.dark)) for size in sizes[:3]),
        *((above, size) for size in rings.sizes(small, above, RINGS, 0.1 * side, 0.6 * side)[:2]),
    ]
    yield [
        (leaning, size)
        for leaning in (proposal.homography(1.0) for proposal in concentric.tilted(seen, points))
        for size in rings.sizes(small, leaning, RINGS, 0.1 * side, 0.6 * side)[:2]
    ]
    elsewhere = [concentric.upright(points, other).homography(1.0) for other in others]
    yield [
        (plain, size) for plain in elsewhere for size in rings.sizes(small, plain, RINGS, 0.1 * side, 0.6 * side)[:2]
    ]
