"""A Piper voice that stays ready: ``python -m hardware.voice.piper_child MODEL LENGTH``.

A line of JSON on standard input, with text and path, is answered by one on standard output, with the trouble there was.
"""

import importlib
import json
import os
import sys
import wave


def main() -> int:
    """Answer until standard input ends."""
    # What its libraries print must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    piper = importlib.import_module("piper")

    model, length = sys.argv[1:]
    voice = piper.PiperVoice.load(model)
    manner = piper.SynthesisConfig(length_scale=float(length))
    for line in sys.stdin:
        asked = json.loads(line)
        trouble = ""
        try:
            with wave.open(asked["path"], "wb") as file:
                voice.synthesize_wav(asked["text"], file, syn_config=manner)
        except (OSError, RuntimeError, ValueError, wave.Error) as fault:
            trouble = str(fault) or type(fault).__name__
        answers.write(json.dumps({"trouble": trouble}) + "\n")
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
