"""When has everything come to rest?"""

from __future__ import annotations

QUIET_NS = 130_000_000


class Settling:
    """Tells movement from rest: rest is when nothing has moved for a while. All times are the frames'."""

    def __init__(self, quiet_ns: int = QUIET_NS) -> None:
        """Begin, moving: nothing is known yet. ``quiet_ns`` is how long nothing may move."""
        self._quiet_ns = quiet_ns
        self._moved_ns: int | None = None
        self.began_ns: int | None = None
        self.settled = False

    def see(self, moving: bool, t_ns: int) -> bool:
        """Take in whether something moves at ``t_ns``; return whether it came to rest just now."""
        if self._moved_ns is None:
            self._moved_ns = t_ns
        if moving:
            if self.settled:
                self.began_ns = t_ns
            self._moved_ns, self.settled = t_ns, False
            return False
        just_now = not self.settled and t_ns - self._moved_ns >= self._quiet_ns
        self.settled = self.settled or just_now
        return just_now
