"""The gate as a whole, with a small program in place of `swift test`."""

import contextlib
import dataclasses
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import gate as gates
import hang
import machine
import night
import parts
import preparation
import stream_samples as s
from part_run import Places, Runner, arguments

PART = parts.Part("Programs and servers", second_look=True, hang_seconds=30)
TEST = "ETests.Suite/case()/ETests.swift:3:6"

# Writes the records of argv[2] to the stream argv[1], prints, and exits with argv[3].
FAKE = """
import json, sys, time
with open(sys.argv[1], "w") as out:
    for record in json.loads(sys.argv[2]):
        out.write(json.dumps(record) + "\\n")
print("Test run with 1 test in 1 suite ended.", flush=True)
sys.exit(int(sys.argv[3]))
"""
# Starts a test that never ends and a child that left the process group.
HANGS = """
import json, subprocess, sys, time
with open(sys.argv[1], "w") as out:
    for record in json.loads(sys.argv[2]):
        out.write(json.dumps(record) + "\\n")
child = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=open(sys.argv[3], "w"))
open(sys.argv[3] + ".pid", "w").write(str(child.pid))
print("child started", flush=True)
time.sleep(1000)
"""


def green(*names):
    return [*[s.test(n) for n in names], *[r for n in names for r in s.passing(n)], s.END], 0


def red(name, text="waited 30 s", end=True):
    return [s.test(name), *s.failing(name, text), *([s.END] if end else [])], 1


class GateTestCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.screen = io.StringIO()
        self.runs: list = []

    def gate(self, *answers, environment=None) -> gates.Gate:
        """A gate whose calls of `swift test` get these answers, one after another."""
        left = list(answers)

        def command(part, events, extra):
            self.runs.append(part)
            records, code = left.pop(0)
            return [sys.executable, "-c", FAKE, str(events), json.dumps(records), str(code)]

        usual = {**os.environ, "FRAMEFAST_UNSTEADY_LEDGER": str(self.folder / "unsteady.tsv"), "CI": ""}
        found = gates.Gate({**usual, **(environment or {})}, 20251121)
        found.runner = Runner(found.environment, self.folder, command, self.screen)
        return found

    def finish(self, gate) -> tuple[int, str]:
        errors = io.StringIO()
        with contextlib.redirect_stdout(self.screen), contextlib.redirect_stderr(errors):
            status = gate.finish()
        return status, self.screen.getvalue() + errors.getvalue()

    def judge(self, gate, part=PART):
        with contextlib.redirect_stdout(self.screen), mock.patch("machine.wait_until_calm", lambda *_: True):
            gate.tests(part)


class FlowTests(GateTestCase):
    def test_a_green_run_ends_with_the_closing_line_of_swift_test(self):
        gate = self.gate(green(TEST))
        self.judge(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 0)
        self.assertIn("Test run with 1 test", text.splitlines()[-2])
        self.assertIn("All tests passed", text.splitlines()[-1])

    def test_red_twice_is_red_and_names_the_seed(self):
        gate = self.gate(red(TEST), red(TEST))
        self.judge(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 1)
        self.assertIn("FRAMEFAST_TEST_SEED=20251121 scripts/test --filter", text)
        self.assertIn("did not pass alone", text)
        self.assertFalse((self.folder / "unsteady.tsv").exists())

    def test_green_alone_passes_with_a_block_and_a_line_in_the_ledger(self):
        gate = self.gate(red(TEST), green(TEST))
        self.judge(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 0)
        self.assertIn("UNSTEADY 1 of 1", text)
        self.assertIn("waited 30 s", text)
        self.assertIn("1 UNSTEADY", text.splitlines()[-1])
        columns = (self.folder / "unsteady.tsv").read_text().split("\t")
        self.assertEqual((columns[2], columns[3]), (TEST, "waited 30 s"))
        # Alone, one at a time, and only this test.
        self.assertEqual((self.runs[1].width, len(self.runs[1].filters), self.runs[1].skips), (1, 1, ()))

    def test_a_second_look_in_which_the_test_did_not_run_is_red(self):
        gate = self.gate(red(TEST), green())
        self.judge(gate)
        self.assertEqual(self.finish(gate)[0], 1)

    def test_a_crash_in_the_second_look_is_red(self):
        gate = self.gate(red(TEST), ([s.test(TEST), s.event("testStarted", TEST)], 1))
        self.judge(gate)
        self.assertEqual(self.finish(gate)[0], 1)

    def test_loss_and_values_get_no_second_look(self):
        for part, text in ((PART, "[loss] missing"), (dataclasses.replace(PART, second_look=False), "slow")):
            gate = self.gate(red(TEST, text))
            self.judge(gate, part)
            self.assertEqual(self.finish(gate)[0], 1)

    def test_a_test_in_quarantine_is_printed_and_passes(self):
        gate = self.gate(red(TEST))
        gate.quarantine = {"ETests.Suite/case()": None}
        self.judge(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 0)
        self.assertIn("QUARANTINE", text)

    def test_a_skip_is_a_warning_here_and_red_on_a_build_server(self):
        for environment, expected in (({}, 0), ({"CI": "true"}, 1)):
            gate = self.gate(green(TEST), environment=environment)
            self.judge(gate)
            gate.skips = {"A.b()": "needs rclone", "A.c()": "nightly: minutes"}
            with contextlib.redirect_stdout(self.screen):
                gate.judge_skips()
            status, text = self.finish(gate)
            self.assertEqual(status, expected)
            self.assertIn("Skipped 2 tests: 1 for the night, 1 for other reasons.\n  skipped 1: needs rclone", text)

    def test_a_hang_is_named_and_ends_with_70_and_nothing_is_left(self):
        log = self.folder / "child.log"
        log.write_text("")
        records = [s.test(TEST), s.event("testStarted", TEST)]
        gate = self.gate()
        gate.runner.command = lambda part, events, extra: [
            sys.executable, "-c", HANGS, str(events), json.dumps(records), str(log)]
        with mock.patch("machine.pressure", lambda: {}):
            self.judge(gate, dataclasses.replace(PART, hang_seconds=1.5))
        status, text = self.finish(gate)
        self.assertEqual(status, gates.HUNG)
        self.assertIn("== HANG: no test started or finished for 2 s", text)
        self.assertIn("ETests.Suite/case(), for", text)
        self.assertIn("waiting for a place: ETests.Suite/case()", text)
        self.assertIn("sleep 1000", text)
        self.assertFalse(hang._is_alive(int(Path(f"{log}.pid").read_text())))


class PlacesTests(unittest.TestCase):
    def test_tells_once_which_test_is_slow(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "running"
            file.write_text("+\tA.b()\n+\tA.c()\n-\tA.b()\n")
            places = Places(file)
            self.assertEqual((places.slow(10), list(places.open)), ([], ["A.c()"]))
            self.assertEqual((places.slow(131), places.slow(132)), (["A.c()"], []))


class HangTests(unittest.TestCase):
    def test_finds_a_marked_process_that_left_its_parent(self):
        environment = {**os.environ, hang.MARK: "abc123"}
        parent = subprocess.Popen(
            [sys.executable, "-c", "import subprocess as s\n"
             "print(s.Popen(['sleep', '100'], start_new_session=True, stdout=s.DEVNULL).pid)"],
            env=environment, stdout=subprocess.PIPE, text=True)
        child = int(parent.communicate()[0])
        # The kernel shows an environment a moment after it shows the process.
        deadline = time.monotonic() + 10
        while child not in hang.family(parent.pid, "abc123") and time.monotonic() < deadline:
            time.sleep(0.01)
        self.addCleanup(lambda: hang._is_alive(child) and os.kill(child, signal.SIGKILL))
        self.assertIn(child, hang.family(parent.pid, "abc123"))
        self.assertTrue(any("sleep 100" in line for line in hang.describe(child)))
        hang.end(parent.pid, "abc123", backtrace=False)
        self.assertFalse(hang._is_alive(child))

    def test_a_process_that_is_gone_has_no_description(self):
        self.assertEqual(hang.describe(2**22 + 1), [])


class CommandTests(unittest.TestCase):
    def run_quietly(self, *words):
        with contextlib.redirect_stderr(io.StringIO()):
            return gates.command(list(words), {})

    def test_refuses_wrong_arguments_with_2(self):
        for words in (["--area"], ["--area", "kitchen"], ["--soak"], ["--soak", "x"], ["--repeat", "0"], ["--repeat", "3"]):
            with self.assertRaises(preparation.Stop) as caught:
                self.run_quietly(*words)
            self.assertEqual(caught.exception.status, 2)

    def test_only_whole_gates_wait_for_a_calm_machine(self):
        for words, waits in ((), True), (("--quick",), True), (("--area", "api"), False), (("--filter", "x"), False):
            self.assertEqual(self.run_quietly(*words)[0], waits)

    def test_the_seed_is_constant_by_day_given_or_fresh_at_night(self):
        self.assertEqual(gates.seed_of([], {}), parts.GATE_SEED)
        self.assertEqual(gates.seed_of(["--night"], {"FRAMEFAST_TEST_SEED": "7"}), 7)
        self.assertNotEqual(gates.seed_of(["--night"], {}), gates.seed_of(["--night"], {}))

    def test_the_command_line_has_width_and_filters(self):
        line = arguments(parts.values(), Path("/x"))
        self.assertEqual(line.count("--skip"), len(parts.PROGRAMS))
        self.assertIn(str(parts.width()), line)
        self.assertIn("--no-parallel", arguments(parts.Part("a", width=1), Path("/x")))

    def test_a_second_gate_waits_for_the_lock(self):
        with tempfile.TemporaryDirectory() as folder:
            path, said = Path(folder) / "lock", []
            first = machine.lock(path, said.append)
            program = "import machine, pathlib, sys; machine.lock(pathlib.Path(sys.argv[1])); print('in')"
            second = subprocess.Popen(
                [sys.executable, "-u", "-c", program, str(path)], cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True)
            self.assertIn(f"process {os.getpid()}", second.stdout.readline())
            os.close(first)
            self.assertEqual(second.communicate(timeout=10)[0], "in\n")
            self.assertEqual(said, [])


class PreparationTests(unittest.TestCase):
    def done(self, code):
        return subprocess.CompletedProcess([], code, stdout="")

    def test_passes_on_the_status_of_a_script(self):
        with self.assertRaises(preparation.Stop) as caught:
            preparation.install({}, run=lambda *_, **__: self.done(75))
        self.assertEqual(caught.exception.status, 75)

    def test_libraries_that_cannot_be_fetched_are_infrastructure_after_three_attempts(self):
        calls = []

        def run(command, **_):
            calls.append(command[2])
            return self.done(0 if command[2] == "dump-package" else 1)

        with self.assertRaises(preparation.Stop) as caught, contextlib.redirect_stdout(io.StringIO()):
            preparation.resolve({}, run=run, sleep=lambda _: None)
        self.assertEqual((caught.exception.status, calls.count("resolve")), (75, 3))
        self.assertTrue(str(caught.exception).startswith("INFRASTRUCTURE: "))

    def test_a_wrong_manifest_is_red(self):
        with self.assertRaises(preparation.Stop) as caught:
            preparation.resolve({}, run=lambda *_, **__: self.done(1))
        self.assertEqual(caught.exception.status, 1)


class NightTests(GateTestCase):
    def test_runs_everything_three_times_and_measurements_alone(self):
        gate = self.gate(
            *[green(TEST)] * 3, red(TEST), green(TEST), green(TEST), green(TEST))
        rows = night.run(gate.runner, 70, [TEST], say=lambda _: None, programs=())
        self.assertEqual([r.name for r in rows][-2:], ["Measurements, alone", "Random faults"])
        self.assertEqual([len(r.failures) for r in rows], [0, 0, 0, 0, 0])
        self.assertEqual([p.width for p in self.runs[3:6]], [1, 1, 1])
        self.assertEqual(self.runs[0].skips, self.runs[3].filters)
        self.assertEqual([r.seed for r in rows], [71, 72, 73, 76, 77])

    def test_a_measurement_that_fails_in_two_of_three_runs_is_red(self):
        rows = [night.Row("a", failures=[night.Failure(TEST)]), night.Row("b"), night.Row("c", failures=[night.Failure(TEST)])]
        self.assertEqual([f.test for f in night.measured(rows).failures], [TEST])
        self.assertEqual(night.measured(rows[:2] + rows[1:2]).failures, [])

    def test_sums_the_totals_that_tests_print(self):
        lines = ["KillSweepTests: 60 kills, 1,200 photos, seed 3", "SyscallSweepTests: 7 points, 20 photos", "other: 5 photos"]
        self.assertEqual(night.totals(lines), {"kills": 60, "photos": 1220, "points": 7})

    def test_appends_a_table(self):
        file = self.folder / "NIGHT.md"
        date = gates.datetime.datetime(2026, 11, 28, 3, 0)
        text = night.table(date, "34c558d", 5, [night.Row("Every case, pass 1", tests=9, totals={"kills": 3, "photos": 4}, seed=6)])
        night.append(text, file)
        night.append(text, file)
        self.assertEqual(file.read_text().count("| Every case, pass 1 | 6 | 9 | 0 | 3 | 4 |"), 2)
        self.assertEqual(file.read_text().count("# Nightly runs"), 1)


if __name__ == "__main__":
    unittest.main()
