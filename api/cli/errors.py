"""What the command line says before it stops.

TyperException (exit 1)
├── BadUsage      the command, or what it was given, cannot be used (exit 2)
└── CannotRun     the machine does not let the command do its work (exit 1)
"""

from __future__ import annotations

from typer.exceptions import TyperException


class BadUsage(TyperException):
    """The command, or a file it was given, cannot be used; the message says what to do."""

    exit_code = 2


class CannotRun(TyperException):
    """The machine does not let the command do its work; the message says what to do."""

    exit_code = 1
