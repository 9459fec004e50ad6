"""Read one still: a picture of a board in, the pieces that lie on it and where they count out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration import ring_board
from calibration.calibration import Bgr, Calibration, PointPx, apply
from calibration.errors import BadBoardFile
from calibration.exposure import exposed
from scoring.board import Call, PointMm, RingBoard
from scoring.games.crokinole import BOARD
from vision import discs, hole, sides
from vision.discs import Blob
from vision.rectify import PX_PER_MM, Rectified, rectify
from vision.sides import Looks

LEAST_DISC = 0.5
CLEAR_DISC = 0.97
LEAST_CONTRAST = 3.0
# Beyond the surface lie hands, cups and table too: only what looks like one of the sides' discs is taken there.
STRANGE = 22.0
# Disc radius over the start line's, on the boards measured so far.
DISC_RATIO = 0.0525
DISC_RATIO_SPREAD = 0.0025
# How well a disc's radius can be measured, bevel and all: against truth on rendered boards.
RADIUS_SIGMA_MM = 0.5


@dataclass(frozen=True, slots=True)
class Piece:
    """One disc or washer that lies still.

    ``centre_px`` and ``radius_px`` are its top face in the picture; ``centre_mm`` is where it lies on the board,
    corrected for its height where the camera's place is known, good to ``sigma_mm``. ``visible`` is the share of
    its rim that shows. A ``doubtful`` piece is one whose call the measurement cannot settle, or that is half hidden.
    """

    side: int
    centre_px: PointPx
    radius_px: float
    centre_mm: PointMm
    call: Call
    sigma_mm: float
    visible: float
    doubtful: bool


@dataclass(frozen=True, slots=True)
class SideLook:
    """What one side's pieces look like in this picture: the word for their colour, and the colour itself."""

    side: int
    colour: str
    bgr: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Still:
    """All that was read from one picture. ``doubts`` are sentences for people."""

    calibration: Calibration[RingBoard]
    pieces: tuple[Piece, ...]
    sides: tuple[SideLook, ...]
    doubts: tuple[str, ...]


def read_still(bgr: Bgr, calibration: Calibration[RingBoard] | None = None, board: RingBoard = BOARD) -> Still:
    """Find the board and the discs in one picture (height×width×3, BGR, 8 bit).

    Raises ``BoardNotFound`` where no board shows. A ``calibration`` given takes the finder's place; ``BadBoardFile``
    where it cannot be of this picture.
    """
    bgr = exposed(bgr)
    if calibration is None:
        calibration = ring_board.find(bgr, board)
    calibration = calibration.at_size(bgr.shape[1], bgr.shape[0])
    x_px, y_px = calibration.centre_px
    if not (0 <= x_px < bgr.shape[1] and 0 <= y_px < bgr.shape[0]):
        raise BadBoardFile(
            "The middle of the board would lie outside the picture: this board file is for another view."
        )
    view = rectify(bgr, calibration)
    blobs = _discs(view, calibration)
    in_hole, lying = _part_hole(blobs, view, calibration.board)
    looks = sides.learn(np.array([blob.lab for blob in lying if _on_surface(blob, view, calibration.board)]))
    return _judge(view, calibration, in_hole, lying, looks)


def _discs(view: Rectified, calibration: Calibration[RingBoard]) -> list[Blob]:
    """Return everything that looks like a disc, best first and never two in one place."""
    board = calibration.board
    start_px = board.zones[-1].radius_mm * PX_PER_MM
    usual_px, spread_px = DISC_RATIO * start_px, DISC_RATIO_SPREAD * start_px
    edges = discs.gradient(view.bgr)
    rims = discs.RimPoints.of(edges)
    likely = rims.vote(0.95 * usual_px, 1.05 * usual_px).best(1.04 * start_px, 1.28 * start_px)
    if not len(likely):
        return []
    beside_hole = np.hypot(*(likely - view.middle_px).T) > 1.5 * usual_px
    radius_px = discs.common_radius(edges, likely[beside_hole][:10], usual_px, spread_px)
    votes = rims.vote(radius_px)
    lab, bare = cv2.cvtColor(view.bgr, cv2.COLOR_BGR2LAB), discs.BareSurface.of(view.bgr)
    likely = discs.standing_out(lab, bare, likely, radius_px, LEAST_CONTRAST)
    face = discs.Face.of(radius_px)
    seen_mm = view.to_mm(likely)
    walls_px = PX_PER_MM * (calibration.on_board(seen_mm, board.piece_height_mm) - seen_mm)
    found = [discs.measure(lab, votes, at, face, bare, wall) for at, wall in zip(likely, walls_px, strict=True)]
    kept: list[Blob] = []
    for blob in sorted(found, key=lambda b: -b.likeness):
        apart = all(np.linalg.norm(blob.centre_px - other.centre_px) > 1.5 * radius_px for other in kept)
        if apart and blob.likeness > LEAST_DISC:
            kept.append(blob)
    return kept


def _part_hole(blobs: list[Blob], view: Rectified, board: RingBoard) -> tuple[Blob | None, list[Blob]]:
    """Part what is seen in the hole, floor or disc, from the discs that lie elsewhere."""
    reach_px = 0.6 * board.hole.radius_mm * PX_PER_MM
    off_middle = [float(np.hypot(*(blob.centre_px - view.middle_px))) for blob in blobs]
    inside = [blob for blob, off in zip(blobs, off_middle, strict=True) if off < reach_px]
    return (inside[0] if inside else None), [b for b, off in zip(blobs, off_middle, strict=True) if off >= reach_px]


def _on_surface(blob: Blob, view: Rectified, board: RingBoard) -> bool:
    return float(np.hypot(*view.to_mm(blob.centre_px[None])[0])) < board.edge_mm


def _judge(
    view: Rectified, calibration: Calibration[RingBoard], in_hole: Blob | None, lying: list[Blob], looks: Looks
) -> Still:
    """Call every disc, and say in words what stays open."""
    board = calibration.board
    if not looks.lab:
        looks = sides.learn(np.array([blob.lab for blob in lying if blob.likeness > CLEAR_DISC]))
    pieces = [
        _call(blob, view, calibration, looks)
        for blob in lying
        if _on_surface(blob, view, board) or (looks.lab and _is_spare(blob, looks))
    ]
    doubts = [_doubt(piece) for piece in pieces if piece.doubtful]
    holds = hole.Holds.FLOOR if in_hole is None else hole.read(in_hole, looks, view, calibration)
    if in_hole is not None and holds is hole.Holds.DISC:
        sunk = _call(in_hole, view, calibration, looks)
        pieces.append(replace(sunk, call=Call(board.hole.place, 0.0, board.zones[0].place), doubtful=True))
        doubts.append("The hole shows a side's colour: a 20, unless its floor is painted so.")
    elif holds is hole.Holds.UNCLEAR:
        doubts.append("The hole may hold a disc: a picture cannot tell it from the floor. No 20 is counted.")
    seen = tuple(SideLook(side, sides.name(look), sides.to_bgr(look)) for side, look in enumerate(looks.lab))
    return Still(calibration, tuple(pieces), seen, tuple(doubts))


def _is_spare(blob: Blob, looks: Looks) -> bool:
    return blob.likeness > CLEAR_DISC and looks.nearest(blob.lab)[1] < STRANGE


def _call(blob: Blob, view: Rectified, calibration: Calibration[RingBoard], looks: Looks) -> Piece:
    board = calibration.board
    seen_mm = view.to_mm(blob.centre_px[None])
    on_board_mm = calibration.on_board(seen_mm, board.piece_height_mm)
    shift_mm = float(np.linalg.norm(seen_mm - on_board_mm))
    x_mm, y_mm = (float(c) for c in on_board_mm[0])
    radius_mm = blob.radius_px / PX_PER_MM
    call = board.call((x_mm, y_mm), radius_mm)
    sigma_mm = _sigma_mm(calibration, shift_mm)
    doubtful = call.margin_mm < 2 * sigma_mm or blob.likeness < CLEAR_DISC
    middle_and_rim = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1)])
    in_picture = apply(view.to_picture, blob.centre_px + blob.radius_px * middle_and_rim)
    radius_px = float(np.mean(np.linalg.norm(in_picture[1:] - in_picture[0], axis=1)))
    centre_px = (float(in_picture[0, 0]), float(in_picture[0, 1]))
    side = looks.nearest(blob.lab)[0]
    return Piece(side, centre_px, radius_px, (x_mm, y_mm), call, sigma_mm, blob.rim, doubtful)


def _sigma_mm(calibration: Calibration[RingBoard], shift_mm: float) -> float:
    """Return how well a rim is known: by px, the disc's radius, the lines' residual, and the parallax taken off."""
    pixel_mm = 0.35 / min(PX_PER_MM, calibration.px_per_mm())
    return float(np.sqrt(pixel_mm**2 + RADIUS_SIGMA_MM**2 + calibration.rms_mm**2 + (shift_mm / 3) ** 2))


def _doubt(piece: Piece) -> str:
    call = piece.call
    if call.margin_mm < 2 * piece.sigma_mm:
        return f"A disc is {call.margin_mm:.1f} mm from counting {call.otherwise} instead of {call.place}."
    return f"A disc called {call.place} shows only in part, or stands out little from the board."
