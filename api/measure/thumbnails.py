"""A small picture of each difference: what the camera showed when something was said that was not so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2

from api.measure.compare import Difference
from api.measure.truth import Truth
from calibration.calibration import PointPx
from vision.frames import Frame
from vision.sources import open_source

WIDTH_PX = 360
LATER_S = 0.3
MOST = 12
_QUALITY = 70
_MARK = (40, 60, 235)


@dataclass(frozen=True, slots=True)
class Thumbnail:
    """The picture at one moment, as JPEG, and what is different there."""

    t_s: float
    text: str
    jpeg: bytes


def thumbnails(footage: Path, truth: Truth, differences: Sequence[Difference]) -> tuple[Thumbnail, ...]:
    """Return pictures of the first ``MOST`` differences, one a moment, with the piece in question marked."""
    wanted: dict[float, list[Difference]] = {}
    for difference in differences:
        wanted.setdefault(difference.t_s + LATER_S, []).append(difference)
    moments = sorted(wanted)[:MOST]
    shown: list[Thumbnail] = []
    frame: Frame | None = None
    with open_source(str(footage)) as source:
        first_ns, index = 0, -1
        for index, frame in enumerate(source):
            first_ns = first_ns or frame.t_ns
            while moments and (frame.t_ns - first_ns) / 1e9 >= moments[0]:
                shown.append(_thumbnail(frame, index, truth, wanted[moments.pop(0)]))
            if not moments:
                break
    if frame is not None:
        shown += [_thumbnail(frame, index, truth, wanted[t_s]) for t_s in moments]
    return tuple(shown)


def _thumbnail(frame: Frame, index: int, truth: Truth, differences: Sequence[Difference]) -> Thumbnail:
    picture = frame.bgr.copy()
    for difference in differences:
        point_px = _where(difference, index, truth)
        if point_px is not None:
            x, y = point_px
            cv2.circle(picture, (round(x), round(y)), picture.shape[1] // 28, _MARK, 2, cv2.LINE_AA)
    height = round(picture.shape[0] * WIDTH_PX / picture.shape[1])
    small = cv2.resize(picture, (WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    text = "; ".join(dict.fromkeys(difference.text for difference in differences))
    return Thumbnail(differences[0].t_s, text, data.tobytes())


def _where(difference: Difference, index: int, truth: Truth) -> PointPx | None:
    """Return where the piece of a difference shows in a frame. Truth counts pieces through the clip or the round."""
    if difference.throw is None or not 0 <= index < len(truth.pieces_px):
        return None
    pieces_px = truth.pieces_px[index]
    through = len(pieces_px) == len(truth.throws)
    piece = difference.throw if through else truth.throws[difference.throw].piece
    return pieces_px[piece] if piece < len(pieces_px) else None
