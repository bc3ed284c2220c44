"""The night: every case three times, the measurements alone, random faults, sanitizers and fuzzing.

Its totals go into Tests/NIGHT.md.
"""

import dataclasses
import datetime
import itertools
import os
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import machine
from events import filter_for
from part_run import Result, Runner
from parts import ROOT, Part
from verdict import Failure, always_red, bad_skips, judge

FILE = ROOT / "Tests/NIGHT.md"
PASSES = 3
# A measurement is red if it fails in two of three runs: one value that is off does not move the median. Every other
# test of the night is red if it fails in one of them.
MEASUREMENTS = 3
_MEASURES = ("nightly: measures", "nightly: counts")
# Minutes of random faults.
SOAK_MINUTES = 30
_HANG_SECONDS = 900.0
_LIMIT_SECONDS = 3 * 3600.0
# Programs of the night after the tests: name and command line.
PROGRAMS = (
    ("ThreadSanitizer", ["scripts/test-sanitized", "thread"]),
    ("AddressSanitizer", ["scripts/test-sanitized", "address"]),
    ("Fuzzing", ["scripts/fuzz", "60"]),
)
# Totals that tests print, for example "KillSweepTests: 60 kills, 120 photos".
_TOTAL = re.compile(r"\b(\d[\d,]*) (faults|photos|kills|points)\b")


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
    # Tests that were skipped for another reason than the night.
    skips: dict[str, str] = field(default_factory=dict)
    # Measurements that failed in too few runs to count.
    below: list[Failure] = field(default_factory=list)


def totals(lines: list[str]) -> dict[str, int]:
    """The sums of the totals that test suites printed."""
    found: dict[str, int] = {}
    for line in lines:
        if re.match(r"\w+Tests: ", line):
            for number, noun in _TOTAL.findall(line):
                found[noun] = found.get(noun, 0) + int(number.replace(",", ""))
    return found


def row(result: Result, seed: int) -> Row:
    """The line for one call of `swift test`."""
    verdict = judge(result, {})
    try:
        lines = result.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    tests = len(result.run.passed | result.run.failed)
    return Row(
        result.part.name, tests, verdict.red + verdict.second, result.seconds, totals(lines), machine.describe(), seed,
        bad_skips(result.run.skips),
    )


def measured(rows: list[Row], reasons: dict[str, str]) -> Row:
    """The line of the night's own tests.

    - reasons: Why the gate skips each test, by id. A test that measures is red if it failed in two of three runs.
      Another test, a loss, a crash and a failure of a whole run are red at once.
    """
    failed: dict[str, list[Failure]] = {}
    for one in rows:
        for failure in one.failures:
            failed.setdefault(failure.test, []).append(failure)
    best = Row("Measurements, alone", seconds=sum(r.seconds for r in rows))
    for test, found in failed.items():
        found.sort(key=always_red, reverse=True)
        counts = not reasons.get(test, "").startswith(_MEASURES) or always_red(found[0])
        (best.failures if counts or 2 * len(found) > len(rows) else best.below).append(found[0])
    for one in rows:
        best.skips.update(one.skips)
    best.tests = max((r.tests for r in rows), default=0)
    best.load, best.seed = rows[-1].load, rows[-1].seed
    return best


def table(date: datetime.datetime, commit: str, seed: int, rows: list[Row]) -> str:
    """The section for Tests/NIGHT.md."""
    lines = [f"\n## {date:%Y-%m-%d %H:%M} UTC, {commit}, seed {seed}\n"]
    lines.append("| part | seed | tests | failures | skips | faults | photos | time | load at the end |")
    lines.append("|---|---|---|---|---|---|---|---|---|")
    for one in rows:
        faults = sum(one.totals.get(noun, 0) for noun in ("faults", "kills", "points"))
        lines.append(
            f"| {one.name} | {one.seed or ''} | {one.tests} | {len(one.failures)} | {len(one.skips)} | {faults} "
            f"| {one.totals.get('photos', 0)} | {one.seconds / 60:.0f} min | {one.load} |"
        )
    for one in rows:
        lines += [f"- {one.name}: {failure.test or failure.reason}" for failure in one.failures]
        lines += [f"- {one.name}, in one run, not counted: {failure.test}" for failure in one.below]
    return "\n".join(lines) + "\n"


def run(runner: Runner, seed: int, nightly: dict[str, str], say=print, programs=PROGRAMS) -> list[Row]:
    """Runs the night after the gate. Each pass has its own seed, counted up from the night's.

    - nightly: Ids and reasons of the tests that the gate skipped for the night. They run alone, at width 1.
    """
    seeds = itertools.count(seed + 1)

    def one(part: Part, more: dict[str, str] | None = None) -> Row:
        number = next(seeds)
        environment = {**runner.environment, "FRAMEFAST_TEST_SEED": str(number), **(more or {})}
        return row(Runner(environment, runner.folder, runner.command, runner.out).run(part), number)

    skips = tuple(filter_for(test) for test in nightly)
    base = Part("Every case", skips=skips, second_look=True, hang_seconds=_HANG_SECONDS, limit_seconds=_LIMIT_SECONDS)
    rows = []
    for number in range(1, PASSES + 1):
        say(f"== Every case, pass {number} of {PASSES}")
        rows.append(one(dataclasses.replace(base, name=f"Every case, pass {number}")))
    if skips:
        runs = []
        for number in range(1, MEASUREMENTS + 1):
            say(f"== Measurements, run {number} of {MEASUREMENTS}")
            part = dataclasses.replace(base, name=f"Measurements {number}", filters=skips, skips=(), width=1)
            runs.append(one(part))
        rows.append(measured(runs, nightly))
    say(f"== Random faults, {SOAK_MINUTES} minutes")
    soak = dataclasses.replace(
        base, name="Random faults", filters=(r"\.CampaignTests/",), skips=(), width=1,
        hang_seconds=SOAK_MINUTES * 60 + _HANG_SECONDS,
    )
    rows.append(one(soak, {"FRAMEFAST_SOAK_MINUTES": str(SOAK_MINUTES)}))
    for name, command in programs:
        say(f"== {name}")
        # Sanitizers slow every test down: they run the gate's form.
        usual = {k: v for k, v in runner.environment.items() if k not in ("FRAMEFAST_TEST_NIGHT", "FRAMEFAST_TEST_ALL")}
        rows.append(_program(name, command, usual))
    return rows


def _program(name: str, command: list[str], environment: dict[str, str]) -> Row:
    began = datetime.datetime.now()
    status = subprocess.run(command, cwd=ROOT, env=environment).returncode
    failures = [Failure("", f"{' '.join(command)} ended with status {status}")] if status else []
    seconds = (datetime.datetime.now() - began).total_seconds()
    return Row(name, failures=failures, seconds=seconds, load=machine.describe())


def append(text: str, file: Path = FILE) -> None:
    """Adds a section to Tests/NIGHT.md, and begins the file if it is missing."""
    if not file.exists():
        file.write_text("# Nightly runs\n\nEach section is one run of `scripts/test --night`.\n", encoding="utf-8")
    with open(file, "a", encoding="utf-8") as out:
        out.write(text)


def fresh_seed() -> int:
    """A seed that no run had before."""
    return int.from_bytes(os.urandom(4)) % 999_999_999 + 1
