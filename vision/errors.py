"""What can go wrong while reading a picture.

VisionError
└── BadPicture        the bytes are no picture that can be read; the message says what they are and what to do
"""

from __future__ import annotations


class VisionError(Exception):
    """A picture could not be read; the message says what to do."""

    code = "vision_failed"


class BadPicture(VisionError):
    """These bytes are no picture that Tallycam can read."""

    code = "bad_picture"
