"""Run footage through the same pipeline as live: frames, a watcher, a match."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.live.happenings import Happening
from api.live.match import LiveMatch
from calibration.boardfile import load
from scoring.board import Board, RingBoard
from scoring.events import ThrowMade
from scoring.match import Match
from vision.errors import NotWatched
from vision.frames import Frame
from vision.sightings import Sighting, Watcher
from vision.sources import open_source
from vision.sources.source import Source
from vision.watchers import watcher


@dataclass(frozen=True, slots=True)
class Replay:
    """Footage that has been opened, and who follows it."""

    source: Source
    watcher: Watcher
    live: LiveMatch

    def happenings(self, frames: Iterable[Frame] | None = None) -> Iterator[tuple[float, Happening]]:
        """Yield what happens as soon as it is certain, with its time in seconds from the first frame.

        ``frames`` are those of the source unless somebody holds them back on the way. Raises ``BadSource``.
        """
        return follow(self.source if frames is None else frames, self.watcher, self.live)


@contextmanager
def opened(
    text: str,
    game: str = "",
    ruleset: str | None = None,
    options: Mapping[str, Any] | None = None,
    board_file: Path | None = None,
) -> Iterator[Replay]:
    """Open the footage named ``text``; its ``recording.toml`` says what is played where ``game`` is empty.

    Raises ``BadSource``, ``NotWatched``, ``ScoringError``, ``BadBoardFile`` or ``GameNotNamed``.
    """
    with open_source(text) as source:
        about = source.settings
        game = game or (about.game if about else "")
        if not game:
            raise GameNotNamed(f"{text} does not say what is played; name it with --game, such as --game holeyboard.")
        if not ruleset and about and about.game == game:
            ruleset = about.ruleset
        match = Match.start(game, ruleset or None, options)
        path = board_file or source.board_path
        watch = watcher(game)
        board = match.rules.played_on
        if board is not None:
            _check(match, board)
            if path is not None:
                watch = watcher(game, load(path, board))
        yield Replay(source, watch, LiveMatch(match))


def _check(match: Match, board: Board) -> None:
    """Refuse rules that are played on another board than the one the camera looks for."""
    circles = board.zones if isinstance(board, RingBoard) else board.holes
    worth = [match.rules.count((ThrowMade(0, 0, circle.place),))[0][0] for circle in circles]
    if not any(worth):
        raise NotWatched(
            f"By the rules {match.ruleset} {match.rules.game} is played on another board than the camera looks for."
        )


class GameNotNamed(ValueError):
    """Neither the recording nor anybody said what is played."""


def follow(frames: Iterable[Frame], watcher: Watcher, live: LiveMatch) -> Iterator[tuple[float, Happening]]:
    """Yield what happens in ``frames``, and at their end what can still be said; see ``Replay.happenings``."""
    first_ns = t_ns = None
    for frame in frames:
        t_ns = frame.t_ns
        first_ns = t_ns if first_ns is None else first_ns
        yield from _told(watcher.see(frame), live, first_ns)
    if first_ns is None or t_ns is None:
        return
    yield from _told(watcher.end(), live, first_ns)
    for happening in live.end(t_ns):
        yield (happening.t_ns - first_ns) / 1e9, happening


def _told(sightings: Iterable[Sighting], live: LiveMatch, first_ns: int) -> Iterator[tuple[float, Happening]]:
    for sighting in sightings:
        for happening in live.take(sighting):
            yield (happening.t_ns - first_ns) / 1e9, happening
