"""A match as phones play it over HTTP: read, correct, count, undo, start again."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from drawn_boards import ROUND, ROUND_POINTS, Laid, jpeg, reads

from vision.still import Still

Photo = dict[str, tuple[str, bytes, str]]
V1 = "/api/v1"


def read(client: httpx.Client, photo: Photo) -> dict[str, Any]:
    response = client.post(f"{V1}/photos", files=photo)
    assert response.status_code == 201, response.text
    return response.json()


def count(client: httpx.Client, reading: dict[str, Any], request: str | None = None) -> dict[str, Any]:
    response = client.post(f"{V1}/match/rounds", json={"reading": reading["id"], "request": request})
    assert response.status_code == 201, response.text
    return response.json()


def disc_at(reading: dict[str, Any], place: str) -> dict[str, Any]:
    return next(disc for disc in reading["discs"] if disc["place"] == place)


def test_a_photo_becomes_a_reading(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    assert tuple(reading["points"]) == ROUND_POINTS
    assert reading["round"]["takes"] == [5, 0]
    assert (reading["width"], reading["height"]) == (1200, 900)
    assert [disc["place"] for disc in reading["discs"]] == ["15", "10", "10", "20", "5", "5"]
    assert [disc["doubtful"] for disc in reading["discs"]].count(True) == 1
    assert set(reading["board"]["lines_px"]) == {"20", "15", "10", "5"}
    assert reading["board"]["lines_px"]["15"][0] == reading["board"]["lines_px"]["15"][-1]
    assert client.get(f"{V1}/photos/{reading['id']}").json() == reading


def test_pictures_are_sent_once(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    for address in (reading["picture"], reading["overlay"]):
        first = client.get(address)
        assert first.headers["content-type"] == "image/jpeg"
        assert first.content[:2] == b"\xff\xd8"
        again = client.get(address, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_an_overlay_changes_with_a_correction(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    before = client.get(reading["overlay"]).headers["etag"]
    client.delete(f"{V1}/photos/{reading['id']}/pieces/{reading['discs'][0]['id']}")
    assert client.get(reading["overlay"]).headers["etag"] != before


def test_a_disc_can_be_corrected_in_every_way(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    discs = f"{V1}/photos/{reading['id']}/pieces"
    doubtful = next(disc for disc in reading["discs"] if disc["doubtful"])

    reading = client.patch(f"{discs}/{doubtful['id']}", json={"place": "15"}).json()
    assert reading["points"] == [40, 30]
    assert not any(disc["doubtful"] for disc in reading["discs"])

    reading = client.patch(f"{discs}/{disc_at(reading, '20')['id']}", json={"side": 0}).json()
    assert reading["points"] == [60, 10]

    reading = client.delete(f"{discs}/{disc_at(reading, '5')['id']}").json()
    assert reading["points"] == [60, 5]

    centre = reading["board"]["centre_px"]
    reading = client.post(discs, json={"side": 1, "centre_px": [centre[0] + 70, centre[1]]}).json()
    assert reading["points"] == [60, 20]
    added = reading["discs"][-1]
    assert (added["place"], added["by_hand"], added["colour"]) == ("15", True, "natural")
    assert len({disc["id"] for disc in reading["discs"]}) == len(reading["discs"])

    reading = client.put(f"{V1}/photos/{reading['id']}/set-aside/1", json={"discs": 3}).json()
    assert reading["points"] == [60, 80]

    reading = client.post(f"{V1}/photos/{reading['id']}/swap").json()
    assert reading["points"] == [80, 60]
    assert client.get(f"{V1}/match").json()["sides"][0]["colour"] == "natural"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PATCH", "/pieces/0", {"place": "17"}, 422),
        ("PATCH", "/pieces/0", {"side": 2}, 422),
        ("PATCH", "/pieces/0", {"colour": "green"}, 422),
        ("PATCH", "/pieces/99", {"place": "15"}, 404),
        ("DELETE", "/pieces/99", None, 404),
        ("POST", "/pieces", {"side": 0, "centre_px": [-50, 10]}, 422),
        ("POST", "/pieces", {"side": 0, "centre_px": [10, "nan"]}, 422),
        ("POST", "/pieces", {"side": 0}, 422),
        ("PUT", "/set-aside/0", {"discs": 13}, 422),
        ("PUT", "/set-aside/2", {"discs": 1}, 422),
    ],
)
def test_a_correction_that_means_nothing_changes_nothing(
    client: httpx.Client, photo: Photo, method: str, path: str, body: object, status: int
) -> None:
    reading = read(client, photo)
    response = client.request(method, f"{V1}/photos/{reading['id']}{path}", json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    assert response.json()["detail"]
    assert client.get(f"{V1}/photos/{reading['id']}").json() == reading


def test_counting_and_taking_back(client: httpx.Client, photo: Photo) -> None:
    first, second = read(client, photo), read(client, photo)
    assert count(client, first)["score"] == [5, 0]
    match = count(client, second)
    assert match["score"] == [10, 0]
    assert [taken["takes"] for taken in match["rounds"]] == [[5, 0], [5, 0]]
    assert [taken["score"] for taken in match["rounds"]] == [[5, 0], [10, 0]]

    match = client.post(f"{V1}/match/undo", json={"round": 2}).json()
    assert match["score"] == [5, 0]
    assert client.get(f"{V1}/state").json()["reading"]["id"] == second["id"]
    assert client.get(f"{V1}/state").json()["reading"]["counted"] is False

    client.patch(f"{V1}/photos/{second['id']}/pieces/2", json={"place": "15"})
    assert count(client, second)["score"] == [15, 0]


def test_a_round_counts_once_however_often_it_is_sent(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    assert count(client, reading, "request-one")["score"] == [5, 0]
    assert count(client, reading, "request-one")["score"] == [5, 0]
    refused = client.post(f"{V1}/match/rounds", json={"reading": reading["id"], "request": "request-two"})
    assert (refused.status_code, refused.json()["code"]) == (409, "out_of_turn")
    assert client.get(f"{V1}/match").json()["score"] == [5, 0]


def test_an_undo_takes_one_round_back_however_often_it_is_sent(client: httpx.Client, photo: Photo) -> None:
    for _ in range(2):
        count(client, read(client, photo))
    undo = {"round": 2, "request": "undo-number-1"}
    assert client.post(f"{V1}/match/undo", json=undo).json()["score"] == [5, 0]
    assert client.post(f"{V1}/match/undo", json=undo).json()["score"] == [5, 0]
    late = client.post(f"{V1}/match/undo", json={"round": 2, "request": "other-phones-undo"})
    assert late.status_code == 409
    assert client.get(f"{V1}/match").json()["score"] == [5, 0]


def test_there_is_nothing_to_take_back_at_first(client: httpx.Client) -> None:
    assert client.post(f"{V1}/match/undo", json={}).status_code == 409


def test_a_counted_round_must_be_undone_before_it_is_corrected(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    count(client, reading)
    refused = client.delete(f"{V1}/photos/{reading['id']}/pieces/0")
    assert refused.status_code == 409
    assert "undo" in refused.json()["detail"]


def test_a_match_is_won_and_the_win_can_be_taken_back(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    client.put(f"{V1}/photos/{reading['id']}/set-aside/0", json={"discs": 5})
    ahead = client.get(f"{V1}/photos/{reading['id']}").json()
    assert (ahead["round"]["takes"], ahead["wins"]) == ([105, 0], 0)
    match = count(client, reading)
    assert (match["score"], match["winner"]) == ([105, 0], 0)
    late = read(client, photo)
    assert (late["points"], late["round"], "over" in late["refused"]) == (list(ROUND_POINTS), None, True)
    over = client.post(f"{V1}/match/rounds", json={"reading": late["id"]})
    assert (over.status_code, "over" in over.json()["detail"]) == (409, True)
    assert client.post(f"{V1}/match/undo", json={"round": 1}).json()["winner"] is None


def test_more_discs_than_a_side_has_are_not_counted(client: httpx.Client, photo: Photo) -> None:
    reading = read(client, photo)
    reading = client.put(f"{V1}/photos/{reading['id']}/set-aside/0", json={"discs": 12}).json()
    assert reading["round"] is None
    assert "12 pieces, not 15" in reading["refused"]
    assert client.post(f"{V1}/match/rounds", json={"reading": reading["id"]}).status_code == 409


def test_a_new_match_has_names_and_no_score(client: httpx.Client, photo: Photo) -> None:
    count(client, read(client, photo))
    match = client.post(f"{V1}/match", json={"names": ["Ann", None], "request": "begin-one"}).json()
    assert (match["score"], match["rounds"], match["sides"][0]["name"]) == ([0, 0], [], "Ann")
    count(client, read(client, photo))
    again = client.post(f"{V1}/match", json={"names": ["Ann", None], "request": "begin-one"}).json()
    assert again["score"] == [5, 0]


@pytest.mark.parametrize("body", [{"names": ["", "x"]}, {"names": ["x" * 25, "y"]}, {"options": {"target": "soon"}}])
def test_a_match_that_cannot_be_is_refused_and_the_old_one_kept(
    client: httpx.Client, photo: Photo, body: dict[str, object]
) -> None:
    count(client, read(client, photo))
    response = client.post(f"{V1}/match", json=body)
    assert response.status_code == 422
    assert client.get(f"{V1}/match").json()["score"] == [5, 0]


def test_a_restart_goes_on_with_the_match(start: Callable[..., httpx.Client], photo: Photo) -> None:
    before = start()
    before.post(f"{V1}/match", json={"names": ["Ann", "Ben"]})
    for _ in range(3):
        count(before, read(before, photo))
    before.post(f"{V1}/match/undo", json={"round": 3})
    match = before.get(f"{V1}/match").json()
    before.app.state.session._store.close()  # what a power cut leaves: nothing is said, nothing is tidied

    after = start()
    assert after.get(f"{V1}/match").json() == match
    assert match["score"] == [10, 0]
    assert count(after, read(after, photo))["score"] == [15, 0]
    assert after.post(f"{V1}/match/undo", json={"round": 3}).json()["score"] == [10, 0]


def test_only_one_service_writes_a_folder(start: Callable[..., httpx.Client]) -> None:
    start()
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        start()


def test_only_the_newest_pictures_are_kept(client: httpx.Client, photo: Photo) -> None:
    readings = [read(client, photo) for _ in range(6)]
    assert client.get(readings[0]["picture"]).status_code == 404
    assert client.get(readings[-1]["picture"]).status_code == 200


def test_sides_keep_their_colours_from_picture_to_picture(start: Callable[..., httpx.Client], photo: Photo) -> None:
    seen: list[Still] = []
    client = start(reader=lambda _: seen.pop(0))
    one_side = tuple(Laid(0, disc.x_mm, disc.y_mm) for disc in ROUND if disc.side == 1)
    swapped = tuple(Laid(1 - disc.side, disc.x_mm, disc.y_mm) for disc in ROUND)
    whole = reads()(_checkered())
    black, natural = whole.sides
    seen += [
        whole,
        _with_looks(reads(swapped)(_checkered()), natural, black),
        _with_looks(reads(one_side)(_checkered()), natural),
    ]
    count(client, read(client, photo))
    assert read(client, photo)["points"] == list(ROUND_POINTS)
    assert read(client, photo)["points"] == [0, ROUND_POINTS[1]]


def _checkered() -> Any:
    import numpy as np

    return np.indices((8, 8, 3)).sum(axis=0).astype(np.uint8) % 2 * 255


def _with_looks(still: Still, *looks: Any) -> Still:
    from dataclasses import replace

    return replace(still, sides=tuple(replace(look, side=side) for side, look in enumerate(looks)))


def test_the_demo_plays_until_a_person_acts(start: Callable[..., httpx.Client], tmp_path: Path, photo: Photo) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "a.jpg").write_bytes(jpeg())
    (pictures / "b.jpg").write_bytes(b"no picture at all")
    client = start(pictures=pictures)
    match = _wait(lambda: client.get(f"{V1}/match").json(), lambda m: len(m["rounds"]) >= 2)
    assert match["demo"] is True
    assert client.post(f"{V1}/match/undo", json={}).status_code == 409

    reading = read(client, photo)
    match = client.get(f"{V1}/match").json()
    assert (match["demo"], match["score"], match["rounds"]) == (False, [0, 0], [])
    assert count(client, reading)["score"] == [5, 0]


def test_counting_what_the_demo_shows_begins_a_match(start: Callable[..., httpx.Client], tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "a.jpg").write_bytes(jpeg())
    client = start(pictures=pictures)
    state = _wait(lambda: client.get(f"{V1}/state").json(), lambda s: s["reading"] is not None)
    match = count(client, state["reading"])
    assert (match["demo"], match["score"]) == (False, [5, 0])


def _wait(ask: Callable[[], Any], good: Callable[[Any], bool]) -> Any:
    import time

    for _ in range(200):
        answer = ask()
        if good(answer):
            return answer
        time.sleep(0.02)
    raise AssertionError(answer)
