"""Tests of the complete gate, with a small program instead of `swift test`."""

import contextlib
import dataclasses
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
import preparation
import report
import stream_samples as s
from events import Run
from gate_samples import PART, TEST, GateTestCase, green, red
from part_run import Places, Result

# Starts a test that never ends and a child that left the process group.
HANGS = """
import json, os, pathlib, subprocess, sys, time
with open(sys.argv[1], "w") as out:
    for record in json.loads(sys.argv[2]):
        out.write(json.dumps(record) + "\\n")
child = subprocess.Popen(["sleep", "1000"], start_new_session=True, stdout=open(sys.argv[3], "w"))
# The kernel publishes the command line of a process a moment after the process itself.
while b"1000" not in pathlib.Path(f"/proc/{child.pid}/cmdline").read_bytes():
    time.sleep(0.01)
pathlib.Path(sys.argv[3] + ".new").write_text(str(child.pid))
os.rename(sys.argv[3] + ".new", sys.argv[3] + ".pid")
print("child started", flush=True)
time.sleep(1000)
"""


class HangClock:
    """A clock for the hang guard that reaches the limit one poll after the program has written its file.

    Before that poll, the gate has read the records that the program wrote before the file.
    """

    def __init__(self, file: Path):
        self.file, self.is_written = file, False

    def restart(self):
        pass

    def seconds(self):
        was_written, self.is_written = self.is_written, self.file.exists()
        return 2.0 if was_written else 0.0


def has_ended(pid: int) -> bool:
    """Waits until a process that received SIGKILL has ended, 60 seconds at most. Returns whether it has ended."""
    deadline = time.monotonic() + 60
    while hang._is_alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not hang._is_alive(pid)


class FlowTests(GateTestCase):
    def test_a_green_run_ends_with_the_closing_line_of_swift_test(self):
        gate = self.gate(green(TEST))
        self.run_part(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 0)
        self.assertIn("Test run with 1 test", text.splitlines()[-2])
        self.assertIn("All tests passed", text.splitlines()[-1])

    def test_a_test_that_fails_twice_fails_the_gate_and_reports_the_seed(self):
        gate = self.gate(red(TEST), red(TEST))
        self.run_part(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 1)
        self.assertIn("FRAMEFAST_TEST_SEED=20251121 scripts/test --filter", text)
        self.assertIn("did not pass alone", text)
        self.assertFalse((self.folder / "unsteady.tsv").exists())

    def test_a_passed_second_look_is_reported_and_recorded(self):
        gate = self.gate(red(TEST), green(TEST))
        self.run_part(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 0)
        self.assertIn("UNSTEADY 1 of 1", text)
        self.assertIn("waited 30 s", text)
        self.assertIn("1 UNSTEADY", text.splitlines()[-1])
        columns = (self.folder / "unsteady.tsv").read_text().split("\t")
        self.assertEqual((columns[2], columns[3]), (TEST, "waited 30 s"))
        # The second look runs only this test, one case at a time.
        self.assertEqual((self.runs[1].width, len(self.runs[1].filters), self.runs[1].skips), (1, 1, ()))

    def test_an_interrupted_gate_ends_its_parallel_programs(self):
        gate, started = self.gate(), []
        start = subprocess.Popen

        def popen(command, **options):
            if command == ["missing"]:
                raise KeyboardInterrupt
            started.append(start(command, **options))
            return started[-1]

        with contextlib.redirect_stdout(self.screen), mock.patch("subprocess.Popen", popen), \
                self.assertRaises(KeyboardInterrupt):
            gate.run_together({"first": ["sleep", "100"], "second": ["missing"]})
        self.assertEqual([process.returncode for process in started], [-signal.SIGKILL])

    def test_waits_for_parallel_programs_and_reports_each_failure(self):
        gate = self.gate()
        with contextlib.redirect_stdout(self.screen), self.assertRaises(preparation.Stop) as caught:
            gate.run_together({name: ["sh", "-c", f"echo out of {name}; exit {status}"] for name, status in
                        (("first", 3), ("second", 0), ("third", 4))})
        self.assertEqual(str(caught.exception), "first failed (status 3); third failed (status 4)")
        for name in ("first", "second", "third"):
            self.assertIn(f"out of {name}\n", self.screen.getvalue())

    def test_a_second_look_without_the_test_fails(self):
        gate = self.gate(red(TEST), green())
        self.run_part(gate)
        self.assertEqual(self.finish(gate)[0], 1)

    def test_a_crash_in_the_second_look_fails(self):
        gate = self.gate(red(TEST), ([s.test(TEST), s.event("testStarted", TEST)], 1))
        self.run_part(gate)
        self.assertEqual(self.finish(gate)[0], 1)

    def test_a_lost_photo_and_a_test_of_values_have_no_second_look(self):
        for part, text in ((PART, "[loss] missing"), (dataclasses.replace(PART, second_look=False), "slow")):
            gate = self.gate(red(TEST, text))
            self.run_part(gate, part)
            self.assertEqual(self.finish(gate)[0], 1)

    def test_a_quarantined_test_is_printed_and_passes(self):
        gate = self.gate(red(TEST))
        gate.quarantine = {"ETests.Suite/case()": None}
        self.run_part(gate)
        status, text = self.finish(gate)
        self.assertEqual(status, 0)
        self.assertIn("QUARANTINE", text)

    def test_a_skip_fails_only_on_a_build_server(self):
        for environment, expected in (({}, 0), ({"CI": "0"}, 0), ({"CI": "true"}, 1), ({"CI": "1"}, 1)):
            gate = self.gate(green(TEST), environment=environment)
            self.run_part(gate)
            gate.skips = {"A.b()": "needs rclone", "A.c()": "nightly: minutes"}
            with contextlib.redirect_stdout(self.screen):
                gate.check_skips()
            status, text = self.finish(gate)
            self.assertEqual(status, expected)
            self.assertIn("Skipped 2 tests: 1 nightly, 1 for other reasons.\n  skipped 1: needs rclone", text)

    def test_a_quarantine_entry_without_a_test_is_a_warning(self):
        gate = self.gate(green(TEST))
        gate.quarantine = {"ETests.Suite/case()": None, "ETests.Suite/gone()": None}
        self.run_part(gate)
        with contextlib.redirect_stdout(self.screen):
            gate.check_quarantine()
        status, text = self.finish(gate)
        self.assertEqual((status, text.count("has an entry without a test in this run")), (0, 1))
        self.assertIn("has an entry without a test in this run: ETests.Suite/gone()", text)

    def test_a_condition_whose_proof_did_not_run_fails_the_gate(self):
        row = "camera-asleep\tyes\tyes\tTests/Programs/ETests/ETests.swift\t{}\t\n"
        name = "ETests.Suite/`case`()/ETests.swift:3:6"
        for test, expected in (("case", 0), ("other case", 1)):
            gate = self.gate(green(name))
            self.run_part(gate)
            with contextlib.redirect_stdout(self.screen):
                gate.check_next_steps(row.format(test))
            self.assertEqual(self.finish(gate)[0], expected)
        self.assertIn("camera-asleep · yes · yes · yes · case", self.screen.getvalue())

    def test_a_terminal_that_refuses_output_does_not_stop_the_tests(self):
        class Screen:
            """A terminal that is closed or supports only ASCII."""

            def write(self, text):
                raise UnicodeEncodeError("ascii", text, 0, 1, "no") if text.strip() else OSError(5, "closed")

            def flush(self):
                pass

        gate = self.gate(green(TEST))
        gate.runner.out = Screen()
        self.run_part(gate)
        self.assertEqual(self.finish(gate)[0], 0)
        self.assertIn("Test run with 1 test", gate.results[0].closing_line)

    def test_a_hang_is_reported_exits_with_70_and_leaves_no_process(self):
        log = self.folder / "child.log"
        log.write_text("")
        records = [s.test(TEST), s.event("testStarted", TEST)]
        gate = self.gate()
        gate.runner.command = lambda part, events, extra: [
            sys.executable, "-c", HANGS, str(events), json.dumps(records), str(log)]
        clock = HangClock(Path(f"{log}.pid"))
        with mock.patch("hang.LivedClock", lambda: clock):
            self.run_part(gate, dataclasses.replace(PART, hang_seconds=1.5))
        status, text = self.finish(gate)
        self.assertEqual(status, gates.HUNG)
        self.assertIn("== HANG: no test started or finished for 2 s", text)
        self.assertIn("ETests.Suite/case(), for", text)
        self.assertIn("waiting for tokens: ETests.Suite/case()", text)
        self.assertIn("sleep 1000", text)
        self.assertTrue(has_ended(int(Path(f"{log}.pid").read_text())))


BACKTRACE = """
Thread 0 "tests" crashed:

  0      0x00007feba4dc7301 sigsuspend + 65 in libc.so.6

Thread 1 "blocking test":

  0      0x00007feba4e87366 pthread_mutex_lock + 166 in libc.so.6
  6 [ra] 0x000055a95c0109f8 Lock.lock() + 311 in tests.xctest at /src/Lock.swift:28:15
  7 [ra] 0x000055a95c0109f9 Storage.next() + 12 in tests.xctest at /src/Storage.swift:9:1
  8 [ra] 0x000055a95c0109fa Caller.run() + 12 in tests.xctest at /src/Caller.swift:4:1
"""


class ClueTests(unittest.TestCase):
    def test_a_hang_report_has_the_innermost_frames_of_each_thread(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            log.write_text(BACKTRACE)
            hung = Result(PART, Run(), -9, "no test started", 1.0, log)
            self.assertEqual(report.clues(hung), [
                "    /src/Lock.swift:28 in Lock.lock() + 311", "    /src/Storage.swift:9 in Storage.next() + 12",
            ])
            self.assertEqual(report.clues(dataclasses.replace(hung, hung="")), [])


class PlacesTests(unittest.TestCase):
    def test_reports_a_slow_test_once(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "running"
            file.write_text("+\tA.b()\n+\tA.c()\n-\tA.b()\n")
            places = Places(file)
            self.assertEqual((places.slow(10), list(places.open)), ([], ["A.c()"]))
            self.assertEqual((places.slow(131), places.slow(132)), (["A.c()"], []))


    def test_records_each_test_that_held_a_token(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "running"
            file.write_text("+\tA.`b, case 2`()/A.swift:1:2, case 7\n-\tA.`b, case 2`()/A.swift:1:2, case 7\n")
            places = Places(file)
            places.read(1)
            self.assertEqual((places.held, places.open), ({"A.`b, case 2`()/A.swift:1:2"}, {}))


class HangTests(unittest.TestCase):
    def test_finds_a_marked_process_without_its_parent(self):
        environment = {**os.environ, hang.MARK: "abc123"}
        parent = subprocess.Popen(
            [sys.executable, "-c", "import subprocess as s\n"
             "print(s.Popen(['sleep', '100'], start_new_session=True, stdout=s.DEVNULL).pid)"],
            env=environment, stdout=subprocess.PIPE, text=True)
        child = int(parent.communicate()[0])
        # The kernel publishes the environment of a process a moment after the process itself.
        deadline = time.monotonic() + 60
        while child not in hang.family(parent.pid, "abc123") and time.monotonic() < deadline:
            time.sleep(0.01)
        self.addCleanup(lambda: hang._is_alive(child) and os.kill(child, signal.SIGKILL))
        self.assertIn(child, hang.family(parent.pid, "abc123"))
        self.assertTrue(any("sleep 100" in line for line in hang.describe(child)))
        hang.end(parent.pid, "abc123", backtrace=False)
        self.assertTrue(has_ended(child))

    def test_a_signal_ends_a_program_with_its_descendants(self):
        script = "setsid sleep 1000 >/dev/null & echo $!; wait"
        with self.assertRaises(SystemExit):
            with hang.program(["bash", "-c", script], dict(os.environ), stdout=subprocess.PIPE, text=True) as process:
                child = int(process.stdout.readline())
                self.addCleanup(process.stdout.close)
                raise SystemExit(143)
        self.assertTrue(has_ended(child))
        self.assertFalse(hang._is_alive(process.pid))

    def test_an_ended_process_has_no_description(self):
        self.assertEqual(hang.describe(2**22 + 1), [])


if __name__ == "__main__":
    unittest.main()
