"""The gate: prepares, builds, runs the tests in parts and evaluates the results."""

import contextlib
import dataclasses
import datetime
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import ledger
import next_steps
import night
import parts
import preparation
import quarantine
import report
from events import stable_id
from night_table import Row, Section, row_if_stopped
from part_run import Result, Runner
from preparation import Stop
from second_look import SecondLook, look_again
from verdict import bad_skips, sort_failures

ROOT = parts.ROOT
HUNG = 70
# Environment variables for runs of several hours, in which a test may exceed the limit of the hang guard.
_LONG_RUNS = (
    "FRAMEFAST_LARGE_MOVIE", "FRAMEFAST_REREAD_PHOTOS", "FRAMEFAST_STATION_PHOTOS", "FRAMEFAST_RANDOM_SETS",
    "FRAMEFAST_SOAK_MINUTES",
)


class Gate:
    """One run of `scripts/test`."""

    def __init__(self, environment: dict[str, str], seed: int, runner: Runner | None = None) -> None:
        self.seed = seed
        self.environment = {
            **environment, "FRAMEFAST_TEST_SEED": str(seed), "FRAMEFAST_GATE": str(os.getpid()),
            next_steps.VARIABLE: str(next_steps.FILE),
        }
        self.runner = runner or Runner(self.environment)
        self.quarantine: dict = {}
        self.results: list[Result] = []
        self.skips: dict[str, str] = {}
        self.unsteady: list[SecondLook] = []
        self.failures: list[str] = []
        self.failed: list[str] = []
        self.hung = False
        self._servers: preparation.Servers | None = None
        self._began = self._part_began = time.monotonic()
        self._part = ""

    def begin(self, name: str) -> None:
        """Prints the name of a step and the duration of the previous step."""
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

    def run_together(self, commands: dict[str, list[str]]) -> None:
        """Runs programs in parallel, and prints the output of each when it ends. A failure ends the gate."""
        self.begin(", ".join(commands))
        with contextlib.ExitStack() as stack:
            started = []
            for name, command in commands.items():
                output = stack.enter_context(tempfile.TemporaryFile())
                process = subprocess.Popen(
                    command, cwd=ROOT, env=self.environment, stdout=output, stderr=subprocess.STDOUT)
                stack.callback(_end, process)
                started.append((name, output, process))
            failed = []
            for name, output, process in started:
                if status := process.wait():
                    failed.append(f"{name} failed (status {status})")
                output.seek(0)
                print(output.read().decode(errors="replace"), end="", flush=True)
        if failed:
            raise Stop(1, "; ".join(failed))

    def prepare(self) -> None:
        """Installs the build requirements, fetches the libraries, and starts the installation of the servers."""
        preparation.install(self.environment)
        self._servers = preparation.Servers(self.environment)
        preparation.resolve(self.environment)

    def build(self) -> None:
        """Builds the programs and the tests, and waits for the servers."""
        self.step("Build", ["swift", "build", "--build-tests"])
        self.wait_for_servers()

    def wait_for_servers(self) -> None:
        """Waits until the servers are installed."""
        self._servers.wait()

    def close(self) -> None:
        """Cancels the installation of the servers if the gate ends first."""
        if self._servers:
            self._servers.close()

    def tests(self, part: parts.Part, extra: tuple[str, ...] = ()) -> Result:
        """Runs a part, evaluates it, and repeats failed tests where the rules permit it."""
        self.begin(part.name)
        result = self.runner.run(part, extra)
        self.results.append(result)
        self.skips.update(result.run.skips)
        self.evaluate(result)
        return result

    def evaluate(self, result: Result) -> None:
        """Adds the failures of a part to the gate's lists."""
        verdict = sort_failures(result, self.quarantine)
        self.hung |= bool(result.hung)
        lines: list[str] = []
        for failure in verdict.red:
            lines += report.failure(failure, self.seed) + ([] if failure.test else report.clues(result))
        for failure in verdict.quarantined:
            print("\n".join(["QUARANTINE: not counted", *report.failure(failure, self.seed)]))
        if verdict.red:
            # The gate has already failed, so a second look cannot change the result.
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

    def check_skips(self) -> None:
        """Prints the skipped tests. On a build server, every skip without `nightly:` is a failure."""
        for line in report.skips(self.skips):
            print(line)
        bad = bad_skips(self.skips)
        if not bad:
            return
        if self.environment.get("CI", "") not in ("", "0", "false"):
            self.failed.append("Skips")
            self.failures += ["-- Skips", *[f"✘ {test}: {reason}" for test, reason in sorted(bad.items())]]
        else:
            print(f"warning: {len(bad)} tests cannot run on this machine; a build server (CI is set) fails for them.")

    def nightly(self) -> dict[str, str]:
        """Returns the tests that the gate skipped because they run only at night, with their reasons."""
        return {test: reason for test, reason in sorted(self.skips.items()) if reason.startswith("nightly:")}

    def check_quarantine(self) -> None:
        """Prints a warning for each quarantine entry without a test."""
        known = {stable_id(test) for result in self.results for test in result.run.functions}
        for test in sorted(set(self.quarantine) - known):
            print(f"warning: Tests/quarantine.txt has an entry without a test in this run: {test}")

    def check_next_steps(self, text: str) -> None:
        """Prints the table of the conditions' next steps, and adds the faults of the table to the failures.

        - text: The text of the table's file.
        """
        runs = [found.run for found in self.results] + [look.result.run for look in self.unsteady]
        lines, faults = next_steps.table(text, runs)
        print("\n".join(lines))
        if faults:
            self.failed.append("Next steps of conditions")
            self.failures += ["-- Next steps of conditions", *faults]

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


def _end(process: subprocess.Popen) -> None:
    """Ends a running program when the gate ends."""
    if process.poll() is None:
        process.kill()
        process.wait()


def _shown(path: Path) -> str:
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)


def commit() -> str:
    """Returns the short name of the current commit, with a `+` if the work tree has changes."""
    run = lambda *words: subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return (run("rev-parse", "--short", "HEAD") or "unknown") + ("+" if run("status", "--porcelain", "-uno") else "")


def run_gate(gate: Gate, programs: parts.Part | None = parts.programs()) -> int:
    """Runs the gate and prints its result. Omits the tests with programs if `programs` is `None`."""
    whole_gate(gate, programs)
    return gate.finish()


def whole_gate(gate: Gate, programs: parts.Part | None = parts.programs()) -> None:
    """Runs the steps of the gate, without its closing lines."""
    gate.quarantine, errors = quarantine.load()
    if errors:
        raise Stop(1, "Tests/quarantine.txt: " + "; ".join(errors))
    gate.prepare()
    gate.run_together({
        "Format": [
            "swift", "format", "lint", "--strict", "--recursive", "--parallel", "Package.swift", "Sources", "Tests",
            "Benchmarks", "Tools",
        ],
        "Gate's own tests": [
            sys.executable, "-B", "-m", "unittest", "discover", "--start-directory", str(Path(__file__).parent),
        ],
        "Service rig's own tests": [
            sys.executable, "-B", "-m", "unittest", "discover", "--start-directory", str(ROOT / "Tests/ServiceRig"),
        ],
        "Distribution test's own tests": [
            sys.executable, "-B", "-m", "unittest", "discover", "--start-directory", str(ROOT / "Tests/Rig/Distro"),
        ],
        "Mutations' own tests": [
            sys.executable, "-B", "-m", "unittest", "discover", "--start-directory", str(ROOT / "Tests/Rig/Mutations"),
        ],
        "Benchmarks' own tests": [
            sys.executable, "-B", "-m", "unittest", "discover", "--start-directory", str(ROOT / "Benchmarks/bench"),
            "--top-level-directory", str(ROOT / "Benchmarks"),
        ],
    })
    gate.build()
    next_steps.FILE.unlink(missing_ok=True)
    gate.tests(parts.values())
    if programs:
        gate.tests(programs)
        gate.check_next_steps(next_steps.read())
        gate.check_quarantine()
        night.remember(commit(), gate.nightly())
    gate.check_skips()


def run_some(gate: Gate, part: parts.Part, extra: tuple[str, ...] = (), repeat: int = 1) -> int:
    """Runs some tests without a second look, for development."""
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


def run_night(gate: Gate, stages: tuple[str, ...] = night.STAGES) -> int:
    """Runs the stages of the night, the gate first, and writes the table.

    Without the stage `gate`, this function reads the list of nightly tests from the last gate and builds the tests, if a stage
    needs them.
    """
    rows: list[Row] = []
    revision = commit()
    section = Section(datetime.datetime.now(datetime.timezone.utc), revision, gate.seed)

    def done(row: Row) -> None:
        rows.append(row)
        section.write(rows)

    def gate_done() -> None:
        for result in gate.results:
            done(night.row(result, gate.seed))

    def stopped_gate() -> Row:
        gate_done()
        return Row("Gate", seed=gate.seed, stopped=f"{len(gate.results)} of 2 parts")

    nightly: dict[str, str] = {}
    if "gate" in stages:
        with row_if_stopped(done, stopped_gate):
            whole_gate(gate)
        nightly = gate.nightly()
        gate_done()
    elif not set(stages) <= night.OWN_BUILD:
        nightly = night.remembered(revision)
        gate.prepare()
        gate.build()
    environment = {**gate.environment, "FRAMEFAST_TEST_NIGHT": "1", "FRAMEFAST_TEST_ALL": "1"}
    night.Night(Runner(environment), gate.seed, nightly, done).run(stages)
    for row in rows[len(gate.results):]:
        if row.failures:
            gate.failed.append(row.name)
            gate.failures.append(f"-- {row.name}")
            for failure in row.failures:
                gate.failures += report.failure(failure, row.seed)
        if row.below:
            print(f"== {row.name}: failed in one of {night.MEASUREMENTS} runs, not counted")
            print("\n".join(line for failure in row.below for line in report.failure(failure, row.seed)))
    # `whole_gate` has already checked the skips of the gate. Only the other skips remain.
    gate.skips = {t: reason for row in rows for t, reason in row.skips.items() if t not in gate.skips}
    gate.check_skips()
    print(f"== Night{section.write(rows)}\nThe table is in Tests/NIGHT.md.")
    return gate.finish()
