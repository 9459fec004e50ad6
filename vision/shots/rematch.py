"""Which disc is which after everything has come to rest, where they did not go far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from cv2.typing import MatLike

from calibration.calibration import Floats
from vision.rectify import PX_PER_MM
from vision.shots.faces import Face
from vision.shots.nudge import nudge_mm
from vision.shots.pieces import Colours, Piece
from vision.shots.reading import Reader, Reading
from vision.shots.tracks import Track

SAME_MM = 4.0
SIGMAS = 3.0
# What comes nearer to a disc than two radii and this has touched it, as far as the frames tell, if it has moved at all;
# what comes a little less near, if it has moved clearly.
CLOSE_MM, NEAR_MM = 3.0, 8.0
MOVED_MM, CLEARLY_MM = 0.25, 0.5


class Rematch:
    """The discs in a settled view, held against those that lay there before."""

    def __init__(self, reader: Reader, reading: Reading, pieces: Mapping[int, Piece], colours: Colours) -> None:
        """Find out which discs ``stay`` (number to index in the reading's faces) and which faces are ``new``.

        ``unsure`` are those that may have been touched: they moved by next to nothing, if at all.
        """
        self._reader, self._reading, self._pieces = reader, reading, pieces
        self._colours = colours
        self._centred: dict[int, Floats] = {}
        self.stay: dict[int, int] = {}
        self.unsure: list[int] = []
        faces = reading.faces
        glanced = {number: piece.face_px for number, piece in pieces.items() if piece.face_px is not None}
        self._pair(glanced, {i: face.centre_px for i, face in enumerate(faces)})
        measured = {number: piece.seen_px for number, piece in pieces.items() if piece.seen_px is not None}
        self._pair(measured, {i: self.centre_px(i) for i in range(len(faces)) if i not in self.stay.values()})
        self.new = [i for i in range(len(faces)) if i not in self.stay.values()]

    def centre_px(self, index: int) -> Floats:
        """Return where a face of the reading really is (px of the view)."""
        if index not in self._centred:
            self._centred[index] = self._reader.centre(self._reading, self.face(index).centre_px).centre_px
        return self._centred[index]

    def face(self, index: int) -> Face:
        """Return a face of the reading."""
        return self._reading.faces[index]

    def nudged(self, before: MatLike, changed_px: Sequence[Floats], tracks: Sequence[Track]) -> dict[int, Floats]:
        """Return by how much (px) discs moved that hardly did, of those that one of ``tracks`` came near."""
        moved: dict[int, Floats] = {}
        contact_mm = 2 * self._reader.board.piece_radius_mm
        for number in self.stay:
            piece = self._pieces[number]
            if piece.seen_px is None or piece.lies_mm is None or piece.place == self._reader.board.hole.place:
                continue
            gap_mm = min((t.passes_mm(piece.lies_mm) for t in tracks if t.piece != number), default=np.inf)
            if gap_mm > contact_mm + NEAR_MM:
                continue
            shift_mm, sigma_mm = nudge_mm(before, self._reading.view, piece.seen_px, self._reader.radius_px, changed_px)
            size_mm = float(np.hypot(*shift_mm))
            least_mm = MOVED_MM if gap_mm < contact_mm + CLOSE_MM else CLEARLY_MM
            if size_mm > max(least_mm, SIGMAS * sigma_mm):
                moved[number] = shift_mm * PX_PER_MM
            if MOVED_MM < size_mm < CLEARLY_MM:
                self.unsure.append(number)
        return moved

    def _pair(self, lay: Mapping[int, Floats], now: Mapping[int, Floats]) -> None:
        pairs = [(float(np.hypot(*(at - was))), number, i) for number, was in lay.items() for i, at in now.items()]
        for away_px, number, i in sorted(pairs):
            if away_px > SAME_MM * PX_PER_MM or number in self.stay or i in self.stay.values():
                continue
            if self._colours.side(self.face(i).lab)[0] == self._colours.side(self._pieces[number].lab)[0]:
                self.stay[number] = i
