"""What can go wrong while seeing.

VisionError
├── BadPicture        the bytes are no picture that can be read; the message says what they are and what to do
├── BadSource         the camera, file or folder cannot be opened, or stopped giving pictures
├── NotRecorded       a recording cannot be written, or not to its end
└── NotWatched        no watcher follows this game
"""

from __future__ import annotations


class VisionError(Exception):
    """A picture could not be read; the message says what to do."""

    code = "vision_failed"


class BadPicture(VisionError):
    """These bytes are no picture that Tallycam can read."""

    code = "bad_picture"


class BadSource(VisionError):
    """A camera, file or folder gives no pictures."""

    code = "bad_source"


class NotRecorded(VisionError):
    """A recording cannot be written; what was written before stays readable."""

    code = "not_recorded"

    def __init__(self, message: str, *, disk_full: bool = False) -> None:
        """``disk_full``: the disk takes no more, and the name of the folder is not at fault."""
        super().__init__(message)
        self.disk_full = disk_full


class NotWatched(VisionError):
    """The camera cannot follow this game throw by throw."""

    code = "not_watched"
