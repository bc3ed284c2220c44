"""Runs seeds of the simulation with several processes until a seed is red."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

# The number of seeds of one process.
GROUP = 5
# The longest time of one seed, in seconds. The simulation itself ends a seed after 3,000,000 steps, which takes minutes.
HANG_SECONDS = 900.0
# The longest pause between two checks of the time, in seconds.
_CHECK_SECONDS = 0.2
_RED_LINE = re.compile(r"SIMULATION seed=(\d+) ")
_DONE_LINE = re.compile(r"^seed (\d+): [0-9a-f]{64}$")
_LOSS = "[loss] "
_CRASH_LINE = re.compile(r"Fatal error|CONTINUATION MISUSE")


@dataclass(frozen=True)
class Outcome:
    """The result of a run of seeds."""

    # The number of seeds from the first one to the red seed, also of those that the time limit stopped. Without a
    # red seed, the number of green seeds.
    seeds: int
    # The lowest red seed, or `None`.
    red: int | None = None
    # The first violation of the red seed.
    violation: str = ""
    # Whether the time limit ended the run before its last seed, or before the seeds below the red seed were green.
    is_stopped: bool = False


class _Group:
    """A process that runs a few consecutive seeds."""

    def __init__(self, first: int, count: int, process: subprocess.Popen) -> None:
        self.first, self.end, self.process = first, first + count, process
        # The seed that the process runs.
        self.seed = first
        # The time at which the seed started.
        self.began = time.monotonic()
        self.is_stopped = False

    def advance(self, seed: int) -> None:
        self.seed, self.began = seed, time.monotonic()

    def stop(self) -> None:
        """Ends the process."""
        self.is_stopped = True
        if self.process.poll() is None:
            self.process.kill()

    def remove_folder(self) -> None:
        """Removes the disk of a simulation that could not remove it itself."""
        for parent in ("/dev/shm", tempfile.gettempdir()):
            shutil.rmtree(Path(parent) / f"framefast-simulate-{self.process.pid}", ignore_errors=True)


class SeedRun:
    """One run of consecutive seeds. A crash and a seed that does not end count as red."""

    def __init__(
        self, command: tuple[str, ...], processes: int = os.cpu_count() or 1, group: int = GROUP,
        hang_seconds: float = HANG_SECONDS,
    ) -> None:
        """Prepares a run.

        - command: The simulation, without arguments.
        - processes: The number of processes at the same time.
        - group: The number of seeds of one process.
        """
        self._command, self._processes, self._group, self._hang_seconds = command, processes, group, hang_seconds
        # Without this variable, a crash prints the stacks of all threads, which takes seconds.
        self._environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no"}
        self._lock = threading.RLock()
        self._groups: set[_Group] = set()
        self._next = self._end = 0
        self._green: set[int] = set()
        self._red: tuple[int, str] | None = None
        self._is_stopped = False
        self._error: Exception | None = None

    def run(self, first: int, count: int, limit_seconds: float) -> Outcome:
        """Runs the seeds in order, until one is red or the time limit is reached.

        All seeds before the red seed are green, unless the outcome says that the time limit stopped the run.

        Raises `OSError` if the simulation cannot start.
        """
        deadline = time.monotonic() + limit_seconds
        self._next, self._end = first, first + count
        threads = [threading.Thread(target=self._run_groups) for _ in range(self._processes)]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(_CHECK_SECONDS)
                    self._check_time(deadline)
        finally:
            self._stop()
            for thread in threads:
                thread.join()
        if self._error:
            raise self._error
        if self._red:
            seed, violation = self._red
            green = sum(each < seed for each in self._green)
            return Outcome(seed - first + 1, seed, violation, is_stopped=green < seed - first)
        return Outcome(len(self._green), is_stopped=len(self._green) < count)

    def _check_time(self, deadline: float) -> None:
        now = time.monotonic()
        with self._lock:
            for group in list(self._groups):
                if not group.is_stopped and now - group.began > self._hang_seconds:
                    self._record(group.seed, f"the seed did not end in {self._hang_seconds:.0f} s")
                    group.stop()
            if now > deadline:
                self._stop()

    def _stop(self) -> None:
        with self._lock:
            self._is_stopped = True
            for group in self._groups:
                group.stop()

    def _run_groups(self) -> None:
        try:
            while group := self._start():
                try:
                    self._read(group)
                finally:
                    group.stop()
                    group.process.wait()
                    group.process.stdout.close()
                    group.remove_folder()
                    with self._lock:
                        self._groups.discard(group)
        except Exception as error:
            self._error = error
            self._stop()

    def _start(self) -> _Group | None:
        with self._lock:
            end = self._red[0] if self._red else self._end
            if self._is_stopped or self._next >= end:
                return None
            first, count = self._next, min(self._group, self._end - self._next)
            self._next += count
            process = subprocess.Popen(
                [*self._command, "--first", str(first), "--seeds", str(count), "--digests"], env=self._environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                errors="replace")
            group = _Group(first, count, process)
            self._groups.add(group)
            return group

    def _read(self, group: _Group) -> None:
        """Reads the output of a group until a seed is red or the process ends."""
        red, crash = None, ""
        for line in group.process.stdout:
            if found := _DONE_LINE.match(line):
                with self._lock:
                    self._green.add(int(found[1]))
                    group.advance(int(found[1]) + 1)
            elif found := _RED_LINE.search(line):
                red = int(found[1])
            elif red is not None and _LOSS in line:
                return self._record(red, line.split(_LOSS, 1)[1].strip())
            elif _CRASH_LINE.search(line):
                crash = line.strip()
        status = group.process.wait()
        if not group.is_stopped and group.seed < group.end:
            self._record(group.seed, crash or f"the program ended with {_words(status)}")

    def _record(self, seed: int, violation: str) -> None:
        """Records a red seed, and stops the groups of later seeds."""
        with self._lock:
            if self._red is None or seed < self._red[0]:
                self._red = (seed, violation)
            for group in self._groups:
                if group.first > self._red[0]:
                    group.stop()


def _words(status: int) -> str:
    try:
        return signal.Signals(-status).name if status < 0 else f"status {status}"
    except ValueError:
        return f"signal {-status}"
