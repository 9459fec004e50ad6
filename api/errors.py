"""What the service refuses, and the HTTP status it says so with.

ApiError
├── NotKept       no such reading, or it is no longer kept (404)
├── OutOfTurn     what is asked does not fit what has happened since (409)
└── BadRequest    a value that means nothing in this game (422)
"""

from __future__ import annotations


class ApiError(Exception):
    """The service cannot do what was asked; the message says what to do."""

    status = 400
    code = "refused"


class NotKept(ApiError):
    """There is no such reading, disc or picture, or it is no longer kept."""

    status = 404
    code = "not_kept"


class OutOfTurn(ApiError):
    """What is asked no longer fits: the round is counted, or taken back, already."""

    status = 409
    code = "out_of_turn"


class BadRequest(ApiError):
    """A value that means nothing in this game."""

    status = 422
    code = "bad_request"
