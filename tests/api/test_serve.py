"""``tallycam serve`` as a process of its own: it says where it is, keeps the match, and stops when it is told to."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from drawn_boards import jpeg

PROGRAM = (
    "import sys; sys.path.append(sys.argv.pop(1)); import drawn_boards, vision.still, api.service;"
    "api.service.create_app.__defaults__ = (drawn_boards.reads(),);"
    "from api.cli.main import main; main()"
)


def command(*words: object) -> list[str]:
    return [sys.executable, "-c", PROGRAM, str(Path(__file__).parents[1] / "helpers"), "serve", *map(str, words)]


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    service = subprocess.Popen(command("--port", 0, "--data", folder), stdout=subprocess.PIPE, text=True)
    assert service.stdout is not None
    said = ""
    while not (found := re.search(r"http://localhost:(\d+)/", said)):
        line = service.stdout.readline()
        assert line, said
        said += line
    try:
        with httpx.Client(base_url=found[0], timeout=10) as client:
            for _ in range(100):
                try:
                    client.get("/api/v1/match")
                    break
                except httpx.ConnectError:
                    time.sleep(0.05)
            yield service, client
    finally:
        service.kill()
        service.wait()
        service.stdout.close()


def play(client: httpx.Client) -> list[int]:
    reading = client.post("/api/v1/photos", files={"photo": ("a.jpg", jpeg(), "image/jpeg")}).json()
    score: list[int] = client.post("/api/v1/match/rounds", json={"reading": reading["id"]}).json()["score"]
    return score


def test_a_match_outlives_a_killed_service(tmp_path: Path) -> None:
    with serving(tmp_path) as (service, client):
        assert play(client) == [5, 0]
        service.kill()
        service.wait()
    with serving(tmp_path) as (_, client):
        assert client.get("/api/v1/match").json()["score"] == [5, 0]
        assert play(client) == [10, 0]


def test_it_stops_at_once_though_phones_are_listening(tmp_path: Path) -> None:
    with serving(tmp_path) as (service, client), client.stream("GET", "/api/v1/events") as events:
        next(events.iter_lines())
        started_s = time.monotonic()
        service.send_signal(signal.SIGTERM)
        service.wait(timeout=10)
        assert time.monotonic() - started_s < 3


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--game", "chess"), 2, "crokinole"),
        (("--source", "/nowhere"), 2, "not a folder"),
        (("--port", "70000"), 2, "port"),
        (("--port", "0", "--data", "/dev/null/x"), 1, "Name a folder with --data"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(words: tuple[str, ...], code: int, said: str) -> None:
    run = subprocess.run(command(*words), capture_output=True, text=True, timeout=30, check=False)
    assert (run.returncode, run.stdout) == (code, "")
    assert said in run.stderr
    assert run.stderr.count("\n") == 1


def test_a_damaged_journal_is_said_in_one_line_and_left_alone(tmp_path: Path) -> None:
    journal = tmp_path / "tallycam.sqlite3"
    journal.write_bytes(b"this was a journal once" * 100)
    run = subprocess.run(
        command("--port", 0, "--data", tmp_path), capture_output=True, text=True, timeout=30, check=False
    )
    assert run.returncode == 1
    assert "cannot be kept" in run.stderr
    assert run.stderr.count("\n") == 1
    assert journal.read_bytes().startswith(b"this was a journal once")


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        run = subprocess.run(
            command("--port", port, "--data", tmp_path), capture_output=True, text=True, timeout=30, check=False
        )
    assert run.returncode == 1
    assert f"Port {port} cannot be used" in run.stderr
    assert run.stderr.count("\n") == 1


def test_the_match_is_kept_in_the_persons_own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from api.cli.serve import _data_folder

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert _data_folder() == tmp_path / "tallycam"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", os.fspath(tmp_path))
    assert _data_folder() == tmp_path / ".local" / "share" / "tallycam"
