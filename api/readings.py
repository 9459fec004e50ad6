"""A photograph as read, and as people corrected it before the round is counted."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

import cv2
import numpy as np

from api.errors import BadRequest, NotKept
from api.photo_games import PhotoGame
from calibration.calibration import Bgr, PointPx
from scoring.board import Place
from vision.sources.pictures import Picture
from vision.still import Piece, Still

PHONE_SIDE_PX = 1600
_JPEG_QUALITY = 85


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """One piece of a reading, under a number that stays its own while others are added and removed."""

    id: int
    piece: Piece
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What lies on the board by one photograph; every correction gives a new reading with a higher ``version``.

    ``set_aside`` are the discs each side dropped in the hole during the round: they were taken off the board and
    count at its end. ``jpeg`` is the photograph at a phone's size.
    """

    id: str
    game: PhotoGame
    picture: Picture
    still: Still
    jpeg: bytes
    pieces: tuple[ReadPiece, ...]
    set_aside: tuple[int, int] = (0, 0)
    version: int = 0

    @classmethod
    def of(cls, reading_id: str, game: PhotoGame, picture: Picture, still: Still) -> Reading:
        """Begin a reading with what the camera saw."""
        pieces = tuple(ReadPiece(number, piece) for number, piece in zip(count(), still.pieces, strict=False))
        return cls(reading_id, game, picture, still, phone_jpeg(picture.bgr), pieces)

    def as_still(self) -> Still:
        """Return the still with every correction in it."""
        return replace(self.still, pieces=tuple(kept.piece for kept in self.pieces))

    def counted_pieces(self) -> tuple[tuple[int, Place], ...]:
        """Return whose piece lies where, the discs set aside among them."""
        hole = self.still.calibration.board.hole.place
        on_board = tuple((kept.piece.side, kept.piece.call.place) for kept in self.pieces)
        return on_board + tuple((side, hole) for side in (0, 1) for _ in range(self.set_aside[side]))

    def placed(self, piece_id: int, place: Place) -> Reading:
        """Say where a piece counts."""
        if str(place) not in self.game.places:
            raise BadRequest(f"A disc cannot be in {str(place)!r}; the places are {', '.join(self.game.places)}.")
        piece = self._find(piece_id).piece
        return self._with(piece_id, replace(piece, call=replace(piece.call, place=place), doubtful=False))

    def given(self, piece_id: int, side: int) -> Reading:
        """Say whose a piece is."""
        return self._with(piece_id, replace(self._find(piece_id).piece, side=side, doubtful=False))

    def without(self, piece_id: int) -> Reading:
        """Take away a piece that is not there."""
        self._find(piece_id)
        return self._next(pieces=tuple(kept for kept in self.pieces if kept.id != piece_id))

    def added(self, side: int, centre_px: PointPx) -> Reading:
        """Add a piece that was missed, its middle at ``centre_px`` of the photograph as taken."""
        x_px, y_px = centre_px
        if not (0 <= x_px <= self.picture.width_px and 0 <= y_px <= self.picture.height_px):
            raise BadRequest("That point is outside the picture.")
        calibration = self.still.calibration
        at_px = self.picture.from_original(np.array([centre_px]))
        x_mm, y_mm = (float(v) for v in calibration.to_mm(at_px)[0])
        board = calibration.board
        piece = Piece(
            side=side,
            centre_px=(float(at_px[0, 0]), float(at_px[0, 1])),
            radius_px=board.piece_radius_mm * calibration.px_per_mm((x_mm, y_mm)),
            centre_mm=(x_mm, y_mm),
            call=board.call((x_mm, y_mm)),
            sigma_mm=board.piece_radius_mm / 4,
            visible=1.0,
            doubtful=False,
        )
        piece_id = max((kept.id for kept in self.pieces), default=len(self.still.pieces)) + 1
        return self._next(pieces=(*self.pieces, ReadPiece(piece_id, piece, by_hand=True)))

    def with_set_aside(self, side: int, discs: int) -> Reading:
        """Say how many discs a side dropped in the hole during the round."""
        set_aside = (discs, self.set_aside[1]) if side == 0 else (self.set_aside[0], discs)
        return self._next(set_aside=set_aside)

    def swapped(self) -> Reading:
        """Give each side the other's pieces: the camera took their colours the wrong way round."""
        looks = sorted((replace(look, side=1 - look.side) for look in self.still.sides), key=lambda look: look.side)
        still = replace(self.still, sides=tuple(looks))
        pieces = tuple(replace(kept, piece=replace(kept.piece, side=1 - kept.piece.side)) for kept in self.pieces)
        return self._next(still=still, pieces=pieces, set_aside=(self.set_aside[1], self.set_aside[0]))

    def _find(self, piece_id: int) -> ReadPiece:
        for kept in self.pieces:
            if kept.id == piece_id:
                return kept
        raise NotKept("That disc is no longer there; another phone may have removed it.")

    def _with(self, piece_id: int, piece: Piece) -> Reading:
        corrected = ReadPiece(piece_id, piece, by_hand=True)
        return self._next(pieces=tuple(corrected if kept.id == piece_id else kept for kept in self.pieces))

    def _next(
        self,
        still: Still | None = None,
        pieces: tuple[ReadPiece, ...] | None = None,
        set_aside: tuple[int, int] | None = None,
    ) -> Reading:
        return replace(
            self,
            still=self.still if still is None else still,
            pieces=self.pieces if pieces is None else pieces,
            set_aside=self.set_aside if set_aside is None else set_aside,
            version=self.version + 1,
        )


def phone_jpeg(bgr: Bgr) -> bytes:
    """Encode a picture as JPEG, small enough for a phone to load at once."""
    shrink = PHONE_SIDE_PX / max(bgr.shape)
    small = cv2.resize(bgr, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA) if shrink < 1 else bgr
    _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    return data.tobytes()
