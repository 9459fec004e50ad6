"""Every recording of ours, through the same pipeline as live: told exactly, or otherwise in exactly the known way."""

from __future__ import annotations

from pathlib import Path

import pytest

from api.measure.recordings import Recording, bench_in, measure_one, recordings_in
from api.measure.truth import read_truth
from vision.watchers import WATCHED

FOLDER = Path(__file__).parents[2] / "fixtures" / "recordings"
RECORDINGS = recordings_in(FOLDER)
BENCH = bench_in(FOLDER)


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.name)
def test_a_recording_is_told_as_it_is(recording: Recording) -> None:
    """What is not told right yet is listed with its first difference: a change for the better is noticed too."""
    assert recording.truth is not None, f"{recording.name} has no truth"
    assert BENCH is not None
    assert measure_one(recording, read_truth(recording.truth)).first == BENCH.known.get(recording.name, "")


def test_every_game_that_is_watched_has_a_recording() -> None:
    truths = [read_truth(recording.truth) for recording in RECORDINGS if recording.truth is not None]
    assert {truth.game for truth in truths} >= set(WATCHED)


def test_what_is_known_to_be_told_wrong_is_there() -> None:
    assert BENCH is not None
    assert BENCH.known.keys() <= {recording.name for recording in RECORDINGS}
