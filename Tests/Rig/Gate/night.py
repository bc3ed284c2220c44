"""The night: every case three times, measurements one at a time, random faults, the simulation, goals of benchmarks,
sanitizers, fuzzing, and other Debian releases.

The night runs in stages, which can be distributed over several nights. The totals go into Tests/NIGHT.md.
"""

import dataclasses
import datetime
import itertools
import json
import os
import re
import sys
from pathlib import Path

import hang
import machine
from events import Run, filter_for
from night_table import Row, row_if_stopped
from part_run import FOLDER, Result, Runner
from parts import ROOT, Part
from preparation import Stop
from simulation import Simulation
from verdict import Failure, always_red, bad_skips, sort_failures

sys.path.append(str(ROOT / "Benchmarks"))
from bench import goals  # noqa: E402

STAGES = (
    "gate", "cases", "measurements", "faults", "simulation", "benchmark", "sanitizers", "fuzzing", "distributions")
# The stages that need neither the debug build nor the list of nightly tests.
OWN_BUILD = {"simulation", "benchmark"}
PASSES = 3
# A measurement fails the night if it fails in two of three runs, because one outlier does not change the median. Any other
# test fails the night if it fails once.
MEASUREMENTS = 3
_MEASURES = ("nightly: measures", "nightly: counts")
_MEASURED = "Measurements, alone"
# Minutes of random faults.
SOAK_MINUTES = 30
_HANG_SECONDS = 900.0
_LIMIT_SECONDS = 3 * 3600.0
# The file in which scripts/bench writes its figures.
FIGURES = FOLDER / "benchmark.json"
# The programs that run after the tests: stage, name and command line.
PROGRAMS = (
    ("benchmark", "Goals of benchmarks", [
        "scripts/bench", "group", "bulb", "interval", "sets", "live", "pages", "--check", "--json", str(FIGURES)]),
    ("sanitizers", "ThreadSanitizer", ["scripts/test-sanitized", "thread"]),
    ("sanitizers", "AddressSanitizer", ["scripts/test-sanitized", "address"]),
    ("fuzzing", "Fuzzing", ["scripts/fuzz", "60"]),
    ("distributions", "Debian releases", ["scripts/distro-test"]),
)
# Totals that tests print, for example "KillSweepTests: 60 kills, 120 photos".
_TOTAL = re.compile(r"\b(\d[\d,]*) (faults|photos|kills|points)\b")
_BASE = Part("Every case", second_look=True, hang_seconds=_HANG_SECONDS, limit_seconds=_LIMIT_SECONDS)


def totals(lines: list[str]) -> dict[str, int]:
    """Returns the sums of the totals that test suites printed."""
    found: dict[str, int] = {}
    for line in lines:
        if re.match(r"\w+Tests: ", line):
            for number, noun in _TOTAL.findall(line):
                found[noun] = found.get(noun, 0) + int(number.replace(",", ""))
    return found


def row(result: Result, seed: int) -> Row:
    """Returns the line for one call of `swift test`."""
    verdict = sort_failures(result, {})
    found = _row(result, seed, verdict.red + verdict.second)
    if result.hung:
        found.stopped = progress(result.run)
    return found


def stopped_row(result: Result, seed: int) -> Row:
    """Returns the line for a call of `swift test` that a signal stopped."""
    found = _row(result, seed, [Failure(test) for test in sorted(result.run.failed)])
    found.stopped = progress(result.run)
    return found


def progress(run: Run) -> str:
    """Returns how many of the known tests have ended or were skipped."""
    ended = run.passed | run.failed | run.skips.keys()
    return f"{len(ended)} of {len(ended | {test for test, is_function in run.functions.items() if is_function})} tests"


def _row(result: Result, seed: int, failures: list[Failure]) -> Row:
    try:
        lines = result.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    tests = len(result.run.passed | result.run.failed)
    return Row(
        result.part.name, tests, failures, result.seconds, totals(lines), machine.describe(), seed, bad_skips(result.run.skips))


def measured(rows: list[Row]) -> Row:
    """Returns the line of the measurements.

    A test is red if it failed in two of three runs. A loss, a crash and a failure of a whole run are red after one failure.
    """
    failed: dict[str, list[Failure]] = {}
    for one in rows:
        for failure in one.failures:
            failed.setdefault(failure.test, []).append(failure)
    best = Row(_MEASURED, seconds=sum(r.seconds for r in rows))
    for test, found in failed.items():
        found.sort(key=always_red, reverse=True)
        # A failure without a test is a failure of the whole run.
        is_red = not test or always_red(found[0]) or 2 * len(found) > MEASUREMENTS
        (best.failures if is_red else best.below).append(found[0])
    for one in rows:
        best.skips.update(one.skips)
    best.tests = max((r.tests for r in rows), default=0)
    best.load, best.seed = rows[-1].load, rows[-1].seed
    complete = sum(not r.stopped for r in rows)
    if complete < len(rows):
        best.stopped = f"{complete} of {len(rows)} runs"
    return best


class Night:
    """The stages after the gate. Each call of `swift test` has its own seed, counted up from the seed of the night."""

    def __init__(self, runner: Runner, seed: int, nightly: dict[str, str], done=lambda row: None, say=print) -> None:
        """Prepares a night.

        - nightly: IDs and reasons of the tests that run only at night. Measurements run one at a time.
        - done: Called with each line of the table when its run has ended.
        """
        self._runner, self._done, self._say = runner, done, say
        self._seeds = itertools.count(seed + 1)
        self._measures = tuple(filter_for(test) for test, reason in nightly.items() if reason.startswith(_MEASURES))

    def run(self, stages: tuple[str, ...], programs=PROGRAMS) -> None:
        """Runs these stages in the order of `STAGES`."""
        for stage, run in (
            ("cases", self._cases), ("measurements", self._measurements), ("faults", self._faults),
            ("simulation", self._simulation),
        ):
            if stage in stages:
                run()
        for stage, name, command in programs:
            if stage in stages:
                self._say(f"== {name}")
                writes_figures = str(FIGURES) in command
                if writes_figures:
                    FIGURES.parent.mkdir(parents=True, exist_ok=True)
                    FIGURES.unlink(missing_ok=True)
                of_stage = [other for place, other, _ in programs if place == stage]
                stopped = f"{of_stage.index(name)} of {len(of_stage)} programs"
                with row_if_stopped(self._done, lambda: Row(name, stopped=stopped)):
                    found = self._program(name, command)
                if writes_figures:
                    found.failures += missed_goals(FIGURES)
                self._done(found)

    def _cases(self) -> None:
        for number in range(1, PASSES + 1):
            self._say(f"== Every case, pass {number} of {PASSES}")
            self._write_one(f"Every case, pass {number}", skips=self._measures)

    def _measurements(self) -> None:
        if not self._measures:
            return
        rows: list[Row] = []

        def stopped() -> Row:
            found = measured(rows) if rows else Row(_MEASURED)
            found.stopped = f"{len(rows)} of {MEASUREMENTS} runs"
            return found

        with row_if_stopped(self._done, stopped):
            for number in range(1, MEASUREMENTS + 1):
                self._say(f"== Measurements, run {number} of {MEASUREMENTS}")
                runner, part, seed = self._prepare(f"Measurements {number}", filters=self._measures, width=1)
                rows.append(row(runner.run(part), seed))
        self._done(measured(rows))

    def _faults(self) -> None:
        self._say(f"== Random faults, {SOAK_MINUTES} minutes")
        self._write_one(
            "Random faults", {"FRAMEFAST_SOAK_MINUTES": str(SOAK_MINUTES)}, filters=(r"\.CampaignTests/",), width=1,
            hang_seconds=SOAK_MINUTES * 60 + _HANG_SECONDS,
        )

    def _simulation(self) -> None:
        self._say("== Simulation")
        simulation = Simulation(next(self._seeds), self._runner.environment, self._say)
        with row_if_stopped(self._done, lambda: simulation.row):
            began = datetime.datetime.now()
            simulation.run()
        simulation.row.seconds = (datetime.datetime.now() - began).total_seconds()
        simulation.row.load = machine.describe()
        self._done(simulation.row)

    def _write_one(self, name: str, environment: dict[str, str] | None = None, **changes) -> None:
        runner, part, number = self._prepare(name, environment, **changes)
        with row_if_stopped(self._done, lambda: stopped_row(runner.latest, number)):
            found = row(runner.run(part), number)
        self._done(found)

    def _prepare(self, name: str, environment: dict[str, str] | None = None, **changes) -> tuple[Runner, Part, int]:
        number, runner = next(self._seeds), self._runner
        whole = {**runner.environment, "FRAMEFAST_TEST_SEED": str(number), **(environment or {})}
        part = dataclasses.replace(_BASE, name=name, **changes)
        return Runner(whole, runner.folder, runner.command, runner.out), part, number

    def _program(self, name: str, command: list[str]) -> Row:
        # The programs run only the gate's tests, because sanitizers slow down all tests.
        night = ("FRAMEFAST_TEST_NIGHT", "FRAMEFAST_TEST_ALL")
        environment = {k: v for k, v in self._runner.environment.items() if k not in night}
        began = datetime.datetime.now()
        with hang.program(command, environment) as process:
            status = process.wait()
        failures = [Failure("", f"{' '.join(command)} ended with status {status}")] if status else []
        seconds = (datetime.datetime.now() - began).total_seconds()
        return Row(name, failures=failures, seconds=seconds, load=machine.describe())


def missed_goals(figures: Path) -> list[Failure]:
    """Returns a failure for each missed goal of the measured parts, or nothing if no part was measured.

    A benchmark that ends early may leave an incomplete file or figure, which is also a failure.
    """
    try:
        results = json.loads(figures.read_text(encoding="utf-8"))
        return [Failure("", str(goal)) for goal in goals.missed(results)]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError) as error:
        return [Failure("", f"the figures of the benchmarks cannot be read: {error!r}")]


def remember(commit: str, nightly: dict[str, str], folder: Path = FOLDER) -> None:
    """Stores the tests of a gate that run only at night, for stages that run without the gate."""
    (folder / "nightly.json").write_text(json.dumps({"commit": commit, "tests": nightly}), encoding="utf-8")


def remembered(commit: str, folder: Path = FOLDER) -> dict[str, str]:
    """Returns the tests of the last gate that run only at night. Ignores uncommitted changes.

    Raises `Stop` if no gate ran on this commit.
    """
    try:
        found = json.loads((folder / "nightly.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        found = {}
    if found.get("commit", "").rstrip("+") != commit.rstrip("+"):
        raise Stop(1, f"No gate ran on {commit}. Run 'scripts/test' first, or add the stage 'gate'.")
    return found["tests"]


def fresh_seed() -> int:
    """Returns a new random seed."""
    return int.from_bytes(os.urandom(4)) % 999_999_999 + 1
