"""Paint washer boards as a pinhole camera would see them: a plank over its ground, exact, and made in milliseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from paint import Camera

from calibration.calibration import Calibration, apply, corners_px, turned, unapply
from scoring.board import HoleBoard, PointMm
from scoring.games.holeyboard import THREE_HOLE

Colour = tuple[int, int, int]
Pixels = NDArray[np.uint8]
FINER = 2
REACH_MM = 1500.0
FLAT_PX_PER_MM = 0.5
GRAIN_MM = {"grass": (6, 4), "concrete": (3, 3), "deck": (90, 2), "carpet": (2, 2), "wood": (70, 2), "painted": (1, 1)}


@dataclass(frozen=True)
class Washer:
    """A ring lying on the plank."""

    at_mm: PointMm
    colour: Colour = (190, 190, 190)


@dataclass(frozen=True)
class Plank:
    """A plank and all that lies round it, in colours BGR; ``grain`` and ``ground_grain`` in grey levels."""

    board: HoleBoard = THREE_HOLE
    top: Colour = (110, 150, 190)
    grain: float = 12.0
    surface: str = "wood"
    side: Colour = (60, 85, 110)
    ground: str = "grass"
    ground_colour: Colour = (50, 100, 70)
    ground_grain: float = 25.0
    inside: Colour = (25, 30, 30)
    height_mm: float = 100.0
    thick_mm: float = 12.0
    rims: Colour | None = None
    border: Colour | None = None
    shadow_mm: PointMm = (60.0, 40.0)
    washers: Sequence[Washer] = ()
    blots: Sequence[tuple[PointMm, float]] = ()
    arm: tuple[PointMm, PointMm] | None = None


@dataclass(frozen=True)
class Sensor:
    """What the camera does to the picture: light (1 as it is), noise in grey levels, blur in px, JPEG quality."""

    light: float = 1.0
    noise: float = 2.0
    blur_px: float = 0.6
    quality: int = 90


@dataclass(frozen=True)
class View(Camera):
    """A camera that looks at the plank's middle, its long side along the picture's."""

    distance_mm: float = 2300.0
    focal_px: float = 1100.0
    width_px: int = 1280
    height_px: int = 720
    roll_deg: float = 90.0
    lean_deg: float = 0.0
    """Which way the camera leans, as seen on the board: 0 lengthwise."""

    def rotation(self) -> NDArray[np.float64]:
        turn, back, roll = (Camera(0.0, deg).rotation() for deg in (self.lean_deg, -self.lean_deg, self.roll_deg))
        turned_view: NDArray[np.float64] = roll @ back @ Camera(self.tilt_deg, 0.0).rotation() @ turn
        return turned_view

    def plane(self, below_mm: float) -> NDArray[np.float64]:
        """Map mm on a plane ``below_mm`` under the plank's face to px."""
        rotation = self.rotation()
        columns = np.column_stack(
            [rotation[:, 0], rotation[:, 1], rotation[:, 2] * below_mm + [0, 0, self.distance_mm]]
        )
        lens = np.diag([self.focal_px, self.focal_px, 1.0])
        lens[:2, 2] = (self.width_px - 1) / 2, (self.height_px - 1) / 2
        seen = lens @ columns
        scaled: NDArray[np.float64] = seen / seen[2, 2]
        return scaled


def picture(plank: Plank, view: View, sensor: Sensor = Sensor(), seed: int = 1) -> Pixels:
    """Return the camera's picture of the painted plank."""
    rng = np.random.default_rng(seed)
    fine = np.array([[FINER, 0, (FINER - 1) / 2], [0, FINER, (FINER - 1) / 2], [0, 0, 1.0]])
    size = view.width_px * FINER, view.height_px * FINER
    face, ground, under = fine @ view.plane(0), fine @ view.plane(plank.height_mm), fine @ view.plane(plank.thick_mm)
    out = _warped(_texture(plank.ground, plank.ground_colour, plank.ground_grain, rng), ground, size)
    outline = np.array(plank.board.corners_mm)
    shadow = _mask(apply(ground, outline + plank.shadow_mm), size)
    out = np.where(shadow[..., None] > 0, (out * 0.45).astype(np.uint8), out)
    for k in range(4):
        edge = outline[[k, (k + 1) % 4]]
        wall = np.concatenate([apply(face, edge), apply(ground, edge[::-1])])
        cv2.fillPoly(out, [_fixed(wall)], plank.side, cv2.LINE_AA, 4)
    top = _texture(plank.surface, plank.top, plank.grain, rng)
    for at_mm, radius_mm in plank.blots:
        _disc(top, at_mm, radius_mm, plank.inside)
    if plank.border:
        _border(top, plank.board, plank.border)
    for hole in plank.board.holes:
        if plank.rims:
            _disc(top, hole.centre_mm, hole.radius_mm + 7, plank.rims)
    on_face = _mask(apply(face, outline), size)
    out = np.where(on_face[..., None] > 0, _warped(top, face, size), out)
    for hole in plank.board.holes:
        turn = np.linspace(0, 2 * np.pi, 73)[:-1]
        ring = np.array(hole.centre_mm) + hole.radius_mm * np.stack([np.cos(turn), np.sin(turn)], 1)
        rim, bottom = _mask(apply(face, ring), size), _mask(apply(under, ring), size)
        out[(rim > 0) & (bottom == 0)] = plank.side
        out[(rim > 0) & (bottom > 0)] = plank.inside
    for washer in plank.washers:
        _lay(out, washer, plank.board, face)
    if plank.arm:
        (x1, y1), (x2, y2) = apply(face, np.array(plank.arm)).astype(int).tolist()
        cv2.line(out, (x1, y1), (x2, y2), (110, 140, 200), int(70 * FINER), cv2.LINE_AA)
    small = cv2.resize(out, (view.width_px, view.height_px), interpolation=cv2.INTER_AREA)
    return _sensed(np.asarray(small, dtype=np.uint8), sensor, rng)


def _sensed(out: Pixels, sensor: Sensor, rng: np.random.Generator) -> Pixels:
    soft = cv2.GaussianBlur(out, (0, 0), sensor.blur_px).astype(np.float32) * sensor.light
    noisy = np.clip(soft + rng.normal(0, sensor.noise, out.shape), 0, 255).astype(np.uint8)
    read = cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, sensor.quality])[1], cv2.IMREAD_COLOR)
    assert read is not None
    return np.asarray(read, dtype=np.uint8)


def _texture(kind: str, colour: Colour, grain: float, rng: np.random.Generator) -> Pixels:
    side = round(2 * REACH_MM * FLAT_PX_PER_MM)
    long, across = (max(1, round(mm * FLAT_PX_PER_MM)) for mm in GRAIN_MM[kind])
    rough = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), across, sigmaY=long)
    bumps = rough * (grain / max(float(rough.std()), 1e-6))
    flat = np.full((side, side, 3), colour, np.float32) + bumps[..., None]
    if kind == "deck":
        boards = (np.arange(side) // round(140 * FLAT_PX_PER_MM)).astype(int)
        tint = rng.normal(0, 22, (boards.max() + 1, 3)).astype(np.float32)
        flat += tint[boards][None]
        flat[:, np.r_[True, np.diff(boards) > 0]] *= 0.3
    return np.clip(flat, 0, 255).astype(np.uint8)


def _warped(flat: Pixels, plane: NDArray[np.float64], size: tuple[int, int]) -> Pixels:
    middle = (flat.shape[0] - 1) / 2
    to_mm = np.array([[1, 0, -middle], [0, 1, -middle], [0, 0, FLAT_PX_PER_MM]]) / FLAT_PX_PER_MM
    seen = cv2.warpPerspective(flat, plane @ to_mm, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(seen, dtype=np.uint8)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points * 16).astype(np.int32)


def _mask(points: NDArray[np.float64], size: tuple[int, int]) -> Pixels:
    mask = np.zeros(size[::-1], np.uint8)
    cv2.fillPoly(mask, [_fixed(points)], 255, cv2.LINE_8, 4)
    return mask


def _disc(flat: Pixels, at_mm: PointMm, radius_mm: float, colour: Colour) -> None:
    middle = (flat.shape[0] - 1) / 2
    at = tuple(round(16 * (middle + mm * FLAT_PX_PER_MM)) for mm in at_mm)
    cv2.circle(flat, (at[0], at[1]), round(16 * radius_mm * FLAT_PX_PER_MM), colour, -1, cv2.LINE_AA, 4)


def _border(flat: Pixels, board: HoleBoard, colour: Colour) -> None:
    middle = (flat.shape[0] - 1) / 2
    inset = middle + (np.array(board.corners_mm) * (1 - 70 / board.width_mm, 1 - 70 / board.length_mm)) * FLAT_PX_PER_MM
    cv2.polylines(flat, [_fixed(inset)], True, colour, round(12 * FLAT_PX_PER_MM), cv2.LINE_AA, 4)


def _lay(out: Pixels, washer: Washer, board: HoleBoard, face: NDArray[np.float64]) -> None:
    turn = np.linspace(0, 2 * np.pi, 49)[:-1]
    ring = np.stack([np.cos(turn), np.sin(turn)], 1)
    outer, inner = (
        _fixed(apply(face, np.array(washer.at_mm) + r * ring))
        for r in (board.piece_radius_mm, board.piece_hole_radius_mm)
    )
    x, y = apply(face, np.array([washer.at_mm]))[0]
    below = out[int(np.clip(y, 0, out.shape[0] - 1)), int(np.clip(x, 0, out.shape[1] - 1))].tolist()
    cv2.fillPoly(out, [outer], washer.colour, cv2.LINE_AA, 4)
    cv2.fillPoly(out, [inner], below, cv2.LINE_AA, 4)


@dataclass(frozen=True)
class Errors:
    """How far a calibration is from the truth, in mm on the board: the worst hole's middle, the worst corner."""

    holes_mm: float
    corners_mm: float


def errors(found: Calibration[HoleBoard], plank: Plank, view: View) -> Errors:
    """Compare what was found with what was painted, either end being the near one."""
    return min((_errors(one, plank.board, view) for one in (found, turned(found))), key=lambda e: e.holes_mm)


def _errors(found: Calibration[HoleBoard], board: HoleBoard, view: View) -> Errors:
    to_px = view.plane(0)
    seen = unapply(to_px, found.to_px(np.array([hole.centre_mm for hole in found.board.holes])))
    corners = unapply(to_px, np.array(corners_px(found)))
    return Errors(
        float(np.linalg.norm(seen - [hole.centre_mm for hole in board.holes], axis=1).max()),
        float(np.linalg.norm(corners - board.corners_mm, axis=1).max()),
    )


WOODS: Sequence[Colour] = ((110, 150, 190), (140, 180, 210), (60, 90, 140), (45, 60, 90), (200, 205, 210))
PAINTS: Sequence[Colour] = ((160, 60, 30), (40, 40, 170), (40, 40, 40), (220, 220, 220), (60, 120, 40), (30, 160, 220))
GROUNDS: dict[str, Sequence[Colour]] = {
    "grass": ((50, 100, 70), (40, 80, 45), (60, 130, 100)),
    "concrete": ((150, 155, 155), (110, 112, 115)),
    "deck": ((90, 120, 150), (120, 130, 140), (60, 80, 110)),
    "carpet": ((120, 80, 50), (90, 90, 95), (60, 60, 120)),
}


@dataclass(frozen=True)
class Scene:
    """A plank somewhere, seen by some camera; all of it chosen by a seed."""

    plank: Plank = field(default_factory=Plank)
    view: View = field(default_factory=View)
    sensor: Sensor = field(default_factory=Sensor)


def chosen(seed: int, board: HoleBoard = THREE_HOLE, most_tilt_deg: float = 20.0) -> Scene:
    """Choose a scene: measures within what people build, any turn, any light, washers lying about."""
    rng = np.random.default_rng(seed)

    def one(of: Sequence[Colour]) -> Colour:
        return of[int(rng.integers(len(of)))]

    hole_mm = board.holes[0].radius_mm * rng.uniform(0.95, 1.2)
    measured = replace(
        board,
        width_mm=board.width_mm * rng.uniform(0.92, 1.15),
        length_mm=board.length_mm * rng.uniform(0.94, 1.06),
        holes=tuple(replace(hole, radius_mm=hole_mm) for hole in board.holes),
    )
    ground = str(rng.choice(list(GROUNDS)))
    painted = rng.random() < 0.4
    width, length = measured.width_mm / 2, measured.length_mm / 2
    washers = tuple(
        Washer(
            (rng.uniform(-width, width), rng.uniform(-length, length)),
            one(((190, 190, 190), (60, 60, 65), (40, 40, 180))),
        )
        for _ in range(int(rng.integers(0, 6)))
    )
    plank = Plank(
        measured,
        one(PAINTS if painted else WOODS),
        rng.uniform(2, 5) if painted else rng.uniform(6, 16),
        "painted" if painted else "wood",
        side=one(WOODS),
        ground=ground,
        ground_colour=one(GROUNDS[ground]),
        ground_grain=rng.uniform(8, 28),
        inside=(25, 30, 30) if rng.random() < 0.75 else (170, 175, 180),
        rims=one(PAINTS) if rng.random() < 0.3 else None,
        shadow_mm=(rng.uniform(-90, 90), rng.uniform(-90, 90)),
        washers=washers,
    )
    view = View(
        tilt_deg=rng.uniform(0, most_tilt_deg),
        lean_deg=rng.uniform(0, 360),
        roll_deg=90 + rng.normal(0, 20) + 180 * int(rng.integers(2)),
        distance_mm=rng.uniform(1700, 2400) * (measured.length_mm / THREE_HOLE.length_mm),
        width_px=1280,
    )
    dim = rng.random() < 0.25
    sensor = Sensor(
        light=rng.uniform(0.3, 0.5) if dim else rng.uniform(0.8, 1.1),
        noise=rng.uniform(2, 6) if dim else rng.uniform(0.5, 4),
        blur_px=rng.uniform(0.5, 1.3),
        quality=int(rng.integers(40, 95)),
    )
    return Scene(plank, view, sensor)
