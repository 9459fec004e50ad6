"""Follow a round: number the discs in the order shot, and say what each shot did."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from calibration.calibration import Floats
from scoring.board import DITCH, OFF, Place
from scoring.events import Moved
from vision import sides
from vision.shots.call import Story, tell
from vision.shots.explain import Explanation, Found, Went, explain, is_shot
from vision.shots.glimpses import lying
from vision.shots.pieces import READY, Colours, Piece
from vision.shots.reading import Reader
from vision.shots.rematch import Rematch
from vision.shots.scene import Rest
from vision.shots.tracks import follow
from vision.sightings import Sighting, TakeoutSeen

READY_MM = 28.0
# Somebody who takes so many discs off is clearing the board.
CLEARING = 2


class Play:
    """The discs of the round in progress, and what happens to them."""

    def __init__(self) -> None:
        """Begin with nothing known of the sides."""
        self._colours = Colours()
        self._first_known = False
        self._begin()

    def _begin(self) -> None:
        self._pieces: dict[int, Piece] = {}
        self._thrown = 0
        self._last_side: int | None = None
        self._taken = 0
        self._clearing = False

    @property
    def in_sight(self) -> list[Piece]:
        """Return the discs that show, one waiting on the start line too."""
        return [piece for piece in self._pieces.values() if piece.in_sight]

    def adopt(self, rest: Rest, reader: Reader) -> None:
        """Take the discs that lie there when watching begins as shot already; nobody knows in which order."""
        faces = rest.reading.faces
        looks = sides.learn(np.array([face.lab for face in faces])).lab if faces else ()
        for lab in looks:
            self._colours.learn(len(self._colours.labs), lab)
        match = Rematch(reader, rest.reading, {}, self._colours)
        for i in match.new:
            side = self._colours.side(match.face(i).lab)[0]
            blank = Piece(self._thrown, side, OFF, match.face(i).lab)
            self._pieces[self._thrown] = self._placed(blank, match.centre_px(i), match.face(i).centre_px, reader)
            self._thrown += 1

    def understand(self, rest: Rest, reader: Reader) -> list[Sighting]:
        """Return what happened since everything was last at rest."""
        match = Rematch(reader, rest.reading, self._pieces, self._colours)
        missing = [piece for n, piece in self._pieces.items() if piece.in_sight and n not in match.stay and n != READY]
        hole = reader.board.hole.place
        for piece in [piece for piece in missing if piece.place == hole]:
            self._pieces[piece.number] = piece.out_of_sight(hole)
            missing.remove(piece)
        found = [Found(reader.lies_at(match.centre_px(i)[None])[0], match.face(i).lab) for i in match.new]
        tracks = follow(rest.glimpses, lying(self.in_sight), reader.board.piece_radius_mm)
        tracks = [replace(track, piece=None) if track.piece == READY else track for track in tracks]
        story = explain(reader.board, missing, found, tracks, rest.unwatched)
        waiting = self._pieces.pop(READY, None)
        if waiting is not None and READY in match.stay:
            self._pieces[READY] = waiting
        elif self._is_laid(story, found, reader):
            went = story.new[0]
            self._pieces[READY] = self._gone(Piece(READY, 0, OFF, found[0].lab), went, match, reader)
            return []
        return self._apply(story, match, rest, reader)

    def _is_laid(self, story: Explanation, found: Sequence[Found], reader: Reader) -> bool:
        """Whether all that happened is that a disc lies on the start line that nobody saw coming: to be shot next."""
        if story.pieces or len(story.new) != 1:
            return False
        (went,) = story.new
        if went.found is None or (went.track is not None and is_shot(went.track, reader.board.edge_mm)):
            return False
        off_line_mm = float(np.hypot(*found[went.found].lies_mm)) - reader.board.zones[-1].radius_mm
        return abs(off_line_mm) < READY_MM

    def _apply(self, story: Explanation, match: Rematch, rest: Rest, reader: Reader) -> list[Sighting]:
        shots = sorted(story.new, key=lambda went: went.track.t_ns[0] if went.track else rest.t_ns)
        changed_px: list[Floats] = [match.face(i).centre_px for i in match.new]
        changed_px += [seen for n in story.pieces if (seen := self._pieces[n].seen_px) is not None]
        nudged = match.nudged(rest.before, changed_px, story.tracks()) if shots else {}
        nudged.pop(READY, None)
        turns = {n: self._turn(n, story.pieces.get(n), shots) for n in (*story.pieces, *nudged)}
        said: list[Sighting] = []
        for turn, shot in enumerate(shots or [None]):
            before = dict(self._pieces)
            touched = {number for number, at in turns.items() if at == turn}
            for number in touched:
                piece = before[number]
                if number in story.pieces:
                    self._pieces[number] = self._gone(piece, story.pieces[number], match, reader)
                elif piece.seen_px is not None and piece.face_px is not None:
                    seen_px, face_px = piece.seen_px + nudged[number], piece.face_px + nudged[number]
                    self._pieces[number] = self._placed(piece, seen_px, face_px, reader)
            if shot is None:
                return self._cleared(story, rest.t_ns)
            in_play = {
                number
                for number in touched
                if before[number].place not in (DITCH, OFF) and (number in nudged or _was_moved(story, number, rest))
            }
            said.append(self._shot(shot, in_play, before, story, match, rest, reader))
        self._taken, self._clearing = 0, False
        return said

    def _turn(self, number: int, went: Went | None, shots: Sequence[Went]) -> int:
        """Return which of several shots moved a disc: the last that began before it did, or came nearest to it."""
        if len(shots) < 2:
            return 0
        if went is not None and went.track is not None:
            began_ns = went.track.t_ns[0]
            return max(sum(shot.track is None or shot.track.t_ns[0] <= began_ns for shot in shots) - 1, 0)
        lay_mm = self._pieces[number].lies_mm
        if lay_mm is None:
            return 0
        passed = [np.inf if shot.track is None else shot.track.passes_mm(lay_mm) for shot in shots]
        return int(np.argmin(passed))

    def _shot(
        self,
        went: Went,
        touched: Collection[int],
        before: dict[int, Piece],
        story: Explanation,
        match: Rematch,
        rest: Rest,
        reader: Reader,
    ) -> Sighting:
        number, self._thrown = self._thrown, self._thrown + 1
        face = match.face(match.new[went.found]) if went.found is not None else None
        lab = face.lab if face is not None else went.track.lab if went.track is not None else None
        side = self._whose(lab)
        piece = self._gone(Piece(number, side, OFF, np.zeros(3) if lab is None else lab), went, match, reader)
        self._pieces[number] = piece
        if face is not None:
            self._colours.learn(side, face.lab)
        self._last_side = side
        moved = [n for n in sorted(touched) if before[n].place != self._pieces[n].place]
        known = [piece for n, piece in sorted(self._pieces.items()) if n != READY]
        return tell(
            Story(
                piece=piece,
                went=went,
                known=tuple(known),
                touched=tuple(sorted(touched)),
                moved=tuple(Moved(n, before[n].place, self._pieces[n].place) for n in moved),
                sure=story.sure,
                grazed=tuple(match.unsure),
            ),
            rest,
            reader.board,
        )

    def _whose(self, lab: Floats | None) -> int:
        """Return the side of a disc just shot; the first one shot makes its side the first."""
        if lab is None:
            return 0 if self._last_side is None else 1 - self._last_side
        side = self._colours.side(lab)[0]
        if not self._first_known and side == 1:
            self._colours.labs.reverse()
            self._pieces = {n: replace(piece, side=1 - piece.side) for n, piece in self._pieces.items()}
            side = 0
        self._first_known = True
        return side

    def _cleared(self, story: Explanation, t_ns: int) -> list[Sighting]:
        """Nobody shot; where a hand took discs off, the board may be being cleared."""
        self._taken += sum(went.gone == "off" for went in story.pieces.values())
        said: list[Sighting] = []
        if self._taken >= CLEARING and not self._clearing:
            self._clearing = True
            said.append(TakeoutSeen(t_ns, "started"))
        if self._clearing and not self.in_sight:
            said.append(TakeoutSeen(t_ns, "ended"))
            self._begin()
        return said

    def _gone(self, piece: Piece, went: Went, match: Rematch, reader: Reader) -> Piece:
        if went.found is not None:
            index = match.new[went.found]
            seen = replace(piece, lab=match.face(index).lab)
            return self._placed(seen, match.centre_px(index), match.face(index).centre_px, reader)
        if went.gone == "stays":
            return piece
        gone: dict[str, Place] = {"hole": reader.board.hole.place, "ditch": DITCH, "off": OFF}
        return piece.out_of_sight(DITCH if piece.place == DITCH else gone[went.gone])

    def _placed(self, piece: Piece, seen_px: Floats, face_px: Floats, reader: Reader) -> Piece:
        lies_mm, call = reader.call(seen_px)
        return replace(
            piece,
            place=call.place,
            lies_mm=lies_mm,
            seen_px=seen_px,
            face_px=face_px,
            margin_mm=call.margin_mm,
            otherwise=call.otherwise,
            sigma_mm=reader.sigma_mm(seen_px),
        )


def _was_moved(story: Explanation, number: int, rest: Rest) -> bool:
    """Whether a disc is known to have moved, and was not only overlooked or measured anew."""
    went = story.pieces[number]
    return went.gone != "stays" and (went.track is not None or rest.unwatched)
