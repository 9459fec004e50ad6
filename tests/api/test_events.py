"""The stream that keeps every phone's score the same."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from drawn_boards import jpeg, reads
from fastapi import FastAPI

from api.service import create_app
from api.settings import Settings

V1 = "/api/v1"


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    return create_app(Settings("crokinole", tmp_path / "data", None, heartbeat_s=0.1), reads())


@pytest.fixture
def service(app: FastAPI, serve_live: Callable[[FastAPI], str]) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=serve_live(app), timeout=5) as client:
        yield client


def events(response: httpx.Response) -> Iterator[dict[str, str]]:
    event: dict[str, str] = {}
    for line in response.iter_lines():
        if line == "":
            yield event
            event = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            event[name] = value


def states(response: httpx.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in events(response):
        if event.get("event") == "state":
            yield event["id"], json.loads(event["data"])


def read_and_count(service: httpx.Client) -> None:
    reading = service.post(f"{V1}/photos", files={"photo": ("a.jpg", jpeg(), "image/jpeg")}).json()
    service.post(f"{V1}/match/rounds", json={"reading": reading["id"]})


def test_a_change_reaches_everyone_who_follows(service: httpx.Client) -> None:
    with service.stream("GET", f"{V1}/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        following = states(response)
        _, first = next(following)
        assert first["match"]["score"] == [0, 0]
        read_and_count(service)
        assert any(state["match"]["score"] == [5, 0] for _, state in following)


def test_between_changes_there_are_beats(service: httpx.Client) -> None:
    with service.stream("GET", f"{V1}/events") as response:
        following = events(response)
        assert next(following)["event"] == "state"
        assert [next(following)["event"] for _ in range(3)] == ["beat"] * 3


def test_coming_back_catches_up_with_what_was_missed(service: httpx.Client) -> None:
    with service.stream("GET", f"{V1}/events") as response:
        last_id, _ = next(states(response))
    read_and_count(service)
    with service.stream("GET", f"{V1}/events", headers={"Last-Event-ID": last_id}) as response:
        newest_id, state = next(states(response))
    assert newest_id != last_id
    assert state["match"]["score"] == [5, 0]


def test_coming_back_having_missed_nothing_is_told_so(service: httpx.Client) -> None:
    with service.stream("GET", f"{V1}/events") as response:
        last_id, _ = next(states(response))
    with service.stream("GET", f"{V1}/events", headers={"Last-Event-ID": last_id}) as response:
        assert next(events(response)) == {"event": "beat", "id": last_id, "data": "here"}


def test_an_id_of_an_earlier_run_gets_the_whole_state(service: httpx.Client) -> None:
    with service.stream("GET", f"{V1}/events", headers={"Last-Event-ID": "0badcafe-7"}) as response:
        assert next(events(response))["event"] == "state"


def test_streams_end_when_the_service_stops(app: FastAPI, service: httpx.Client) -> None:
    with service.stream("GET", f"{V1}/events") as response:
        following = events(response)
        next(following)
        threading.Timer(0.1, app.state.session.feed.close).start()
        started_s = time.monotonic()
        for _ in following:
            pass
    assert time.monotonic() - started_s < 2


def test_reading_a_picture_does_not_hold_the_others_up(tmp_path: Path, serve_live: Callable[[FastAPI], str]) -> None:
    go_on = threading.Event()

    def slow(bgr: Any) -> Any:
        assert go_on.wait(5)
        return reads()(bgr)

    app = create_app(Settings("crokinole", tmp_path / "slow", None), slow)
    with httpx.Client(base_url=serve_live(app), timeout=5) as service:
        upload = threading.Thread(target=read_and_count, args=(service,))
        upload.start()
        while service.get(f"{V1}/state").json()["being_read"] == 0:
            time.sleep(0.02)
        assert service.get(f"{V1}/match").json()["score"] == [0, 0]
        go_on.set()
        upload.join()
        assert service.get(f"{V1}/match").json()["score"] == [5, 0]
