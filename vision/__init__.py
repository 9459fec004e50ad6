"""What lies on the board: pictures in, pieces and throws out."""
