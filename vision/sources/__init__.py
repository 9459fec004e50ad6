"""Where camera pictures come from."""
