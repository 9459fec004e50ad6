"""Whose piece is whose: the two sides' looks are learned from the picture, never configured."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.calibration import Floats

# How different two looks must be to be two sides, counting L*a*b* with L at a third: one side's discs vary with grain
# and lamp, mostly in lightness. On 280 groups of one side's discs and 180 pairs of sides (rendered, and photographs
# re-lit), this splits 1 in 100 groups and no pair wrongly.
LEAST_DIFFERENCE = 22.0
LIGHTNESS = np.array([0.65, 1.0, 1.0])

# Swatches as cameras show them in rooms, not as paint charts do. Wood has many.
SWATCHES_BGR = (
    ("black", (35, 35, 35)),
    ("black", (60, 65, 75)),
    ("grey", (125, 125, 125)),
    ("white", (235, 235, 235)),
    ("white", (185, 200, 210)),
    ("red", (45, 40, 175)),
    ("red", (80, 80, 185)),
    ("orange", (20, 110, 240)),
    ("yellow", (50, 205, 235)),
    ("green", (60, 130, 50)),
    ("blue", (165, 90, 40)),
    ("purple", (120, 50, 110)),
    ("brown", (35, 60, 100)),
    ("natural", (130, 180, 215)),
    ("natural", (80, 140, 195)),
    ("natural", (60, 115, 160)),
)


@dataclass(frozen=True, slots=True)
class Looks:
    """What the one or two sides' pieces look like: a colour each (L halved), darker first."""

    lab: tuple[Floats, ...]

    def nearest(self, lab: Floats) -> tuple[int, float]:
        """Return the side whose look ``lab`` is nearest to, and how far from it."""
        distances = [float(np.linalg.norm((lab - look) * LIGHTNESS)) for look in self.lab]
        side = int(np.argmin(distances))
        return side, distances[side]


def learn(labs: Floats) -> Looks:
    """Split colours (N×3) into the two sides' looks, or one where they do not fall apart."""
    if not len(labs):
        return Looks(())
    labs = labs * LIGHTNESS
    spread = np.linalg.norm(labs[:, None] - labs[None], axis=2)
    one, other = np.unravel_index(int(spread.argmax()), spread.shape)
    looks = labs[[one, other]]
    belongs = np.zeros(len(labs), dtype=np.int64)
    for _ in range(10):
        belongs = np.linalg.norm(labs[:, None] - looks[None], axis=2).argmin(1)
        if belongs.min() == belongs.max():
            break
        looks = np.array([np.median(labs[belongs == side], 0) for side in (0, 1)])
    apart = float(np.linalg.norm(looks[0] - looks[1]))
    within = float(np.mean(np.linalg.norm(labs - looks[belongs], axis=1)))
    if apart < max(LEAST_DIFFERENCE, 2.5 * within):
        return Looks((np.median(labs, 0) / LIGHTNESS,))
    return Looks(tuple(look / LIGHTNESS for look in sorted(looks, key=lambda look: float(look[0]))))


def to_bgr(lab: Floats) -> tuple[int, int, int]:
    """Turn a look back into a colour for screens."""
    whole = np.clip(np.asarray(lab) * [2, 1, 1], 0, 255).astype(np.uint8).reshape(1, 1, 3)
    b, g, r = cv2.cvtColor(whole, cv2.COLOR_LAB2BGR)[0, 0]
    return int(b), int(g), int(r)


def name(lab: Floats) -> str:
    """Return the word for a look: what a player would call those pieces."""
    swatches = np.array([bgr for _, bgr in SWATCHES_BGR], dtype=np.uint8).reshape(1, -1, 3)
    labs = cv2.cvtColor(swatches, cv2.COLOR_BGR2LAB)[0].astype(np.float64) * [0.5, 1, 1]
    return SWATCHES_BGR[int(np.linalg.norm(labs - lab, axis=1).argmin())][0]
