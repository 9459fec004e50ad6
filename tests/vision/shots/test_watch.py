"""Painted rounds with exact truth: every shot said once and rightly, and not one shot too many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import pytest
from crokinole_play import BLACK, CREAM, Film, Hand, Way, lies, shot, then

from scoring.events import ON_LINE, TOUCHED_DITCH
from vision.shots.watch import ShotWatcher
from vision.sightings import BoardSeen, Health, Occluded, Sighting, TakeoutSeen, ThrowSeen

S = TypeVar("S", bound=Sighting)


def seen(film: Film) -> list[Sighting]:
    """All that a watcher says of a film."""
    watcher = ShotWatcher()
    said = [sighting for frame in film.frames() for sighting in watcher.see(frame)]
    return [*said, *watcher.end()]


def only(kind: type[S], said: Sequence[Sighting]) -> list[S]:
    return [sighting for sighting in said if isinstance(sighting, kind)]


def shots(film: Film) -> list[ThrowSeen]:
    return only(ThrowSeen, seen(film))


def places(throw: ThrowSeen) -> dict[int, str]:
    return {lies.piece: str(lies.place) for lies in throw.lies}


FROM_BELOW, FROM_LEFT, FROM_RIGHT = (20.0, 300.0), (-298.0, 40.0), (298.0, -30.0)


def test_a_shot_that_touches_nothing() -> None:
    (throw,) = shots(Film([shot(BLACK, 0.5, FROM_BELOW, (40.0, 140.0))], seconds=1.6))
    assert (throw.side, throw.piece, str(throw.place), throw.touched, throw.moved) == (0, 0, "10", (), ())
    (lie,) = throw.lies
    assert lie.centre_mm == pytest.approx((40, 140), abs=1.5)
    assert 0.5 <= throw.began_ns / 1e9 < 0.65 < throw.t_ns / 1e9 < 1.2


def test_a_chain_touches_all_it_moves_and_says_where_all_lie() -> None:
    first = shot(BLACK, 0.4, FROM_BELOW, (0.0, 150.0))
    second = shot(CREAM, 1.4, FROM_RIGHT, (45.0, 50.0))
    struck, also = then(first, 2.64, (0.0, 93.0)), then(second, 2.72, (140.0, 20.0))
    third = shot(BLACK, 2.5, (0.0, 302.0), (0.0, 183.0))
    throws = shots(Film([struck, also, third], seconds=3.6))
    assert [throw.side for throw in throws] == [0, 1, 0]
    assert throws[2].touched == (0, 1)
    assert places(throws[2]) == {0: "10", 1: "10", 2: "10"}
    assert [(str(m.from_), str(m.to)) for m in throws[2].moved] == [("15", "10")]


def test_a_disc_that_drops_is_a_twenty_and_one_more_in_the_same_hole_too() -> None:
    first = shot(BLACK, 0.5, FROM_BELOW, (0.0, 0.0))
    second = Way(CREAM, shot(CREAM, 1.6, FROM_LEFT, (0.0, 0.0)).turns, until_s=1.97)
    throws = shots(Film([first, second], seconds=2.8))
    assert [(t.side, str(t.place), t.touched) for t in throws] == [(0, "20", ()), (1, "20", ())]


def test_over_the_edge_is_the_ditch_whether_it_shows_there_or_not() -> None:
    shows = shot(BLACK, 0.5, FROM_BELOW, (-60.0, 0.0), (-250.0, -265.0))
    hides = Way(CREAM, shot(CREAM, 1.8, FROM_LEFT, (200.0, -290.0)).turns, until_s=2.4)
    throws = shots(Film([shows, hides], seconds=3.0))
    assert [str(throw.place) for throw in throws] == ["ditch", "ditch"]
    assert throws[1].lies[1].centre_mm is None


def test_a_disc_that_comes_back_from_the_ditch_is_told_of() -> None:
    (throw,) = shots(Film([shot(BLACK, 0.4, FROM_BELOW, (0.0, -345.0), (20.0, -240.0))], seconds=1.9))
    assert (str(throw.place), throw.flags) == ("5", (TOUCHED_DITCH,))


def test_a_disc_on_a_line_counts_less_and_says_so() -> None:
    (throw,) = shots(Film([shot(BLACK, 0.4, FROM_BELOW, (0.0, 104.0))], seconds=1.5))
    assert (str(throw.place), throw.flags) == ("10", (ON_LINE,))


def test_a_disc_nearer_to_a_line_than_can_be_measured_is_a_doubt_with_the_other_place() -> None:
    (throw,) = shots(Film([shot(BLACK, 0.4, FROM_BELOW, (0.0, 85.4))], seconds=1.5))
    assert throw.doubtful
    assert {str(throw.place), str(throw.alternatives[0].place)} == {"10", "15"}
    assert 0.05 < throw.alternatives[0].likelihood < 0.95
    assert throw.confidence < 0.95


def test_a_hand_alone_is_no_shot() -> None:
    discs = [shot(BLACK, 0.4, FROM_BELOW, (40.0, 140.0))]
    said = seen(Film(discs, [Hand(1.5, 2.6), Hand(2.9, 3.6, reach_px=300)], seconds=4.1))
    assert len(only(ThrowSeen, said)) == 1
    assert [o.phase for o in only(Occluded, said)][:2] == ["started", "ended"]


def test_what_happens_under_a_hand_is_read_when_it_has_gone() -> None:
    shown, hidden = shot(BLACK, 0.4, FROM_BELOW, (40.0, 140.0)), shot(CREAM, 1.6, FROM_RIGHT, (-20.0, -60.0))
    throws = shots(Film([shown, hidden], [Hand(1.75, 2.7)], seconds=3.2))
    assert [(t.side, str(t.place), t.touched) for t in throws] == [(0, "10", ()), (1, "15", ())]
    assert throws[1].t_ns / 1e9 > 2.7


def test_a_disc_laid_on_the_start_line_is_no_shot_until_it_is_shot() -> None:
    laid = then(lies(BLACK, FROM_BELOW), 1.6, (30.0, 120.0), pace=900)
    laid = Way(BLACK, [(0.6, *FROM_BELOW), *laid.turns[1:]])
    (throw,) = shots(Film([laid], seconds=2.8))
    assert throw.began_ns / 1e9 > 1.5
    assert str(throw.place) == "10"


def test_discs_taken_off_by_hand_are_no_shots_and_an_empty_board_begins_anew() -> None:
    first = Way(BLACK, shot(BLACK, 0.4, FROM_BELOW, (40.0, 140.0)).turns, until_s=3.0)
    second = Way(CREAM, shot(CREAM, 1.3, FROM_RIGHT, (-20.0, 150.0)).turns, until_s=3.0)
    third = shot(CREAM, 4.2, FROM_RIGHT, (90.0, 10.0))
    said = seen(Film([first, second, third], [Hand(2.5, 3.6)], seconds=5.0))
    assert [(t.side, t.piece) for t in only(ThrowSeen, said)] == [(0, 0), (1, 1), (1, 0)]
    assert [t.phase for t in only(TakeoutSeen, said)] == ["started", "ended"]


def test_one_disc_taken_off_does_not_end_the_round() -> None:
    first = Way(BLACK, shot(BLACK, 0.4, FROM_BELOW, (40.0, 140.0)).turns, until_s=2.0)
    second = shot(CREAM, 3.2, FROM_RIGHT, (70.0, 10.0))
    said = seen(Film([first, second], [Hand(1.5, 2.5)], seconds=4.2))
    assert [(t.side, t.piece) for t in only(ThrowSeen, said)] == [(0, 0), (1, 1)]
    assert places(only(ThrowSeen, said)[1]) == {0: "off", 1: "15"}
    assert only(TakeoutSeen, said) == []


def test_two_quick_shots_are_two() -> None:
    first, second = shot(BLACK, 0.5, FROM_BELOW, (40.0, 140.0)), shot(CREAM, 0.6, FROM_LEFT, (-100.0, -40.0))
    throws = shots(Film([first, second], seconds=1.8))
    assert [(t.side, t.piece, str(t.place)) for t in throws] == [(0, 0, "10"), (1, 1, "10")]


def test_a_knocked_camera_makes_no_shot_and_the_board_is_followed() -> None:
    def knock(t_s: float) -> tuple[float, float]:
        since = t_s - 1.5
        if since < 0:
            return 0.0, 0.0
        swing = 1 + 2 * float(np.exp(-6 * since) * np.cos(40 * since))
        return 3.0 * swing, -5.0 * swing

    discs = [shot(BLACK, 0.4, FROM_BELOW, (40.0, 140.0)), shot(CREAM, 3.0, FROM_RIGHT, (-20.0, -60.0))]
    said = seen(Film(discs, seconds=4.0, knock_px=knock))
    throws = only(ThrowSeen, said)
    assert [(t.side, str(t.place)) for t in throws] == [(0, "10"), (1, "15")]
    assert throws[1].lies[1].centre_mm == pytest.approx((-20, -60), abs=2.5)
    assert [seen.drift_mm > 5 for seen in only(BoardSeen, said)] == [False, True]
    assert "moved" in [health.what for health in only(Health, said)]


@pytest.mark.parametrize(
    "light",
    [
        pytest.param(lambda t: 0.6 if t > 1.6 else 1.0, id="lamp off"),
        pytest.param(lambda t: 1 + 0.2 * np.sin(2 * t), id="clouds"),
        pytest.param(lambda t: 1 + 0.06 * np.sin(2 * np.pi * 1.7 * t), id="automatic exposure"),
    ],
)
def test_light_is_no_shot_and_hides_none(light: Callable[[float], float]) -> None:
    discs = [shot(BLACK, 0.4, FROM_BELOW, (40.0, 140.0)), shot(CREAM, 2.4, FROM_RIGHT, (-20.0, -60.0))]
    throws = shots(Film(discs, seconds=3.4, light=light))
    assert [(t.side, str(t.place), t.touched) for t in throws] == [(0, "10", ()), (1, "15", ())]


def test_darkness_is_told_of_and_nothing_invented() -> None:
    said = seen(Film([lies(BLACK, (40.0, 140.0))], seconds=2.4, light=lambda t: 0.03 if 0.8 < t < 1.6 else 1.0))
    assert [health.what for health in only(Health, said)] == ["dark", "light"]
    assert only(ThrowSeen, said) == []


def test_discs_that_lie_there_from_the_beginning_are_numbered_first() -> None:
    discs = [lies(BLACK, (40.0, 140.0)), lies(CREAM, (-90.0, -100.0)), shot(CREAM, 0.8, FROM_RIGHT, (150.0, -20.0))]
    (throw,) = shots(Film(discs, seconds=1.8))
    assert (throw.side, throw.piece) == (0, 2)
    assert sorted(lie.side for lie in throw.lies) == [0, 0, 1]


def test_nothing_happens_and_nothing_is_said() -> None:
    said = seen(Film([lies(BLACK, (40.0, 140.0)), lies(CREAM, (100.0, -20.0))], seconds=1.5))
    assert [type(sighting) for sighting in said] == [BoardSeen]
