"""Pins: what is stood on, heard and seen in the room. Knows nothing of games or pages."""
