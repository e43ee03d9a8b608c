"""The English voices that pyttsx3 finds, as JSON, from a process that may be killed: some systems hang when asked."""

import json
import re
import sys


def main() -> int:
    """Print a list of objects with id and name."""
    import pyttsx3

    voices = pyttsx3.init().getProperty("voices")
    english = [voice for voice in voices if any(is_english(said) for said in voice.languages or ["en"])]
    sys.stdout.write(json.dumps([{"id": voice.id, "name": voice.name} for voice in english]))
    return 0


def is_english(language: bytes | str) -> bool:
    """Whether a voice's ``language`` is English; some systems write it as bytes, with a number in front."""
    said = language.decode(errors="replace") if isinstance(language, bytes) else language
    return re.match(r"\W*en", said, re.IGNORECASE) is not None


if __name__ == "__main__":
    sys.exit(main())
