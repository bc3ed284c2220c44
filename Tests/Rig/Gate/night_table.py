"""The table of a night: a line for each call of `swift test` and each program, kept in Tests/NIGHT.md."""

import contextlib
import datetime
import time
from dataclasses import dataclass, field
from pathlib import Path

import machine
from parts import ROOT
from verdict import Failure

FILE = ROOT / "Tests/NIGHT.md"
_TITLE = "# Nightly runs\n\nEach section is one run of `scripts/test --night`, or of some of its stages.\n"


@dataclass
class Row:
    """One line of the night's table."""

    name: str
    tests: int = 0
    failures: list[Failure] = field(default_factory=list)
    seconds: float = 0
    totals: dict[str, int] = field(default_factory=dict)
    load: str = ""
    seed: int = 0
    # The skipped tests whose reason does not begin with `nightly:`, with the reason.
    skips: dict[str, str] = field(default_factory=dict)
    # Measurements that failed in too few runs to count.
    below: list[Failure] = field(default_factory=list)
    # The finished part of a run that a signal or a time limit stopped, for example "3 of 20 tests", or "".
    stopped: str = ""

    @property
    def title(self) -> str:
        """The name, and the finished part of a stopped run."""
        return f"{self.name}, stopped after {self.stopped}" if self.stopped else self.name


def table(date: datetime.datetime, commit: str, seed: int, rows: list[Row]) -> str:
    """Returns the section for Tests/NIGHT.md."""
    lines = [f"\n## {date:%Y-%m-%d %H:%M} UTC, {commit}, seed {seed}\n"]
    lines.append(
        "| part | seed | tests | failures | skips | faults | kills | photos | seeds | steps | time | load at the end |")
    lines.append("|" + "---|" * 12)
    for one in rows:
        count = lambda *nouns: sum(one.totals.get(noun, 0) for noun in nouns)
        lines.append(
            f"| {one.title} | {one.seed or ''} | {one.tests} | {len(one.failures)} | {len(one.skips)} "
            f"| {count('faults', 'points')} | {count('kills')} | {count('photos')} | {count('seeds')} | {count('steps')} "
            f"| {one.seconds / 60:.0f} min | {one.load} |"
        )
    for one in rows:
        lines += [f"- {one.name}: {failure.test or failure.reason}" for failure in one.failures]
        lines += [f"- {one.name}, in one run, not counted: {failure.test}" for failure in one.below]
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def row_if_stopped(done, row):
    """Writes a row if a signal stops the run, and lets the signal end the night.

    - done: Called with the row.
    - row: Returns the row, without time and load.
    """
    began = time.monotonic()
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        stopped = row()
        stopped.seconds, stopped.load = time.monotonic() - began, machine.describe()
        done(stopped)
        raise


class Section:
    """The section of one night at the end of Tests/NIGHT.md.

    It is written again with each row, so an interrupted night keeps its rows.
    """

    def __init__(self, date: datetime.datetime, commit: str, seed: int, file: Path = FILE) -> None:
        self._date, self._commit, self._seed, self._file = date, commit, seed, file
        self._before = file.read_text(encoding="utf-8") if file.exists() else _TITLE

    def write(self, rows: list[Row]) -> str:
        """Puts these rows into the section, and returns its text."""
        text = table(self._date, self._commit, self._seed, rows)
        self._file.write_text(self._before + text, encoding="utf-8")
        return text
