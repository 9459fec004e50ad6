"""Find a washer board, a plank with holes in a known pattern, in a picture, with nobody's help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration import plank_fit
from calibration.calibration import Bgr, Calibration, Floats
from calibration.concentric import edge_points
from calibration.errors import BoardNotFound
from calibration.exposure import exposed
from calibration.holes import HolePattern, proposals
from calibration.plank_fit import Fit, Shape
from calibration.pose import camera_place
from calibration.ring_board import shrink
from scoring.board import HoleBoard
from scoring.games.holeyboard import THREE_HOLE

LEAST_SIDE_PX = 120
SMALL_SIDE_PX = 640
EDGES_PER_TILE = 30
TRIED = 6
FITTED = 2
CERTAIN = 0.7
ENOUGH = 0.5
LEAST_EDGES = 0.25
# Boards are built wider and longer than usual, but hardly beyond this many times the usual spread.
STRANGE = 3.5


def find(picture: Bgr | Sequence[Bgr], board: HoleBoard = THREE_HOLE) -> Calibration[HoleBoard]:
    """Find ``board`` in one picture, or in the median of several of the same view; raises ``BoardNotFound``.

    Of ``board`` only the distance along it from its nearest holes to its farthest is taken as known; the holes'
    radius, the plank's width and length, and where the holes are on it, are measured. Which end is the near one no
    picture tells: ``turned`` gives the other.
    """
    bgr = exposed(_still(picture))
    found = anywhere(bgr, board)
    if found is None:
        raise BoardNotFound(f"No {board.name} board found. Show the whole board from above, in focus, and try again.")
    return calibrated(bgr, found, board, "holes")


def anywhere(bgr: Bgr, board: HoleBoard) -> Fit | None:
    """Return ``board`` as it shows somewhere in a well exposed picture, if it does."""
    usual = usual_shape(board)
    found = _search(bgr, usual)
    return sharpen(bgr, found, usual) if found is not None and suffices(found, usual) else None


def near(bgr: Bgr, homography: Floats, board: HoleBoard) -> Fit | None:
    """Return ``board`` where ``homography`` (units to px) puts it, give or take a hole's radius, if it shows."""
    small, to_full = shrink(bgr, SMALL_SIDE_PX)
    soft = cv2.GaussianBlur(small, (0, 0), 0.8)
    usual = usual_shape(board)
    fit = Fit(np.linalg.inv(to_full) @ homography, usual, np.zeros(len(usual.middles) + 4), 1.0)
    for window in (0.9, 0.6):
        fit = plank_fit.step(soft, fit, usual, window)
    fit = _fit(soft, plank_fit.settle_rims(soft, fit.homography, usual, fit.shape.radius), usual)
    return sharpen(bgr, replace(fit, homography=to_full @ fit.homography), usual) if suffices(fit, usual) else None


def _still(picture: Bgr | Sequence[Bgr]) -> Bgr:
    if isinstance(picture, Sequence):
        return np.asarray(np.median(np.stack(picture), axis=0), dtype=np.uint8)
    return picture


def unit_mm(board: HoleBoard) -> float:
    """Return the length that fits are in: half the way along the plank from its nearest to its farthest holes."""
    along_mm = [hole.centre_mm[1] for hole in board.holes]
    return (max(along_mm) - min(along_mm)) / 2


def usual_shape(board: HoleBoard) -> Shape:
    """Return ``board`` in units."""
    unit = unit_mm(board)
    middles = np.array([hole.centre_mm for hole in board.holes]) / unit
    half = np.array([board.width_mm, board.length_mm]) / (2 * unit)
    return Shape(middles - middles.mean(0), board.holes[0].radius_mm / unit, 1.0, half, -middles.mean(0))


def evidence(found: Fit, usual: Shape) -> float:
    """Return how surely this is a plank, 0 to 1: its rims must show, and most of its edges, in usual proportions."""
    if found.shape.strangeness(usual) > STRANGE:
        return 0.0
    rims = np.sort(found.holes_seen)
    edges = np.sort(found.edges_seen)
    return float(0.5 * rims.mean() * min(1.0, 0.4 + rims[0]) + 0.5 * edges[1:].mean())


def suffices(found: Fit, usual: Shape) -> bool:
    """Whether this is a plank: holes with no edges round them are part of another board, or stray washers."""
    return evidence(found, usual) > ENOUGH and float(np.sort(found.edges_seen)[1:].mean()) > LEAST_EDGES


def _search(bgr: Bgr, usual: Shape) -> Fit | None:
    if min(bgr.shape[:2]) < LEAST_SIDE_PX:
        return None
    small, to_full = shrink(bgr, SMALL_SIDE_PX)
    soft = cv2.GaussianBlur(small, (0, 0), 0.8)
    best: Fit | None = None
    edges = edge_points(soft, EDGES_PER_TILE)
    for stage in proposals(edges, small.shape, HolePattern(usual.middles, usual.radius), TRIED):
        rims = [plank_fit.settle_rims(soft, place.homography, usual, place.radius) for place in stage]
        for fit in sorted(rims, key=lambda fit: -fit.holes_seen.mean())[:FITTED]:
            found = _fit(soft, fit, usual)
            best = found if best is None else max(best, found, key=lambda fit: evidence(fit, usual))
        if best is not None and evidence(best, usual) > CERTAIN:
            break
    return best and replace(best, homography=to_full @ best.homography)


def _fit(soft: Bgr, fit: Fit, usual: Shape) -> Fit:
    wood = plank_fit.face(soft, fit)
    fit = plank_fit.settle_edges(soft, wood, fit, usual)
    for window in (0.4, 0.25, 0.25):
        fit = plank_fit.step(soft, fit, usual, window, wood=wood)
    return fit


def sharpen(bgr: Bgr, fit: Fit, usual: Shape) -> Fit:
    """Fit once more on the whole picture, to a fraction of a pixel."""
    fine = fit
    soft = cv2.GaussianBlur(bgr, (0, 0), 1.0)
    wood = plank_fit.face(soft, fit)
    for window in (0.3, 0.16, 0.1):
        fine = plank_fit.step(soft, fine, usual, window, fine=2, wood=wood)
    return replace(fine, support=fit.support)


def calibrated(bgr: Bgr, fit: Fit, board: HoleBoard, found_by: str) -> Calibration[HoleBoard]:
    """Turn a fit in units into a calibration in mm, with the board as measured and its middle in the middle."""
    unit = unit_mm(board)
    shape = fit.shape
    to_units = np.array([[1 / unit, 0, shape.aside[0]], [0, 1 / unit, shape.aside[1]], [0, 0, 1]])
    homography: Floats = fit.homography @ to_units
    homography /= homography[2, 2]
    height_px, width_px = bgr.shape[:2]
    camera_mm = camera_place(homography, width_px, height_px)
    radius = plank_fit.rim_radius(bgr, fit, np.array(camera_mm[:2]) / unit + shape.aside)
    measured = replace(
        board,
        width_mm=2 * unit * float(shape.half[0]),
        length_mm=2 * unit * float(shape.half[1]),
        holes=tuple(
            replace(hole, radius_mm=unit * radius, centre_mm=(float(x), float(y)))
            for hole, (x, y) in zip(board.holes, unit * (shape.holes() - shape.aside), strict=True)
        ),
    )
    rms_mm = fit.rms * unit
    found = Calibration(measured, width_px, height_px, homography, camera_mm, 0.0, rms_mm, found_by)
    return replace(found, rms_px=rms_mm * found.px_per_mm())
