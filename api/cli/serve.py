"""``tallycam serve``: the service and the phone page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    source: Annotated[Path | None, typer.Option(help="A folder of pictures; without one, the bundled example.")] = None,
    game: Annotated[str, typer.Option(help="What is played.")] = "crokinole",
    port: Annotated[int, typer.Option(min=0, max=65535)] = 8000,
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the match is kept.")] = None,
) -> None:
    """Open the scoreboard to the phones around the board; prints its address and a QR code."""
    raise NotImplementedError
