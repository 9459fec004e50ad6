"""Paint crokinole in motion: a board under a camera, discs that move by a plan, hands, lamps and knocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import paint
from cv2.typing import MatLike
from numpy.typing import NDArray

from scoring.games.crokinole import BOARD
from vision.frames import Frame

BLACK, CREAM = (40, 38, 36), (190, 222, 238)
SKIN = (120, 150, 205)
FPS = 30
CAMERA = paint.Camera(tilt_deg=10, focal_px=520, width_px=640, height_px=480)
GRAIN_PICTURES = 5
Place = tuple[float, float]


@dataclass(frozen=True)
class Way:
    """A disc's way: (seconds, x mm, y mm) at each turn, straight and evenly fast between; gone after ``until_s``."""

    colour: tuple[int, int, int]
    turns: Sequence[tuple[float, float, float]]
    until_s: float = np.inf

    def at(self, t_s: float) -> Place | None:
        """Where it is, None before it comes and after it has gone."""
        times, xs, ys = (np.array(part) for part in zip(*self.turns, strict=True))
        if t_s < times[0] or t_s >= self.until_s:
            return None
        return float(np.interp(t_s, times, xs)), float(np.interp(t_s, times, ys))


@dataclass(frozen=True)
class Hand:
    """A forearm that reaches in from the left to ``reach_px`` between two moments, and leaves again."""

    from_s: float
    to_s: float
    reach_px: float = 520.0
    row_px: float = 420.0


@dataclass(frozen=True)
class Film:
    """A short film of a board: ways of discs, hands, the light (a factor) and the camera's place over time."""

    ways: Sequence[Way] = ()
    hands: Sequence[Hand] = ()
    seconds: float = 3.0
    light: Callable[[float], float] = field(default=lambda _: 1.0)
    knock_px: Callable[[float], Place] = field(default=lambda _: (0.0, 0.0))
    camera: paint.Camera = CAMERA
    fps: int = FPS
    seed: int = 1

    def frames(self) -> Iterator[Frame]:
        """Yield the frames."""
        rng = np.random.default_rng(self.seed)
        empty = paint.picture(paint.Paint(), self.camera).astype(np.float32)
        grain = [rng.normal(0, 1.5, empty.shape).astype(np.float32) for _ in range(GRAIN_PICTURES)]
        for seq in range(round(self.seconds * self.fps)):
            t_s = seq / self.fps
            picture = self._discs(empty, t_s)
            self._arms(picture, t_s)
            shift = np.array([[1, 0, self.knock_px(t_s)[0]], [0, 1, self.knock_px(t_s)[1]]], np.float64)
            if shift[:, 2].any():
                size = (picture.shape[1], picture.shape[0])
                picture = np.asarray(cv2.warpAffine(picture, shift, size, borderMode=cv2.BORDER_REFLECT), np.float32)
            noisy = picture * np.float32(self.light(t_s)) + grain[seq % GRAIN_PICTURES]
            yield Frame(round(t_s * 1e9), seq, bgr=np.clip(noisy, 0, 255).astype(np.uint8))

    def _discs(self, empty: MatLike, t_s: float) -> NDArray[np.float32]:
        picture = np.array(empty, np.float32)
        for way in self.ways:
            if (at := way.at(t_s)) is not None:
                _disc(picture, at, way.colour, self.camera)
        return picture

    def _arms(self, picture: NDArray[np.float32], t_s: float) -> None:
        for hand in self.hands:
            if not hand.from_s <= t_s <= hand.to_s:
                continue
            share = min(1.0, 4 * min(t_s - hand.from_s, hand.to_s - t_s))
            tip = (round(share * hand.reach_px), round(hand.row_px))
            cv2.line(picture, (-40, round(hand.row_px)), tip, SKIN, 70, cv2.LINE_AA)
            cv2.circle(picture, tip, 48, SKIN, -1, cv2.LINE_AA)


def _disc(picture: NDArray[np.float32], at: Place, colour: tuple[int, int, int], camera: paint.Camera) -> None:
    board = BOARD
    x, y, z = camera.place_mm()
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    rim = np.stack([np.cos(turn), np.sin(turn)], 1) * board.piece_radius_mm
    for step in np.linspace(0, 1, 7):
        height_mm = step * board.piece_height_mm
        lean = height_mm / (z - height_mm)
        seen = (rim + at) * (1 + lean) - lean * np.array([x, y])
        points = np.hstack([seen, np.ones((len(seen), 1))]) @ camera.homography().T
        outline = np.rint(16 * points[:, :2] / points[:, 2:]).astype(np.int32)
        shade = [c * (1 if step == 1 else 0.5) for c in colour]
        cv2.fillPoly(picture, [outline], shade, cv2.LINE_AA, 4)


def shot(colour: tuple[int, int, int], at_s: float, start: Place, *stops: Place, pace: float = 900.0) -> Way:
    """A disc flicked from ``start`` over ``stops``, at ``pace`` mm a second."""
    turns = [(at_s, *start)]
    for stop in stops:
        t_s, x, y = turns[-1]
        turns.append((t_s + float(np.hypot(stop[0] - x, stop[1] - y)) / pace, *stop))
    return Way(colour, turns)


def then(way: Way, at_s: float, *stops: Place, pace: float = 700.0) -> Way:
    """The same disc struck at ``at_s``."""
    (_, x, y), colour = way.turns[-1], way.colour
    on = shot(colour, at_s, (x, y), *stops, pace=pace)
    return Way(colour, [*way.turns, *on.turns], way.until_s)


def lies(colour: tuple[int, int, int], at: Place, until_s: float = np.inf) -> Way:
    """A disc that lies there from the beginning."""
    return Way(colour, [(0.0, *at)], until_s)
