"""The hang guard: detects that no test starts or finishes, reports the state of the test process, and ends it."""

import contextlib
import os
import signal
import subprocess
import time
import uuid
from pathlib import Path

from machine import LivedClock
from parts import ROOT

# Each process of a part inherits this variable, so the guard finds processes outside the process tree.
MARK = "FRAMEFAST_GATE_PART"
# The time that the test process may take to print its own backtrace after SIGABRT, in seconds.
_BACKTRACE_SECONDS = 20.0


class HangGuard:
    """Measures the lived time (see `LivedClock`) since a test last started or finished."""

    def __init__(self, limit: float, clock: LivedClock | None = None) -> None:
        self._limit, self._clock, self._progress = limit, clock or LivedClock(), -1

    def expired(self, progress: int) -> bool:
        """Returns whether the limit is reached.

        - progress: The number of starts and ends of tests so far.
        """
        if progress != self._progress:
            self._progress = progress
            self._clock.restart()
        return self._limit > 0 and self._clock.seconds() >= self._limit

    def waited(self) -> float:
        """Returns the lived time since the last start or end, in seconds."""
        return self._clock.seconds()


def _read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def _pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def family(root: int, mark: str = "") -> list[int]:
    """Returns the process, its descendants, and all processes whose environment contains the mark."""
    parents: dict[int, list[int]] = {}
    marked: set[int] = set()
    for pid in _pids():
        stat = _read(pid, "stat")
        if ")" not in stat:
            continue
        parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(pid)
        if mark and f"{MARK}={mark}" in _read(pid, "environ").split(" "):
            marked.add(pid)
    found, queue = [], [root, *sorted(marked)]
    while queue:
        pid = queue.pop(0)
        if pid not in found and pid != os.getpid():
            found.append(pid)
            queue += parents.get(pid, [])
    return found


def _tail(pid: int, lines: int) -> list[str]:
    try:
        path = os.readlink(f"/proc/{pid}/fd/1")
        if not os.path.isfile(path):
            return []
        with open(path, "rb") as file:
            file.seek(max(os.path.getsize(path) - 16_384, 0))
            text = file.read().decode(errors="replace").splitlines()[-lines:]
        return [f"{path}:", *[f"  {line}" for line in text]]
    except OSError:
        return []


def describe(pid: int) -> list[str]:
    """Describes one process: command line, state, wait channel, kernel stack and the end of its log."""
    state = next((l.split(":", 1)[1].strip() for l in _read(pid, "status").splitlines() if l.startswith("State:")), "")
    if not state:
        return []
    lines = [f"process {pid}: {_read(pid, 'cmdline')[:300] or _read(pid, 'comm')}"]
    lines.append(f"  state {state}, waits in {_read(pid, 'wchan') or 'unknown'}")
    lines += [f"  {line}" for line in _read(pid, "stack").splitlines()[:8]]
    threads: dict[str, int] = {}
    for task in _tasks(pid):
        place = _read(pid, f"task/{task}/wchan") or "unknown"
        threads[place] = threads.get(place, 0) + 1
    if sum(threads.values()) > 1:
        lines.append("  threads: " + ", ".join(f"{count} in {place}" for place, count in sorted(threads.items())))
    return lines + [f"  {line}" for line in _tail(pid, 20)]


def _tasks(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def report(pids: list[int]) -> list[str]:
    """Returns the description of each process that still exists."""
    return [line for pid in pids for line in describe(pid)]


def _signal(pid: int, number: int) -> None:
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def end(root: int, mark: str = "", backtrace: bool = True) -> None:
    """Ends a process with its descendants.

    The test process gets SIGABRT first. Swift's runtime then prints the stacks of its threads.
    """
    first = family(root, mark)
    tests = [pid for pid in first if ".xctest" in _read(pid, "cmdline").split(" ")[0]]
    if backtrace and tests:
        for pid in tests:
            _signal(pid, signal.SIGABRT)
        deadline = time.monotonic() + _BACKTRACE_SECONDS
        while time.monotonic() < deadline and any(_is_alive(pid) for pid in tests):
            time.sleep(0.1)
    # init adopts the children of a dying parent. A second search may miss them, so `first` is used, too. `swift test`
    # itself is killed last, because it prints the rest of the output after the test process has ended.
    for _ in range(3):
        for pid in dict.fromkeys(first + family(root, mark)):
            if pid != root and _is_alive(pid):
                _signal(pid, signal.SIGKILL)
        deadline = time.monotonic() + 0.5
        while time.monotonic() < deadline and _is_alive(root):
            time.sleep(0.05)
    _signal(root, signal.SIGKILL)


@contextlib.contextmanager
def program(command: list[str], environment: dict[str, str], **options):
    """Starts a program as the value of a context, and waits until the program ends.

    A signal to the gate ends the program with its descendants.

    - options: More arguments for `subprocess.Popen`.
    """
    mark = uuid.uuid4().hex
    process = subprocess.Popen(command, cwd=ROOT, env={**environment, MARK: mark}, **options)
    try:
        yield process
        process.wait()
    except BaseException:
        # The program may have ended before its descendants, some of which ignore Ctrl-C.
        end(process.pid, mark, backtrace=False)
        process.wait()
        raise


def _is_alive(pid: int) -> bool:
    stat = _read(pid, "stat")
    return ")" in stat and stat.rsplit(")", 1)[1].split()[0] not in "ZX"
