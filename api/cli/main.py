"""The ``tallycam`` command: one subcommand a file.

Whatever goes wrong in a way that a person can mend is said in one line on stderr: exit 2 where the command or what
it was given is at fault, 1 where the machine is.
"""

from __future__ import annotations

import sys

import typer
from typer.exceptions import TyperException

from api.cli.bench import bench
from api.cli.calibrate import calibrate
from api.cli.eval import evaluate
from api.cli.games import games
from api.cli.play import play
from api.cli.record import record
from api.cli.replay import replay
from api.cli.score import score
from api.cli.serve import serve

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.command()(serve)
app.command()(score)
app.command()(calibrate)
app.command()(record)
app.command()(replay)
app.command("eval")(evaluate)
app.command()(bench)
app.command()(play)
app.command()(games)


@app.callback()
def tallycam() -> None:
    """Tallycam, the camera that keeps score."""


def main() -> None:
    """Run the command line."""
    try:
        sys.exit(app(standalone_mode=False))
    except TyperException as error:
        print(f"tallycam: {error.format_message()}", file=sys.stderr)
        sys.exit(error.exit_code)
    except typer.Abort:
        sys.exit(130)
