"""``tallycam serve``: the service and the phone page."""

from __future__ import annotations

import os
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.errors import BadUsage, CannotRun

if TYPE_CHECKING:
    from types import FrameType

    from fastapi import FastAPI

EVERY_INTERFACE = "0.0.0.0"


def serve(
    source: Annotated[
        Path | None, typer.Option(metavar="SRC", help="A folder of pictures; without one, the bundled example.")
    ] = None,
    game: Annotated[str, typer.Option(help="What is played.")] = "crokinole",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where the page answers; 0 takes any free port.")] = 8000,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the match is kept.")] = None,
) -> None:
    """Open the scoreboard to the phones in the room; prints its address and a QR code."""
    from api.example import EXAMPLE
    from api.photo_games import photo_game
    from api.service import create_app
    from api.settings import Settings

    try:
        photo_game(game)
    except ValueError as error:
        raise BadUsage(str(error)) from error
    if source is not None and not source.is_dir():
        raise BadUsage(f"--source {source} is not a folder of pictures.")
    folder = _data_folder() if data is None else data
    listener = _listen(port)
    try:
        app = create_app(Settings(game, folder, source or (EXAMPLE if EXAMPLE.is_dir() else None)))
    except (OSError, ValueError, sqlite3.Error) as error:
        listener.close()
        raise CannotRun(
            f"The match cannot be kept in {folder} ({error}). Is another Tallycam using it? Name a folder with --data."
        ) from error
    _announce(listener.getsockname()[1])
    _run(app, listener)


def _data_folder() -> Path:
    """Return this person's own data folder, by the XDG rule."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "tallycam"


def _listen(port: int) -> socket.socket:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((EVERY_INTERFACE, port))
    except OSError as error:
        listener.close()
        raise CannotRun(f"Port {port} cannot be used ({error.strerror}); name another with --port.") from error
    return listener


def _lan_address() -> str | None:
    """Return the address by which other machines in the room reach this one, or None where there is no network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: the system only picks the interface it would use
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address


def _announce(port: int) -> None:
    import segno

    here = f"http://localhost:{port}/"
    address = _lan_address()
    if address is None:
        print(f"\nTallycam keeps score at {here} (this machine has no network: phones cannot reach it)\n", flush=True)
        return
    there = f"http://{address}:{port}/"
    print(f"\nTallycam keeps score at {there} (on this machine: {here})\n")
    with suppress(UnicodeEncodeError):  # a terminal without block characters shows no code
        segno.make_qr(there).terminal(compact=True)
    print("\nOpen it with a phone on the same network. Ctrl-C stops; the match is kept.\n", flush=True)


def _run(app: FastAPI, listener: socket.socket) -> None:
    import uvicorn

    class Server(uvicorn.Server):
        """Ends the event streams when it is told to stop: uvicorn waits for them, and they would never end."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            app.state.session.feed.close()
            super().handle_exit(sig, frame)

    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=5)
    Server(config).run(sockets=[listener])
