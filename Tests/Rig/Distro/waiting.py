"""Waiting for another program."""

import time

from chroot import Failed

# The time limit only prevents a test that never finishes.
SECONDS_MAX = 120.0


def until(what: str, look, seconds: float = SECONDS_MAX, sleep=time.sleep, clock=time.monotonic):
    """Polls until `look` returns a true value, and returns that value.

    Raises `Failed` after `seconds`.
    """
    deadline = clock() + seconds
    while not (found := look()):
        if clock() > deadline:
            raise Failed(f"waited {seconds:.0f} s for {what}")
        sleep(0.2)
    return found
