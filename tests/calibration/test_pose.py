"""Where the camera stands is read off the foreshortening, and taken from habit where that says nothing."""

from __future__ import annotations

import numpy as np
import pytest
from paint import Camera

from calibration.pose import camera_place


@pytest.mark.parametrize("tilt_deg", [20, 30, 40])
def test_a_tilted_board_gives_the_camera_away(tilt_deg: float) -> None:
    camera = Camera(tilt_deg=tilt_deg, roll_deg=25)
    assert camera_place(camera.homography(), 1000, 800) == pytest.approx(tuple(camera.place_mm()), rel=0.05, abs=15)


def test_straight_from_above_a_usual_lens_is_assumed() -> None:
    camera = Camera(focal_px=1000)
    assert camera_place(camera.homography(), 1000, 800) == pytest.approx((0, 0, 1000), abs=1)


def test_a_cropped_picture_cannot_put_the_camera_far_off() -> None:
    camera = Camera(focal_px=1400)
    x, y, z = camera_place(camera.homography(), 1000, 800)
    assert np.hypot(x, y) < 10
    assert 0.6 < z / 1000 < 1.4
