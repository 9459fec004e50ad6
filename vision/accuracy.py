"""Hold what was read from a picture against the truth, disc by disc."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from vision.errors import VisionError
from vision.still import Piece, Still

SURFACE = ("20", "15", "10", "5")
ORDER = (*SURFACE, "ditch", "off")
# A disc is the true one when its centre lies within this share of the true radius.
NEAR = 0.8


class BadTruth(VisionError):
    """A truth file cannot be read."""

    code = "bad_truth"


@dataclass(frozen=True, slots=True)
class TrueDisc:
    """A disc as a person or a renderer knows it: where, whose, and what it counts.

    Where the picture does not settle the call (``ambiguous``), the neighbouring place is right too.
    """

    colour: str
    x_px: float
    y_px: float
    radius_px: float
    place: str
    ambiguous: bool

    def agrees(self, place: str) -> bool:
        """Whether ``place`` is right for this disc."""
        if place == self.place:
            return True
        return self.ambiguous and place in ORDER and abs(ORDER.index(place) - ORDER.index(self.place)) == 1


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Counts over one picture or many. Only discs on the playing surface count."""

    photos: int = 0
    exact: int = 0
    no_board: int = 0
    discs: int = 0
    found: int = 0
    place_right: int = 0
    side_right: int = 0
    extra: int = 0
    doubtful: int = 0
    wrong_but_doubtful: int = 0

    def __add__(self, other: Accuracy) -> Accuracy:
        """Count both together."""
        return Accuracy(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def read_truth(path: Path) -> tuple[str, tuple[TrueDisc, ...]]:
    """Read a ``*.truth.json``: the picture's file name and its discs. Raises ``BadTruth``."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return str(content["image"]), tuple(_disc(disc) for disc in content["discs"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadTruth(f"{path}: not a truth file for a picture: it needs an image and its discs.") from error


def _disc(content: dict[str, Any]) -> TrueDisc:
    x, y, radius = (float(content[key]) for key in ("x", "y", "r"))
    return TrueDisc(str(content["color"]), x, y, radius, str(content["zone"]), bool(content["ambiguous"]))


def missing_board(truth: tuple[TrueDisc, ...]) -> Accuracy:
    """Count a picture in which no board was found."""
    return Accuracy(photos=1, no_board=1, discs=sum(disc.place in SURFACE for disc in truth))


def compare(still: Still, scale: float, truth: tuple[TrueDisc, ...]) -> Accuracy:
    """Count what was found, placed and sided right in one picture that was read at ``scale``."""
    pairs, lone_pieces, lone_discs = _match(still, scale, truth)
    on = [(piece, disc) for piece, disc in pairs if disc.place in SURFACE]
    strayed = [p for p, disc in pairs if disc.place not in SURFACE and not disc.ambiguous and _place(p) in SURFACE]
    extra = len(strayed) + sum(_place(piece) in SURFACE for piece in lone_pieces)
    missed = [disc for disc in lone_discs if disc.place in SURFACE and not disc.ambiguous]
    wrong = [piece for piece, disc in on if not disc.agrees(_place(piece))]
    sided = _sides_right(on)
    exact = not (missed or extra or wrong) and sided == len(on)
    return Accuracy(
        photos=1,
        exact=int(exact),
        discs=sum(disc.place in SURFACE for disc in truth),
        found=len(on),
        place_right=len(on) - len(wrong),
        side_right=sided,
        extra=extra,
        doubtful=sum(piece.doubtful for piece, _ in on),
        wrong_but_doubtful=sum(piece.doubtful for piece in wrong),
    )


def _place(piece: Piece) -> str:
    return str(piece.call.place)


def _match(
    still: Still, scale: float, truth: tuple[TrueDisc, ...]
) -> tuple[list[tuple[Piece, TrueDisc]], list[Piece], list[TrueDisc]]:
    """Pair pieces with discs, nearest first; return the pairs and what is left over on either hand."""
    near = []
    for (i, piece), (j, disc) in itertools.product(enumerate(still.pieces), enumerate(truth)):
        x, y = ((c + 0.5) / scale - 0.5 for c in piece.centre_px)
        distance = math.dist((x, y), (disc.x_px, disc.y_px))
        if distance <= NEAR * disc.radius_px:
            near.append((distance, i, j))
    pieces, discs = dict(enumerate(still.pieces)), dict(enumerate(truth))
    pairs = [(pieces.pop(i), discs.pop(j)) for _, i, j in sorted(near) if i in pieces and j in discs]
    return pairs, list(pieces.values()), list(discs.values())


def _sides_right(on: list[tuple[Piece, TrueDisc]]) -> int:
    """Count the discs on the right side, under the naming of the sides that suits best: their order is free."""
    colours = sorted({disc.colour for _, disc in on})
    namings = (dict(zip(colours, sides, strict=True)) for sides in itertools.product((0, 1), repeat=len(colours)))
    return max(sum(naming[disc.colour] == piece.side for piece, disc in on) for naming in namings)
