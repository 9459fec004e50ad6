"""What can be wrong with a game, its options, or an event.

ScoringError (a ValueError)
├── UnknownGame        no such game or ruleset
├── BadOption          a house rule this game does not have, or a value it cannot take
├── CannotParse        text or JSON that is no event of this game
├── AmbiguousEvent     it could be more than one event; the message names them
└── IllegalEvent       the rules do not allow it now; nothing has changed
    ├── NotInThisGame      this game has no such event
    ├── WrongTurn          another side's turn
    ├── NoThrowsLeft       this side has thrown everything it has
    ├── UnknownPiece       a piece that is not in play
    ├── UnknownPlace       a place this board does not have
    ├── UnknownEvent       a correction of an event that is not in the log
    ├── MatchOver          the match has ended; take back what ended it to play on
    └── NothingToUndo      no event stands that could be taken back
"""

from __future__ import annotations

from collections.abc import Sequence


class ScoringError(ValueError):
    """Something is wrong with a game, its options, or an event; the message says what was expected."""


class UnknownGame(ScoringError):
    """There is no such game or ruleset; the message names those there are."""


class BadOption(ScoringError):
    """A house rule that this game does not have, or a value that it cannot take."""


class CannotParse(ScoringError):
    """Text or JSON that is no event of this game; the message shows how to write one."""


class AmbiguousEvent(ScoringError):
    """What was written could mean more than one event; the message names the choices."""


class IllegalEvent(ScoringError):
    """The rules do not allow this event now. The match has not changed.

    The message has a ``{}`` for each of ``sides``. Rules know sides by number; the match sets their ``names``.
    """

    def __init__(self, message: str, *sides: int) -> None:
        """Say what was expected, and which sides it is about."""
        super().__init__(message)
        self.sides = sides
        self.names: Sequence[str] = "ABCDEFGHIJ"

    def __str__(self) -> str:
        """Return the message with the sides' names in it."""
        message = super().__str__()
        return message.format(*(self.names[side] for side in self.sides)) if self.sides else message


class NotInThisGame(IllegalEvent):
    """This game has no such event."""


class WrongTurn(IllegalEvent):
    """It is another side's turn."""


class NoThrowsLeft(IllegalEvent):
    """This side has thrown everything it has in this round."""


class UnknownPiece(IllegalEvent):
    """A piece that is not in play, or that has been thrown already."""


class UnknownPlace(IllegalEvent):
    """A place that this game's board does not have."""


class UnknownEvent(IllegalEvent):
    """A correction, insertion or retraction that names an event which is not in the log."""


class MatchOver(IllegalEvent):
    """The match has ended; only taking back or correcting an earlier event goes on from here."""


class NothingToUndo(IllegalEvent):
    """No event stands that could be taken back."""
