"""Where is the board? Finds it in a picture, and keeps what is known of its pose and lens."""
