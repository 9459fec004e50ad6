"""Tallycam's rules: what a board is and what happened on it means. Standard library only, no I/O, no clock.

A match is a log of events, and its state is always worked out from the log::

    from scoring.match import Match

    match = Match.start("holeyboard", sides=("Ann", "Bob"))
    match.record(match.read("5"))       # or an event of scoring.events
    match.state.provisional             # (5, 0)
    match.undo()
"""
