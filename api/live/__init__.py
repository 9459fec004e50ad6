"""A match as a camera follows it: sightings in, and out comes what people are told, in JSON or in words."""
