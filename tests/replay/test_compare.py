"""What a replay tells, held against the truth: every kind of difference is found, and said in the game's words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sighted import Script

from api.live.lines import line
from api.live.match import LiveMatch
from api.measure.compare import Compared, compare
from api.measure.pairing import pair_in_order
from api.measure.tally import wilson
from api.measure.truth import read_truth
from scoring.match import Match
from vision.accuracy import BadTruth

BOARD = {"t_s": 0.0, "type": "board", "drift_mm": 0.0}


def _told(script: Script, game: str = "holeyboard") -> list[Mapping[str, Any]]:
    live = LiveMatch(Match.start(game))
    end_ns = script.seen[-1].t_ns if script.seen else 0
    happenings = [happening for sighting in script.seen for happening in live.take(sighting)] + live.end(end_ns)
    return [BOARD, *({"t_s": happening.t_ns / 1e9} | line(happening) for happening in happenings)]


def _truth(*throws: dict[str, Any], **others: Any) -> dict[str, Any]:
    """Washers thrown every two seconds and at rest half a second before they are told."""
    entries: list[dict[str, Any]] = [
        {"n": k + 1, "piece": k, "t_release_s": 2 * k + 0.5, "t_rest_s": 2 * k + 1.5, "moved": []} | throw
        for k, throw in enumerate(throws)
    ]
    return {"game": "holeyboard", "fps": 30, "throws": entries} | others


def _compared(told: Sequence[Mapping[str, Any]], truth: Mapping[str, Any], folder: Path) -> Compared:
    path = folder / "truth.json"
    path.write_text(json.dumps(truth))
    return compare(told, read_truth(path))


def _round() -> Script:
    script = Script()
    script.throw(0, "board")
    script.throw(0, "hole:3", {0: "hole:1"})
    script.throw(1, "off")
    return script


A0: dict[str, Any] = {"side": 0, "place": "board"}
A1: dict[str, Any] = {"side": 0, "place": "hole:3", "moved": [{"piece": 0, "from": "board", "to": "hole:1"}]}
B2: dict[str, Any] = {"side": 1, "place": "off"}
ROUND = {"points": [4, 0], "net": [4, 0], "score": [4, 0]}


def test_what_is_told_as_it_was_is_exact(tmp_path: Path) -> None:
    compared = _compared(_told(_round()), _truth(A0, A1, B2, rounds=[ROUND]), tmp_path)
    assert compared.differences == ()
    assert compared.verdicts == ("right", "right", "right")
    assert (compared.rounds, compared.rounds_right) == (1, 1)


@pytest.mark.parametrize(
    ("throws", "others", "first"),
    [
        ((A0 | {"place": "off"}, A1, B2), {}, "throw 1: said on the board, was off"),
        ((A0, A1, B2 | {"side": 0}), {}, "throw 3: said it was B's, was A's"),
        ((A0, A1 | {"moved": []}, B2), {}, "throw 2: said washer 0 went from the board to hole 1, which it did not"),
        (
            (A0, A1, B2 | {"moved": [{"piece": 0, "from": "hole:1", "to": "off"}]}),
            {},
            "throw 3: did not say that washer 0 went from hole 1 to off",
        ),
        ((A0, A1), {}, "a throw too many at 6.0 s: said off (B)"),
        ((A0, A1, B2, {"side": 1, "place": "board"}), {}, "throw 4: not told, was on the board (B)"),
        ((A0, A1, B2), {"rounds": [ROUND | {"net": [3, 0]}]}, "round 1: said net 4–0, was 3–0"),
        ((A0, A1, B2), {"rounds": [ROUND, ROUND]}, "round 2: its end was not told"),
        ((A0, A1, B2), {"rounds": []}, ""),
        ((A0, A1, B2), {"takeouts": [[6.5, 9.0]]}, "did not say that the takeout started at 6.5 s"),
        ((A0 | {"t_rest_s": 0.4}, A1, B2), {}, "throw 1: told 1.6 s after everything lay still"),
        (
            (A0, A1, B2),
            {"match": {"winner": 0, "reason": "exactly_21", "score": [21, 3]}},
            "did not say that the match was over: A wins 21–3 (exactly 21)",
        ),
    ],
)
def test_each_difference_is_said_in_the_games_words(
    throws: tuple[dict[str, Any], ...], others: Mapping[str, Any], first: str, tmp_path: Path
) -> None:
    assert _compared(_told(_round()), _truth(*throws, **others), tmp_path).first == first


def test_a_wrong_throw_that_was_marked_is_doubted(tmp_path: Path) -> None:
    script = Script()
    script.throw(0, "hole:1", doubts=["It is not clear."])
    script.throw(0, "hole:3", doubts=["It is not clear."])
    compared = _compared(_told(script), _truth({"side": 0, "place": "off"}, {"side": 0, "place": "hole:3"}), tmp_path)
    assert compared.verdicts == ("doubted", "right")
    assert compared.doubtful == 1


def test_a_throw_that_never_came_into_view_may_stay_untold_and_shifts_no_numbers(tmp_path: Path) -> None:
    script = Script()
    script.throw(0, "board", t_s=2)
    script.throw(0, "hole:3", {0: "hole:1"}, t_s=6)
    unseen = {"side": 0, "place": "off", "required": False}
    third = A1 | {"moved": [{"piece": 0, "from": "board", "to": "hole:1"}]}
    compared = _compared(_told(script), _truth(A0, unseen, third), tmp_path)
    assert compared.verdicts == ("right", "unseen", "right")
    assert not compared.differences


def test_two_throws_in_one_go_may_be_told_together(tmp_path: Path) -> None:
    script = Script()
    script.throw(0, "board", t_s=6)
    script.throw(1, "off", t_s=6)
    quick = {"side": 0, "place": "board", "t_release_s": 1, "t_rest_s": 1.8, "settled_before_next": False}
    second = {"side": 1, "place": "off", "t_release_s": 1.3, "t_rest_s": 5.5}
    assert not _compared(_told(script), _truth(quick, second), tmp_path).differences


def test_a_throw_behind_a_hand_may_be_told_when_the_hand_has_gone(tmp_path: Path) -> None:
    script = Script()
    script.throw(0, "board", t_s=8)
    truth = _truth(A0, hand_spans_s=[[1.0, 7.2]])
    assert not _compared(_told(script), truth, tmp_path).differences


def test_where_nothing_happens_everything_said_is_a_failure(tmp_path: Path) -> None:
    script = Script()
    script.throw(0, "board", t_s=2)
    script.takeout()
    told = [*_told(script), {"t_s": 9.0, "type": "board", "drift_mm": 7.2}]
    compared = _compared(told, _truth(nothing_happens=True, rounds=[]), tmp_path)
    texts = [difference.text for difference in compared.differences]
    assert compared.extra == 1
    assert "a throw too many at 2.0 s: said on the board (A)" in texts
    assert "said that a takeout started at 4.0 s" in texts
    assert "said that a takeout ended at 4.5 s" in texts
    assert "said that the board moved by 7 mm; it did not" in texts


def test_a_board_that_is_knocked_may_be_said_to_move(tmp_path: Path) -> None:
    told = [BOARD, {"t_s": 9.0, "type": "board", "drift_mm": 7.2}]
    assert not _compared(told, _truth(bump_t_s=8.6), tmp_path).differences


def test_a_board_that_was_not_found_is_said_first(tmp_path: Path) -> None:
    assert _compared([], _truth(A0), tmp_path).first == "the board was not found"


def _shot(k: int, places: Mapping[int, str], **others: Any) -> dict[str, Any]:
    lying = {str(n): {"place": place, "xy_mm": [50.0 * n + 30, 0.0]} for n, place in places.items()}
    times = {"t_flick_s": 2 * k + 0.5, "t_rest_s": 2 * k + 1.5}
    return {"n": k + 1, "side": k % 2, "piece": k, "touched": [], "places": lying} | times | others


@pytest.mark.parametrize(
    ("second", "first"),
    [
        ({"touched": [0]}, ""),
        ({}, "shot 2: said it touched disc 0, it touched nothing"),
        ({"touched": [0], "places": {0: "10", 1: "line"}}, ""),
        ({"touched": [0], "places": {0: "5", 1: "line"}}, "shot 2: said that disc 0 is 10, was 5"),
        ({"touched": [0], "valid": False}, "shot 2: said valid, was not valid"),
    ],
)
def test_shots_are_compared_disc_by_disc(second: dict[str, Any], first: str, tmp_path: Path) -> None:
    script = Script()
    script.throw(0, "15")
    script.throw(1, "ditch", {0: "10"}, touched=[0])
    places = second.pop("places", {0: "10", 1: "ditch"})
    shots = [_shot(0, {0: "15"}), _shot(1, places, **second)]
    truth = {"game": "crokinole", "fps": 30, "shots": shots}
    assert _compared(_told(script, "crokinole"), truth, tmp_path).first == first


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"game": "holeyboard", "fps": 30, "throws": [{}]}', "null", "\0"])
def test_a_damaged_truth_file_is_one_clear_line(content: str, tmp_path: Path) -> None:
    path = tmp_path / "truth.json"
    path.write_text(content)
    with pytest.raises(BadTruth, match="not a truth file for a recording") as error:
        read_truth(path)
    assert "\n" not in str(error.value)


def test_pairing_keeps_the_order() -> None:
    alike = {(0, 0): 1.0, (1, 0): 1.5, (0, 1): 1.0, (1, 1): 0.2}
    assert pair_in_order(2, 2, lambda i, j: alike[i, j]) == {1: 0}
    assert pair_in_order(2, 2, lambda i, j: alike[i, j] + 1) == {0: 0, 1: 1}
    assert pair_in_order(0, 3, lambda _, __: 1.0) == {}


def test_wilsons_interval_is_that_of_the_tables() -> None:
    """Newcombe, Statistics in Medicine 17 (1998), 857–872, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0)
