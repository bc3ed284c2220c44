"""Runs the tests of a part with `swift test`, follows its event stream, and ends it when it hangs."""

import contextlib
import os
import re
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import hang
import machine
from events import VERSION, Run, stable_id
from parts import ROOT, Part

FOLDER = ROOT / ".build/gate"
# The variable with the path of the file of running tests. The traits `.programs` and `.blocking` write to this file which
# tests hold their tokens. The tokens limit how many of these tests run at a time.
RUNNING = "FRAMEFAST_TEST_RUNNING"
_POLL_SECONDS = 0.2
# The message of `swift test` about a crash of its test process. A crash of a program in a test looks different.
_CRASH = re.compile(r"error: (Process '[^']*\.xctest\b[^']*' )?exited with unexpected signal code \d+", re.IGNORECASE)


@dataclass
class Result:
    """The result of one call of `swift test`."""

    part: Part
    run: Run
    exit_code: int
    # The reason why the hang guard or the time limit ended the run, or "".
    hung: str
    seconds: float
    log: Path
    # The load of the machine at the first failure of a test, by test id.
    load: dict[str, str] = field(default_factory=dict)
    # The ids of the tests that held tokens: those with `.programs` or `.blocking`.
    held: set[str] = field(default_factory=set)

    @property
    def crash_line(self) -> str:
        """The line in which `swift test` reports that its test process crashed, or ""."""
        return next((l for l in _lines(self.log) if _CRASH.search(l)), "")

    @property
    def closing_line(self) -> str:
        """The closing line of `swift test`, with its symbol."""
        lines = [l for l in _lines(self.log) if "Test run with " in l]
        return lines[-1] if lines else ""


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def arguments(part: Part, events: Path, extra: tuple[str, ...] = ()) -> list[str]:
    """Returns the command line of a part."""
    line = ["swift", "test", "--skip-build", "--disable-xctest"]
    line += ["--event-stream-output-path", str(events), "--event-stream-version", VERSION]
    if part.width == 1:
        line.append("--no-parallel")
    else:
        line += ["--experimental-maximum-parallelization-width", str(part.width)]
    for expression in part.filters:
        line += ["--filter", expression]
    for expression in part.skips:
        line += ["--skip", expression]
    return [*line, *extra]


class Runner:
    """Runs command lines as parts. Tests of the gate replace the command."""

    def __init__(self, environment: dict[str, str], folder: Path = FOLDER, command=arguments, out=None) -> None:
        self.environment, self.folder, self.command = environment, folder, command
        self.out = out or sys.stdout
        # The current or last run. If a signal stops it, the result has the events so far.
        self.latest: Result | None = None

    def run(self, part: Part, extra: tuple[str, ...] = (), echo: bool = True) -> Result:
        """Runs a part to its end, or until the hang guard or the time limit ends it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        events, log = self.folder / f"{part.slug}.jsonl", self.folder / f"{part.slug}.log"
        busy = self.folder / f"{part.slug}.running"
        events.unlink(missing_ok=True)
        busy.write_text("")
        mark = uuid.uuid4().hex
        run, load, hung = Run(root=str(ROOT)), {}, ""
        self.latest = Result(part, run, -1, "", 0, log, load)
        began = time.monotonic()
        process = subprocess.Popen(
            self.command(part, events, extra), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True, env={**self.environment, hang.MARK: mark, RUNNING: str(busy)},
        )
        reader = threading.Thread(target=self._relay, args=(process.stdout, log, echo), daemon=True)
        reader.start()
        places = Places(busy)
        try:
            hung = self._follow(process, part, events, run, load, places, mark)
        finally:
            if process.poll() is None:
                hang.end(process.pid, mark, backtrace=bool(hung))
        code = process.wait()
        # A leftover program of a test may keep the pipe open.
        reader.join(10)
        places.read(time.monotonic())
        self.latest = Result(part, run, code, hung, time.monotonic() - began, log, load, places.held)
        return self.latest

    def _follow(self, process, part: Part, events: Path, run: Run, load: dict, places, mark: str) -> str:
        tail, guard, began = _Tail(events), hang.HangGuard(part.hang_seconds), time.monotonic()
        while True:
            is_over = process.poll() is not None
            for line in tail.lines():
                known = len(run.issues)
                run.feed(line, time.monotonic())
                for issue in run.issues[known:]:
                    load.setdefault(issue.test, machine.describe())
            if is_over:
                return ""
            for name in places.slow(time.monotonic()):
                print(f"== Still running after {Places.SLOW_SECONDS:.0f} s: {name}", file=self.out, flush=True)
            reason = ""
            if guard.expired(run.progress):
                reason = f"no test started or finished for {guard.waited():.0f} s"
            elif 0 < part.limit_seconds <= time.monotonic() - began:
                reason = f"{part.name} took more than {part.limit_seconds / 60:.0f} minutes"
            if reason:
                self._report(reason, process.pid, run, places, mark)
                return reason
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_POLL_SECONDS)

    def _report(self, reason: str, pid: int, run: Run, places, mark: str) -> None:
        say = lambda line: print(line, file=self.out, flush=True)
        say(f"== HANG: {reason} ({machine.describe()})")
        now, running = time.monotonic(), run.running()
        for name, since in places.open.items():
            say(f"Holds tokens: {name}, for {now - since:.0f} s")
        say(f"Tests that started and did not finish: {len(running)}; some may wait for tokens")
        for test, case, since in running[:40]:
            say(f"  {stable_id(test)}{f' ({case})' if case else ''}, for {now - since:.0f} s")
        for line in hang.report(hang.family(pid, mark)):
            say(line)

    def _relay(self, pipe, log: Path, echo: bool) -> None:
        with pipe, open(log, "w", encoding="utf-8") as file:
            for data in pipe:
                line = data.decode(errors="replace")
                file.write(line)
                file.flush()
                if echo:
                    # If the gate cannot print, it must still read the pipe. Otherwise the tests block.
                    with contextlib.suppress(OSError, ValueError):
                        self.out.write(line)
                        self.out.flush()


class Places:
    """The tests that currently hold their tokens, as the tests' traits record them.

    The event stream does not distinguish a running test from a test that waits for its tokens. Each line of the file is `+` or
    `-`, a tab, the id of the test, a comma, and `case` with a number.
    """

    SLOW_SECONDS = 120.0
    _CASE = re.compile(r", case \d+$")

    def __init__(self, path: Path) -> None:
        self._tail, self._told = _Tail(path), set()
        # The start times, by name.
        self.open: dict[str, float] = {}
        # The ids of all tests that have held tokens.
        self.held: set[str] = set()

    def slow(self, now: float) -> list[str]:
        """Reads the file and returns the tests that have become slow since the last call."""
        self.read(now)
        found = [n for n, since in self.open.items() if now - since >= self.SLOW_SECONDS and n not in self._told]
        self._told.update(found)
        return found

    def read(self, now: float) -> None:
        """Reads the lines that the tests have written since the last call."""
        for line in self._tail.lines():
            sign, _, name = line.partition("\t")
            if sign == "+":
                self.open[name] = now
                self.held.add(self._CASE.sub("", name))
            elif sign == "-":
                self.open.pop(name, None)


class _Tail:
    """A reader of the complete lines that were appended to a file since the last call."""

    def __init__(self, path: Path) -> None:
        self._path, self._offset, self._rest = path, 0, b""

    def lines(self) -> list[str]:
        """Returns the new lines."""
        try:
            with open(self._path, "rb") as file:
                file.seek(self._offset)
                data = file.read()
        except OSError:
            return []
        self._offset += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        return [line.decode(errors="replace") for line in whole if line]
