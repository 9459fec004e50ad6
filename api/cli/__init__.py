"""The ``tallycam`` command."""
