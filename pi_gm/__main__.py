"""``python -m pi_gm``."""

import sys

from pi_gm.cli import main

if __name__ == "__main__":
    sys.exit(main())
