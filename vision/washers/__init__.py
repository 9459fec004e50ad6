"""Washers, live: frames of a board of holes in, every throw out: whose it was, and where everything lies."""
