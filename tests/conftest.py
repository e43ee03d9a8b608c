"""How hard hypothesis looks: enough to find what breaks, and never against the clock of a busy machine."""

from hypothesis import settings

settings.register_profile("here", deadline=None)
settings.load_profile("here")
