"""What the processor had to do."""

import resource
import time

from pi_gm.clock import Seconds


def spent() -> Seconds:
    """The processor time that was spent until now, that of commands which have ended too."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
