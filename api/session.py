"""One board and what is played on it: the readings, the match they count in, and the demo until somebody plays."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from anyio import to_thread

from api.errors import BadRequest, NotKept, OutOfTurn
from api.feed import Feed
from api.journal import Entry, MatchBegun, RoundTaken, RoundTakenBack, fold, standing_rounds
from api.photo_games import PhotoGame
from api.readings import Reading
from api.sides import are_swapped
from api.store import MatchStore
from calibration.calibration import Bgr
from scoring.errors import IllegalEvent, ScoringError
from scoring.match import Match
from vision.sources.pictures import decode_picture
from vision.still import SideLook, Still

Reader = Callable[[Bgr], Still]

_READINGS_KEPT = 4


class Session:
    """All that one board's service knows. Lives on the event loop; pictures are read in a thread, one at a time.

    While ``demo`` is true the match is a show and is written nowhere; the first thing a person does begins a real one.
    """

    def __init__(self, game: PhotoGame, store: MatchStore, reader: Reader) -> None:
        """Take up the newest match in ``store``; where none of this game is there, begin as a demo."""
        self.game = game
        self.feed = Feed()
        self.being_read = 0
        self._store = store
        self._reader = reader
        self._readings: dict[str, Reading] = {}
        self._current: str | None = None
        self._one_picture = asyncio.Lock()
        self._one_change = asyncio.Lock()
        self._entries: list[Entry] = store.newest_match()
        begun = self._entries[0] if self._entries else None
        self.demo = not isinstance(begun, MatchBegun) or begun.game != game.name
        if self.demo:
            self._entries = [MatchBegun(game.name)]
        self._match = fold(self._entries)

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._match

    @property
    def names(self) -> tuple[str | None, str | None]:
        """What the sides are called; None for one that goes by its colour."""
        begun = self._entries[0]
        assert isinstance(begun, MatchBegun)
        return begun.names

    @property
    def rounds(self) -> list[RoundTaken]:
        """The rounds that count, oldest first."""
        return standing_rounds(self._entries)

    @property
    def current(self) -> Reading | None:
        """The reading that every page shows."""
        return None if self._current is None else self._readings[self._current]

    @property
    def looks(self) -> tuple[SideLook | None, SideLook | None]:
        """What each side looked like when it was last seen, None for a side not seen in this match."""
        seen: list[SideLook | None] = [None, None]
        newest = () if self.current is None else self.current.still.sides
        for look in (*newest, *(look for taken in reversed(self.rounds) for look in taken.looks)):
            seen[look.side] = seen[look.side] or look
        return seen[0], seen[1]

    def reading(self, reading_id: str) -> Reading:
        """Return a reading that is still kept."""
        try:
            return self._readings[reading_id]
        except KeyError:
            raise NotKept("That picture is no longer kept; take a new one.") from None

    def is_counted(self, reading: Reading) -> bool:
        """Say whether a reading has been counted as a round of this match."""
        return any(taken.reading_id == reading.id for taken in self.rounds)

    def with_round(self, reading: Reading) -> Match:
        """Return the match as it would stand with this reading counted. Raises ``IllegalEvent`` where it cannot be."""
        return fold([*self._entries, _round(reading)])

    async def read(self, data: bytes, name: str, by_person: bool = True) -> Reading:
        """Read one picture and show it. Raises ``BadPicture`` or ``BoardNotFound``, and then nothing has changed."""
        self.being_read += 1
        self.feed.changed()
        try:
            async with self._one_picture:
                reading = await to_thread.run_sync(self._see, data, name)
        finally:
            self.being_read -= 1
            self.feed.changed()
        async with self._one_change:
            if by_person:
                await self._take_over(keep_reading=False)
            elif not self.demo:
                return reading
            return self._show(reading)

    async def correct(self, reading_id: str, change: Callable[[Reading], Reading]) -> Reading:
        """Apply a person's correction to a reading that is not counted yet."""
        async with self._one_change:
            await self._take_over()
            reading = self.reading(reading_id)
            if self.is_counted(reading):
                raise OutOfTurn("This round is counted already; undo it first, then correct it.")
            corrected = change(reading)
            self._readings[reading_id] = corrected
            self.feed.changed()
            return corrected

    async def count(self, reading_id: str, request: str | None = None, by_person: bool = True) -> None:
        """Count a reading as the next round; the same ``request`` twice counts once."""
        async with self._one_change:
            if by_person:
                if await self._has_done(request):
                    return
                await self._take_over()
            elif not self.demo:
                return
            reading = self.reading(reading_id)
            if self.is_counted(reading):
                raise OutOfTurn("This round is counted already; take a picture of the next one.")
            await self._write(_round(reading), request)

    async def undo(self, round_number: int | None = None, request: str | None = None) -> None:
        """Take the newest round back; where ``round_number`` is given, only if it is still the newest."""
        async with self._one_change:
            if await self._has_done(request):
                return
            if self.demo or not self.rounds:
                raise OutOfTurn("There is no round to take back.")
            if round_number is not None and round_number != len(self.rounds):
                raise OutOfTurn(f"Round {round_number} is not the newest; look at the score again.")
            undone = self.rounds[-1].reading_id
            await self._write(RoundTakenBack(), request)
            if undone in self._readings:
                self._current = undone
                self.feed.changed()

    async def begin(
        self, names: tuple[str | None, str | None], options: dict[str, Any], request: str | None = None
    ) -> None:
        """Begin a new match."""
        async with self._one_change:
            if not await self._has_done(request):
                await self._begin(MatchBegun(self.game.name, names, options), request)

    async def begin_demo(self) -> None:
        """Begin the demo anew."""
        async with self._one_change:
            if self.demo:
                self._entries = [MatchBegun(self.game.name)]
                self._match = fold(self._entries)
                self._readings.clear()
                self._current = None
                self.feed.changed()

    def _see(self, data: bytes, name: str) -> Reading:
        picture = decode_picture(data, name)
        return Reading.of(secrets.token_hex(6), self.game, picture, self._reader(picture.bgr))

    def _show(self, reading: Reading) -> Reading:
        if are_swapped(reading.still.sides, self.looks):
            reading = reading.swapped()
        self._readings[reading.id] = reading
        for old in list(self._readings)[:-_READINGS_KEPT]:
            del self._readings[old]
        self._current = reading.id
        self.feed.changed()
        return reading

    async def _take_over(self, keep_reading: bool = True) -> None:
        """End the demo, if it runs: what follows is a real match."""
        if self.demo:
            current = self.current
            await self._begin(MatchBegun(self.game.name), None)
            if keep_reading and current is not None:
                self._show(current)

    async def _begin(self, begun: MatchBegun, request: str | None) -> None:
        try:
            match = fold([begun])
        except ScoringError as error:
            raise BadRequest(str(error)) from error
        await to_thread.run_sync(self._store.append, begun, request)
        self.demo = False
        self._entries, self._match = [begun], match
        self._readings.clear()
        self._current = None
        self.feed.changed()

    async def _write(self, entry: Entry, request: str | None) -> None:
        """Fold an entry in, on the disk first: nobody sees a score that a power cut could take back."""
        entries: Sequence[Entry] = [*self._entries, entry]
        try:
            match = fold(entries)
        except IllegalEvent as error:
            raise OutOfTurn(str(error)) from error
        if not self.demo:
            await to_thread.run_sync(self._store.append, entry, request)
        self._entries, self._match = list(entries), match
        self.feed.changed()

    async def _has_done(self, request: str | None) -> bool:
        return request is not None and await to_thread.run_sync(self._store.has_done, request)


def _round(reading: Reading) -> RoundTaken:
    return RoundTaken(reading.id, reading.counted_pieces(), reading.still.sides)
