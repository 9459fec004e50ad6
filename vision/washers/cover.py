"""Large things over the board: hands, feet, dogs. What happens beneath them is read when they have gone."""

from __future__ import annotations

from vision.sightings import Occluded

# Something that only flits by is not worth a word.
HIDDEN_NS = 200_000_000


class Cover:
    """Keeps track of whether the board is hidden: ``now``, and ``lately``, since the last account was closed."""

    def __init__(self) -> None:
        """Begin with the board in plain view."""
        self.now = False
        self.lately = False
        self.since_ns: int | None = None
        self._said = False

    def see(self, t_ns: int, hides: bool) -> list[Occluded]:
        """Take in whether something hides the board at ``t_ns``; return what is to be said about it."""
        self.now = hides
        self.lately |= hides
        if not hides:
            self.since_ns = None
            if self._said:
                self._said = False
                return [Occluded(t_ns, "ended")]
            return []
        if self.since_ns is None:
            self.since_ns = t_ns
        if not self._said and t_ns - self.since_ns > HIDDEN_NS:
            self._said = True
            return [Occluded(t_ns, "started")]
        return []
