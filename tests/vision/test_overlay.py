"""The overlay draws on a copy, near the discs, and marks doubt."""

from __future__ import annotations

import numpy as np
from paint import Camera, Paint, picture

from vision.overlay import DOUBT_BGR, draw
from vision.still import read_still


def test_every_disc_is_ringed_and_doubt_shows() -> None:
    camera = Camera(width_px=1280, height_px=720)
    seen = picture(Paint(discs=[(84.6, 0, (40, 40, 40)), (0, -150, (50, 45, 170))]), camera)
    before = seen.copy()
    still = read_still(seen)
    drawn = draw(seen, still)
    assert np.array_equal(seen, before)
    for piece in still.pieces:
        x, y = (round(c) for c in piece.centre_px)
        near = np.s_[y - 40 : y + 40, x - 40 : x + 40]
        assert (drawn[near] != seen[near]).any()
        marked = (drawn[near] == DOUBT_BGR).all(-1).any()
        assert marked == piece.doubtful
