"""The gate behind `scripts/test`: prepares, builds, runs the tests in parts and judges them.

Exit status: 0 green, 1 red, 2 wrong arguments, 70 a test hung, 75 trouble with the network or apt.
"""

import dataclasses
import datetime
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import ledger
import machine
import night
import parts
import preparation
import quarantine
import report
from part_run import Result, Runner
from preparation import Stop
from second_look import SecondLook, look_again
from verdict import bad_skips, judge

ROOT = parts.ROOT
HUNG = 70
# Variables for runs of hours, in which a single test may take longer than the hang guard allows.
_LONG_RUNS = (
    "FRAMEFAST_LARGE_MOVIE", "FRAMEFAST_REREAD_PHOTOS", "FRAMEFAST_STATION_PHOTOS", "FRAMEFAST_RANDOM_SETS",
    "FRAMEFAST_SOAK_MINUTES",
)
USAGE = """usage: scripts/test                      everything: format, build, tests of values, programs and servers
       scripts/test --quick              without programs and servers
       scripts/test --area NAME          one area: {areas}
       scripts/test --filter REGEX       the tests whose id matches, like 'swift test'
       scripts/test --repeat N ...       the same, N times or until a failure
       scripts/test --servers            only what needs real upload servers
       scripts/test --all                every sweep whole
       scripts/test --night              everything three times, measurements, sanitizers, fuzzing; hours
       scripts/test --soak MINUTES       random sequences of faults
       scripts/test --sanitize thread|address [REGEX]
"""


class Gate:
    """One run of `scripts/test`."""

    def __init__(self, environment: dict[str, str], seed: int, runner: Runner | None = None) -> None:
        self.seed = seed
        self.environment = {**environment, "FRAMEFAST_TEST_SEED": str(seed), "FRAMEFAST_GATE": str(os.getpid())}
        self.runner = runner or Runner(self.environment)
        self.quarantine: dict = {}
        self.results: list[Result] = []
        self.skips: dict[str, str] = {}
        self.unsteady: list[SecondLook] = []
        self.failures: list[str] = []
        self.failed: list[str] = []
        self.hung = False
        self._began = self._part_began = time.monotonic()
        self._part = ""

    def begin(self, name: str) -> None:
        """Names a step, and how long the one before took."""
        now = time.monotonic()
        before = f" ({self._part} took {now - self._part_began:.0f} s)" if self._part else ""
        print(f"== {name}{before}")
        self._part, self._part_began = name, now

    def step(self, name: str, command: list[str]) -> None:
        """Runs a program whose failure ends the gate."""
        self.begin(name)
        status = subprocess.run(command, cwd=ROOT, env=self.environment).returncode
        if status:
            raise Stop(1, f"{name} failed (status {status})")

    def prepare(self) -> None:
        """Installs what the tests need, and fetches the libraries."""
        preparation.install(self.environment)
        preparation.resolve(self.environment)

    def build(self) -> None:
        """Builds the programs and the tests."""
        self.step("Build", ["swift", "build", "--build-tests"])

    def tests(self, part: parts.Part, extra: tuple[str, ...] = ()) -> Result:
        """Runs a part, judges it, and looks again where the rules allow that."""
        self.begin(part.name)
        result = self.runner.run(part, extra)
        self.results.append(result)
        self.skips.update(result.run.skips)
        self.judge(result)
        return result

    def judge(self, result: Result) -> None:
        """Sorts the failures of a part into the gate's lists."""
        verdict = judge(result, self.quarantine)
        self.hung |= bool(result.hung)
        lines: list[str] = []
        for failure in verdict.red:
            lines += report.failure(failure, self.seed) + ([] if failure.test else report.clues(result))
        for failure in verdict.quarantined:
            print("\n".join(["QUARANTINE: not counted", *report.failure(failure, self.seed)]))
        if verdict.red:
            # The gate is red already, so a second look cannot change it.
            for failure in verdict.second:
                lines += report.failure(failure, self.seed)
        else:
            for number, failure in enumerate(verdict.second, 1):
                lines += self._second_look(number, failure, result)
        if lines:
            self.failed.append(result.part.name)
            self.failures += [f"-- {result.part.name} (whole output: {_shown(result.log)})", *lines]

    def _second_look(self, number: int, failure, result: Result) -> list[str]:
        self.begin(f"Second look {number}: {failure.test}")
        look = look_again(failure, result, self.runner, number)
        self.hung |= bool(look.result.hung)
        if not look.is_green:
            return report.red_twice(look, self.seed)
        self.unsteady.append(look)
        message = failure.issues[0].first_line if failure.issues else "no message"
        now = datetime.datetime.now(datetime.timezone.utc)
        ledger.append(ledger.line(now, commit(), failure.test, message, look.load), ledger.path(self.environment))
        return []

    def judge_skips(self) -> None:
        """Prints the skipped tests; on a build server a skip for another reason than the night is red."""
        for line in report.skips(self.skips):
            print(line)
        bad = bad_skips(self.skips)
        if not bad:
            return
        if self.environment.get("CI") == "true":
            self.failed.append("Skips")
            self.failures += ["-- Skips", *[f"✘ {test}: {reason}" for test, reason in sorted(bad.items())]]
        else:
            print(f"warning: {len(bad)} tests cannot run on this machine; a build server (CI=true) fails for them.")

    def finish(self) -> int:
        """Prints the result, and returns the exit status."""
        seconds = time.monotonic() - self._began
        if self.unsteady:
            tests = sum(len(r.run.passed | r.run.failed) for r in self.results)
            print("\n".join(report.unsteady(self.unsteady, tests, self.seed)))
        if self.failures:
            print("== Failures")
            print("\n".join(self.failures))
            sys.stdout.flush()
            names = ", ".join(dict.fromkeys(self.failed))
            print(f"test: failed: {names} (after {seconds:.0f} s, seed {self.seed})", file=sys.stderr)
            return HUNG if self.hung else 1
        for result in self.results + [look.result for look in self.unsteady]:
            if result.closing_line:
                print(result.closing_line)
        unsteady = f", {len(self.unsteady)} UNSTEADY" if self.unsteady else ""
        print(f"All tests passed in {seconds:.0f} s{unsteady}.")
        return 0


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def commit() -> str:
    """The short name of the current commit, with a `+` if the work tree has changes."""
    run = lambda *words: subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return (run("rev-parse", "--short", "HEAD") or "unknown") + ("+" if run("status", "--porcelain", "-uno") else "")


def usage(sentence: str) -> Stop:
    """The error for wrong arguments."""
    print(USAGE.format(areas=", ".join(sorted(parts.AREAS))), file=sys.stderr)
    return Stop(2, sentence)


def run_gate(gate: Gate, quick: bool) -> int:
    """The whole gate."""
    gate.quarantine, errors = quarantine.load()
    if errors:
        raise Stop(1, "Tests/quarantine.txt: " + "; ".join(errors))
    whole_gate(gate, quick)
    return gate.finish()


def whole_gate(gate: Gate, quick: bool = False) -> None:
    """The steps of the gate, without its closing lines."""
    gate.prepare()
    gate.step("Format", [
        "swift", "format", "lint", "--strict", "--recursive", "--parallel", "Package.swift", "Sources", "Tests",
        "Benchmarks", "Tools",
    ])
    gate.step("Gate's own tests", [
        sys.executable, "-B", "-m", "unittest", "discover", "--start-directory", str(Path(__file__).parent),
    ])
    gate.build()
    gate.tests(parts.values())
    if not quick:
        gate.tests(parts.programs())
    gate.judge_skips()


def run_some(gate: Gate, part: parts.Part, extra: tuple[str, ...] = (), repeat: int = 1) -> int:
    """Some tests, for a person who works on them: no second look."""
    if any(name in gate.environment for name in _LONG_RUNS):
        part = dataclasses.replace(part, hang_seconds=0)
    gate.prepare()
    gate.build()
    for number in range(1, repeat + 1):
        name = f"{part.name}, run {number} of {repeat}" if repeat > 1 else part.name
        gate.tests(dataclasses.replace(part, name=name), extra)
        if gate.failures:
            break
    for line in report.skips(gate.skips):
        print(line)
    return gate.finish()


def run_night(gate: Gate) -> int:
    """The gate, then the long form, then the table."""
    gate.quarantine, errors = quarantine.load()
    if errors:
        raise Stop(1, "Tests/quarantine.txt: " + "; ".join(errors))
    whole_gate(gate)
    nightly = sorted(test for test, reason in gate.skips.items() if reason.startswith("nightly:"))
    environment = {**gate.environment, "FRAMEFAST_TEST_NIGHT": "1", "FRAMEFAST_TEST_ALL": "1"}
    rows = [night.row(result, gate.seed) for result in gate.results]
    rows += night.run(Runner(environment), gate.seed, nightly)
    for row in rows[len(gate.results):]:
        if row.failures:
            gate.failed.append(row.name)
            gate.failures.append(f"-- {row.name}")
            for failure in row.failures:
                gate.failures += report.failure(failure, row.seed)
    text = night.table(datetime.datetime.now(datetime.timezone.utc), commit(), gate.seed, rows)
    night.append(text)
    print(f"== Night{text}\nThe table is in Tests/NIGHT.md.")
    return gate.finish()


def command(words: list[str], environment: dict[str, str]):
    """Reads the arguments.

    - Returns: Whether the run waits for a calm machine, and the function that runs it on a gate.
    """
    repeat = 1
    if words[:1] == ["--repeat"]:
        if len(words) < 2 or not words[1].isdigit() or int(words[1]) < 1:
            raise usage("--repeat needs a number of runs.")
        repeat, words = int(words[1]), words[2:]
        if not words:
            raise usage("--repeat needs tests: --area NAME or --filter REGEX.")
    match words:
        case []:
            return True, lambda gate: run_gate(gate, quick=False)
        case ["--quick"]:
            return True, lambda gate: run_gate(gate, quick=True)
        case ["--all"]:
            environment["FRAMEFAST_TEST_ALL"] = "1"
            return True, lambda gate: run_gate(gate, quick=False)
        case ["--night"]:
            return True, run_night
        case ["--servers"]:
            return False, lambda gate: run_some(gate, parts.servers(), repeat=repeat)
        case ["--area", name] if name in parts.AREAS:
            return False, lambda gate: run_some(gate, parts.area(name), repeat=repeat)
        case ["--area", *_]:
            raise usage("--area needs the name of an area.")
        case ["--soak", minutes] if minutes.isdigit():
            environment["FRAMEFAST_SOAK_MINUTES"] = minutes
            part = parts.Part("Random faults", filters=(r"\.CampaignTests/",), width=1)
            return False, lambda gate: run_some(gate, part)
        case ["--soak", *_]:
            raise usage("--soak needs a number of minutes.")
        case ["--sanitize", *rest]:
            return False, lambda gate: _sanitize(gate, rest)
        case ["--help" | "-h"]:
            print(USAGE.format(areas=", ".join(sorted(parts.AREAS))))
            raise Stop(0)
        case _:
            part = parts.Part("Chosen tests", hang_seconds=600)
            return False, lambda gate: run_some(gate, part, tuple(words), repeat)


def _sanitize(gate: Gate, rest: list[str]) -> int:
    gate.prepare()
    return subprocess.run(["scripts/test-sanitized", *rest], cwd=ROOT, env=gate.environment).returncode


def seed_of(words: list[str], environment: dict[str, str]) -> int:
    """The seed of the run: the given one, at night a fresh one, else the gate's."""
    given = environment.get("FRAMEFAST_TEST_SEED", "")
    if given.isdigit():
        return int(given)
    return night.fresh_seed() if "--night" in words else parts.GATE_SEED


def main(words: list[str]) -> int:
    """Runs `scripts/test` with these arguments."""
    sys.stdout.reconfigure(line_buffering=True, errors="replace")
    # Ends the tests, too, when the build server ends the gate or the terminal closes.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    environment = dict(os.environ)
    try:
        waits, run = command(words, environment)
        seed = seed_of(words, environment)
        print(f"Seed {seed} (FRAMEFAST_TEST_SEED={seed} repeats this run)")
        # A gate inside a test of a gate must not wait for the one around it.
        lock = machine.lock() if "FRAMEFAST_GATE" not in environment else None
        if waits and environment.get("FRAMEFAST_TEST_NO_WAIT") != "1":
            machine.wait_until_calm("avg60", machine.CALM_WAIT_SECONDS)
        status = run(Gate(environment, seed))
        if lock is not None:
            os.close(lock)
        return status
    except Stop as stop:
        if str(stop):
            print(f"{'' if stop.status == preparation.INFRASTRUCTURE else 'test: '}{stop}", file=sys.stderr)
        return stop.status
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
