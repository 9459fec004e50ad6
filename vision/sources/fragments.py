"""Where a fragmented MP4 that was cut short can still be read up to."""

from __future__ import annotations

from pathlib import Path


def last_fragment_end(path: Path) -> int:
    """Return where the fragment begins whose description breaks off at the end of the file; 0 where none does.

    The description is the box ``moof`` of ISO/IEC 14496-12. What stands before it is complete.
    """
    size = path.stat().st_size
    at = 0
    fragmented = False
    with path.open("rb") as file:
        while at < size:
            file.seek(at)
            head = file.read(8)
            length = int.from_bytes(head[:4], "big")
            fragmented = fragmented or head[4:] == b"moof"
            if len(head) < 8 or (head[4:] == b"moof" and at + length > size):
                return at if fragmented else 0
            if length < 8:
                return 0
            at += length
    return 0
