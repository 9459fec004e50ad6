"""Read the board once everything is at rest: every disc, to a fraction of a millimetre where it can be had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Bgr, Floats
from scoring.board import Call, RingBoard
from vision import discs
from vision.discs import Blob, to_lab
from vision.hole import HOLE_DEPTH_MM
from vision.rectify import PX_PER_MM
from vision.shots.empty import EmptyBoard
from vision.shots.faces import Face, FaceFinder
from vision.shots.shade import Shade
from vision.shots.topview import TopView, difference

# Radius of a disc over the start line's, as of a still.
DISC_RATIO = 0.0525
RADIUS_SIGMA_MM = 0.5
# The height of discs is known to about this part of it, and so is what it shifts.
HEIGHT_PARTS = 8
PATCH = 3.2
HAND_COVER = 0.6
# What a circle so many times a disc fits into is no disc.
WIDER = 1.4
# A disc lies in the hole if it seems to lie so near its middle: one that leans over its rim lies farther off.
IN_HOLE_MM = 4.5


@dataclass(frozen=True, slots=True)
class Reading:
    """One settled view: what lies there, and how much of the board something else hides (mm²)."""

    view: Bgr
    expected: Bgr
    faces: tuple[Face, ...]
    hand: MatLike
    hand_mm2: float


class Reader:
    """Reads settled views of one board."""

    def __init__(self, top: TopView, empty: EmptyBoard, shade: Shade | None = None) -> None:
        """Prepare to read; ``empty`` is kept fresh by whoever owns it, ``shade`` says where shadows fall, if known."""
        self._top = top
        self._empty = empty
        self.radius_px = DISC_RATIO * top.board.zones[-1].radius_mm * PX_PER_MM
        self._finder = FaceFinder(top, 1, self.radius_px)
        self._face = discs.Face.of(self.radius_px)
        self._shade = shade or Shade()

    def over(self, top: TopView) -> Reader:
        """Return a reader of the same board seen from elsewhere."""
        return Reader(top, self._empty, self._shade)

    @property
    def board(self) -> RingBoard:
        """The board as it was measured."""
        return self._top.board

    def lies_at(self, seen_px: Floats) -> Floats:
        """Return where discs lie (mm, N×2) whose faces are seen at ``seen_px``."""
        return self._top.lies_at(seen_px)

    def read(self, view: Bgr) -> Reading:
        """Return what lies on the board in a settled view."""
        expected = self._empty.expected(view)
        cover = self._finder.cover(difference(view, expected))
        hand = foreign(cover, self.radius_px)
        faces = apart_from(hand, self._finder.find(view, expected, cover))
        return Reading(view, expected, tuple(faces), hand, cv2.countNonZero(hand) / PX_PER_MM**2)

    def centre(self, reading: Reading, at_px: Floats) -> Blob:
        """Return the disc near ``at_px``, centred where its rim shows and its colour ends."""
        reach = int(np.ceil(PATCH * self.radius_px))
        x0, y0 = (int(np.clip(round(float(c)) - reach, 0, self._top.side_px - 2 * reach - 1)) for c in at_px)
        window = np.s_[y0 : y0 + 2 * reach + 1, x0 : x0 + 2 * reach + 1]
        patch = np.ascontiguousarray(reading.view[window])
        bare = discs.BareSurface.of(np.ascontiguousarray(reading.expected[window]))
        votes = discs.RimPoints.of(discs.gradient(patch)).vote(self.radius_px)
        seen_mm = self._top.to_mm(at_px[None])
        wall_px = PX_PER_MM * (self._top.lies_at(at_px[None]) - seen_mm)[0]
        lab = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB)
        blob = discs.measure(lab, votes, at_px - (x0, y0), self._face, bare, wall_px)
        centre_px = blob.centre_px + (x0, y0)
        if reading.hand_mm2 == 0:
            self._shade.learn(reading.view, reading.expected, centre_px, self.radius_px, wall_px)
        x, y = np.rint(centre_px).astype(np.int64)
        brighter = bool(blob.lab[0] > to_lab(reading.expected[y : y + 1, x : x + 1])[0, 0, 0])
        centre_px = centre_px - self._shade.pull_px(brighter)
        return Blob(centre_px, blob.radius_px, blob.rim, blob.filled, blob.lab, blob.contrast)

    def call(self, seen_px: Floats) -> tuple[Floats, Call]:
        """Return where a disc whose face is seen there lies (mm), and which place that is.

        A disc in the hole is sunk, so it is seen elsewhere than one on the board round it.
        """
        board, seen_mm = self._top.board, self._top.to_mm(seen_px[None])
        sunk_mm = self._top.calibration.on_board(seen_mm, board.piece_height_mm - HOLE_DEPTH_MM)[0]
        off_mm = board.hole.distance_mm((float(sunk_mm[0]), float(sunk_mm[1])))
        if off_mm < IN_HOLE_MM:
            return sunk_mm, Call(board.hole.place, IN_HOLE_MM - off_mm, board.zones[0].place)
        lies_mm = self._top.lies_at(seen_px[None])[0]
        call = board.call((float(lies_mm[0]), float(lies_mm[1])), self.radius_px / PX_PER_MM)
        if call.place == board.hole.place:
            call = Call(board.zones[0].place, off_mm - IN_HOLE_MM, board.hole.place)
        return lies_mm, call

    def sigma_mm(self, seen_px: Floats) -> float:
        """Return how well a rim seen there is known: by px, the disc's radius, the lines' residual, the parallax."""
        calibration = self._top.calibration
        shift_mm = float(np.hypot(*(self._top.lies_at(seen_px[None]) - self._top.to_mm(seen_px[None]))[0]))
        pixel_mm = 0.35 / min(PX_PER_MM, calibration.px_per_mm())
        return float(np.sqrt(pixel_mm**2 + RADIUS_SIGMA_MM**2 + calibration.rms_mm**2 + (shift_mm / HEIGHT_PARTS) ** 2))


def foreign(cover: MatLike, radius_px: float) -> MatLike:
    """Return a mask (nonzero) of what is larger than a disc and all that hangs on it: hands, sleeves, cups."""
    mask = (cover > HAND_COVER).astype(np.uint8)
    depth = cv2.distanceTransform(mask, cv2.DIST_L2, 3)
    if float(depth.max()) < WIDER * radius_px:
        return np.zeros_like(mask)
    _, labels = cv2.connectedComponents(mask, connectivity=4)
    large = np.unique(labels[depth >= WIDER * radius_px])
    return np.isin(labels, large[large > 0]).astype(np.uint8)


def apart_from(hand: MatLike, faces: Sequence[Face], shrink: int = 1) -> list[Face]:
    """Return the faces that are no part of a hand."""
    height, width = hand.shape
    at = [((f.centre_px - (shrink - 1) / 2) / shrink).round().astype(np.int64) for f in faces]
    return [
        f
        for f, (x, y) in zip(faces, at, strict=True)
        if not hand[min(max(y, 0), height - 1), min(max(x, 0), width - 1)]
    ]
