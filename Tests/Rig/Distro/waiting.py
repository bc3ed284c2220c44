"""Waiting for another program."""

import time

from chroot import Failed

# Only ends a test that would never finish.
SECONDS_MAX = 120.0


def until(what: str, look, seconds: float = SECONDS_MAX, sleep=time.sleep, clock=time.monotonic):
    """Asks again until `look` returns something true, and returns that.

    Raises `Failed` after `seconds`.
    """
    deadline = clock() + seconds
    while not (found := look()):
        if clock() > deadline:
            raise Failed(f"waited {seconds:.0f} s for {what}")
        sleep(0.2)
    return found
