"""How far what is told may be from what happened. What is not named here has to be exact: sides, places, points."""

from __future__ import annotations

LIES_MM = 2.0
"""A piece may be said to lie so far from where it came to lie."""

LATE_S = 1.5
"""A throw has to be told so soon after everything lies still and in sight."""

NEXT_S = 1.2
"""A throw that is told so soon after the next one was released can still be the one before."""

TAKEOUT_S = 2.0
"""A takeout may be said to begin and to end so long before or after it does."""
