"""The machine on which the gate runs: its CPU pressure, and a lock that permits one gate at a time."""

import errno
import fcntl
import os
import re
import time
from pathlib import Path

PRESSURE = Path("/proc/pressure/cpu")
LOCK = Path("/tmp/framefast-gate.lock")
# The highest CPU pressure at which a gate starts: the share of time in which some thread waits for a CPU. Above this
# pressure, tests exceed their time limits.
CALM_PERCENT = 50.0
# The maximum wait for lower CPU pressure before a gate starts.
CALM_WAIT_SECONDS = 600.0


def pressure(path: Path = PRESSURE) -> dict[str, float]:
    """Returns the `some` line of a pressure file: `avg10`, `avg60`, `avg300` in percent, `total` in seconds.

    Empty if the kernel reports no pressure.
    """
    try:
        line = next(l for l in path.read_text().splitlines() if l.startswith("some "))
    except (OSError, StopIteration):
        return {}
    found = {key: float(value) for key, value in re.findall(r"(\w+)=([\d.]+)", line)}
    found["total"] = found.get("total", 0.0) / 1e6
    return found


def describe() -> str:
    """Returns a short description of the machine's load."""
    now = pressure()
    psi = f"PSI {now['avg10']:.0f} %" if now else "PSI unknown"
    return f"{psi}, load {os.getloadavg()[0]:.1f}"


def wait_until_calm(key: str, limit: float, read=pressure, sleep=time.sleep, clock=time.monotonic, say=print) -> bool:
    """Waits until the CPU pressure is at most `CALM_PERCENT`.

    - key: The average to read: `avg10` or `avg60`.
    - limit: The maximum wait, in seconds.
    - Returns: Whether the CPU pressure is low.
    """
    began, said = clock(), False
    while (percent := read().get(key, 0.0)) > CALM_PERCENT:
        waited = clock() - began
        if waited >= limit:
            say(f"The machine is still busy after {waited:.0f} s (CPU pressure {percent:.0f} %). Starting anyway.")
            return False
        if not said:
            said = True
            say(
                f"The machine is busy (CPU pressure {percent:.0f} %). Waiting until it is less busy, "
                f"{limit:.0f} s at most …"
            )
        sleep(min(5.0, max(limit - waited, 0.1)))
    if said:
        say(f"The machine is no longer busy after {clock() - began:.0f} s.")
    return True


class LivedClock:
    """Counts lived time: wall-clock time without the time in which some thread waited for a CPU.

    At most four fifths of the wall-clock time are subtracted. A limit is therefore reached after at most five times its length
    in wall-clock time.
    """

    def __init__(self, clock=time.monotonic, read=pressure) -> None:
        self._clock, self._read = clock, read
        self.restart()

    def restart(self) -> None:
        """Starts from zero."""
        self._began = self._clock()
        self._short = self._read().get("total")

    def seconds(self) -> float:
        """Returns the lived time since the start, in seconds."""
        wall = self._clock() - self._began
        now = self._read().get("total")
        if now is None or self._short is None:
            return wall
        return max(wall - max(now - self._short, 0.0), wall / 5)


def lock(path: Path = LOCK, say=print) -> int | None:
    """Waits until no other gate runs on this machine, and blocks other gates until the process ends.

    The lock is not inherited, so a leftover program of a test does not hold it.

    - Returns: The descriptor of the lock, or `None` if this user cannot open it.
    """
    fd = _open(path)
    if fd is None:
        say(f"Cannot open {path}: running without the lock against other gates.")
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EAGAIN, errno.EACCES):
            raise
        holder = _holder(fd)
        say(f"Another gate runs on this machine{f' ({holder})' if holder else ''}. Waiting for it to end …")
        fcntl.flock(fd, fcntl.LOCK_EX)
    return fd


def _open(path: Path) -> int | None:
    # Another user's file in a sticky folder cannot be opened with O_CREAT, and flock needs no right to write.
    for _ in range(3):
        try:
            return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            pass
        except OSError:
            return None
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        except FileExistsError:
            continue
        except OSError:
            return None
    return None


def _holder(fd: int) -> str:
    inode = os.fstat(fd).st_ino
    try:
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if words[1] == "FLOCK" and words[5].rsplit(":", 1)[-1] == str(inode):
                return f"process {words[4]}"
    except (OSError, IndexError):
        pass
    return ""
