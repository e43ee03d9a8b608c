"""One sentence through pyttsx3, in a process that may be killed: ``python -m hardware.voice.pyttsx3_child``.

On standard input a JSON object: text, path, voice (empty: the machine's), rate, gap.
"""

import json
import shutil
import subprocess
import sys
import threading
from pathlib import Path

GAP_BETWEEN_WORDS = 7
"""The number of that parameter in espeak's own library."""

LONGEST = 10.0
"""Seconds after which nothing is written any more."""


def main() -> int:
    """Write the file; 1 where there is none afterwards."""
    import pyttsx3

    asked = json.load(sys.stdin)
    engine = pyttsx3.init()
    if asked["voice"]:
        engine.setProperty("voice", asked["voice"])
    engine.setProperty("rate", asked["rate"])
    if sys.platform.startswith("linux"):
        from pyttsx3.drivers import _espeak

        _espeak.SetParameter(GAP_BETWEEN_WORDS, asked["gap"], 0)
    path = Path(asked["path"])
    written = threading.Event()
    engine.connect("finished-utterance", lambda name, completed: written.set())
    engine.save_to_file(asked["text"], str(path))
    engine.runAndWait()
    if sys.platform.startswith("linux"):
        written.wait(LONGEST)  # there it returns while the sound is still being made, or just written
    if sys.platform == "darwin" and path.exists():
        _to_wav(path)
    return 0 if path.exists() else 1


def _to_wav(path: Path) -> None:
    """macOS writes AIFF, whatever the name says; the command for it comes with the system."""
    convert = shutil.which("afconvert")
    if convert is not None:
        aiff = path.rename(path.with_suffix(".aiff"))
        subprocess.run([convert, "-f", "WAVE", "-d", "LEI16@22050", str(aiff), str(path)], check=True)


if __name__ == "__main__":
    sys.exit(main())
