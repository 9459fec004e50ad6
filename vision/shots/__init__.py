"""Crokinole watched live: who shot, what the shot touched, and where every disc came to rest."""
