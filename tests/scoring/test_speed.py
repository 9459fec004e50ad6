"""How fast a match folds, and how fast the library is there."""

from __future__ import annotations

import subprocess
import sys
import time

from scoring.board import BOARD, OFF, Place
from scoring.events import Event, ThrowMade
from scoring.match import Match

EVENTS = 100_000


def test_100_000_holeyboard_events_fold_in_a_second_of_one_core() -> None:
    events = _level_rounds(EVENTS)
    fastest_s = 10.0
    for _ in range(3):
        match = Match.start("holeyboard")
        begun_s = time.process_time()
        for event in events:
            match.record(event)
        fastest_s = min(fastest_s, time.process_time() - begun_s)
    assert match.state.round == EVENTS // 6 + 1
    assert fastest_s < 1.0


def test_import_takes_less_than_50_ms() -> None:
    code = "import time; t = time.process_time(); import scoring; print(time.process_time() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(3)]
    assert min(float(run) for run in runs) < 0.050


def test_import_brings_no_other_library() -> None:
    code = (
        "import sys; import scoring.match, scoring.games; from scoring.games import all_games, game\n"
        "for name in all_games(): game(name)\n"
        "print([name for name in ('numpy', 'cv2', 'pydantic', 'typer') if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout
    assert out.strip() == "[]"


def _level_rounds(number: int) -> list[Event]:
    """Return rounds in which all that goes in is cancelled, so that the match goes on for ever."""
    events: list[Event] = []
    first = 0
    while len(events) < number:
        places = [Place("hole", "1"), BOARD, Place("hole", "5"), Place("hole", "1"), Place("hole", "5"), OFF]
        events += [ThrowMade(first if n < 3 else 1 - first, n, place) for n, place in enumerate(places)]
        first = 1 - first
    return events[:number]
