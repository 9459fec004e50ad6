"""Tallycam's rules: what a board is and what happened on it means. Standard library only, no I/O, no clock."""
