"""Pi GM, a game master in a box for living-room games with real furniture."""

__version__ = "0.1.0"
