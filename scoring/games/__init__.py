"""One file a game: its rules, its board, its options."""
