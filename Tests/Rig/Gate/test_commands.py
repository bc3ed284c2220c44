"""Tests of the command line, the lock, and the preparation."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import machine
import main
import parts
import preparation
from part_run import arguments


class CommandTests(unittest.TestCase):
    def run_quietly(self, *words):
        with contextlib.redirect_stderr(io.StringIO()):
            return main.command(list(words), {})

    def test_refuses_wrong_arguments_with_status_2(self):
        for words in (["--area"], ["--area", "kitchen"], ["--night", "kitchen"], ["--soak"], ["--soak", "x"],
                      ["--repeat", "0"], ["--repeat", "3"], ["--repeat", "3", "--quick"], ["--repeat", "3", "--all"], ["--repeat", "3", "--night"],
                      ["--repeat", "3", "--soak", "9"], ["--repeat", "3", "--sanitize", "thread"]):
            with self.assertRaises(preparation.Stop) as caught:
                self.run_quietly(*words)
            self.assertEqual(caught.exception.status, 2)

    def test_only_complete_gates_wait_for_an_idle_machine(self):
        for words, waits in ((), True), (("--quick",), True), (("--area", "api"), False), (("--filter", "x"), False):
            self.assertEqual(self.run_quietly(*words)[0], waits)

    def test_selected_tests_can_repeat(self):
        for words in (["--area", "api"], ["--filter", "x"], ["--filter=x"], ["--servers"]):
            self.assertFalse(self.run_quietly("--repeat", "3", *words)[0], words)

    def test_complete_sweeps_have_longer_limits(self):
        self.assertGreaterEqual(parts.sweeps().hang_seconds, 600)
        self.assertEqual((parts.sweeps().limit_seconds, parts.sweeps().filters), (0, parts.PROGRAMS))
        with mock.patch("main.run_gate", lambda gate, programs: programs):
            _, run = self.run_quietly("--all")
            self.assertEqual(run(None), parts.sweeps())

    def test_a_closed_terminal_ends_the_gate_with_129(self):
        program = "import main, os, signal\n" \
            "main.command = lambda *_: os.kill(os.getpid(), signal.SIGHUP)\n" \
            "main.main([])"
        done = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parent, timeout=60)
        self.assertEqual(done.returncode, 129)

    def test_the_build_server_script_sets_its_variable(self):
        self.assertIn("\nexport CI=true\n", (parts.ROOT / ".ci/run").read_text(encoding="utf-8"))

    def test_the_seed_is_constant_in_the_gate_and_random_at_night(self):
        self.assertEqual(main.seed_of([], {}), parts.GATE_SEED)
        self.assertEqual(main.seed_of(["--night"], {"FRAMEFAST_TEST_SEED": "7"}), 7)
        self.assertNotEqual(main.seed_of(["--night"], {}), main.seed_of(["--night"], {}))

    def test_the_command_line_has_width_and_filters(self):
        line = arguments(parts.values(), Path("/x"))
        self.assertEqual(line.count("--skip"), len(parts.PROGRAMS))
        self.assertIn(str(parts.values().width), line)
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
            self.assertEqual(second.communicate(timeout=60)[0], "in\n")
            self.assertEqual(said, [])


class PreparationTests(unittest.TestCase):
    def done(self, code):
        return subprocess.CompletedProcess([], code, stdout="")

    def test_returns_the_status_of_a_script(self):
        with self.assertRaises(preparation.Stop) as caught:
            preparation.install({}, run=lambda *_, **__: self.done(75))
        self.assertEqual(caught.exception.status, 75)

    def test_server_preparation_returns_the_status_of_its_script(self):
        for status in (0, 75):
            servers = preparation.Servers({}, ("/bin/sh", "-c", f"exit {status}"))
            with self.assertRaises(preparation.Stop) if status else contextlib.nullcontext() as caught:
                servers.wait()
            if status:
                self.assertEqual(caught.exception.status, status)
            servers.close()

    def test_an_interrupted_gate_ends_the_server_installation(self):
        with tempfile.TemporaryDirectory() as folder:
            fifo = os.path.join(folder, "fifo")
            os.mkfifo(fifo)
            servers = preparation.Servers({}, ("/bin/sh", "-c", f"sh -c 'echo $$ >{fifo}; sleep 100'; true"))
            child = int(Path(fifo).read_text(encoding="ascii"))
            servers.close()
            for _ in range(6000):
                try:
                    if Path(f"/proc/{child}/stat").read_text(encoding="ascii").split()[2] == "Z":
                        return
                except (FileNotFoundError, ProcessLookupError):
                    return
                time.sleep(0.01)
            self.fail(f"process {child} still runs")

    def test_unfetchable_libraries_end_with_75_after_three_attempts(self):
        calls = []

        def run(command, **_):
            calls.append(command[2])
            return self.done(0 if command[2] == "dump-package" else 1)

        with self.assertRaises(preparation.Stop) as caught, contextlib.redirect_stdout(io.StringIO()):
            preparation.resolve({}, run=run, sleep=lambda _: None)
        self.assertEqual((caught.exception.status, calls.count("resolve")), (75, 3))
        self.assertTrue(str(caught.exception).startswith("INFRASTRUCTURE: "))

    def resolve(self, text):
        def run(command, **_):
            return subprocess.CompletedProcess([], 0 if command[2] == "dump-package" else 1, stdout=text)

        with self.assertRaises(preparation.Stop) as caught, contextlib.redirect_stdout(io.StringIO()):
            preparation.resolve({}, run=run, sleep=lambda _: None)
        return caught.exception.status

    def test_conflicting_versions_end_with_1_and_a_missing_network_with_75(self):
        wrong = "error: Dependencies could not be resolved because root depends on 'swift-nio' 99.0.0..<100.0.0."
        self.assertEqual(self.resolve(wrong), 1)
        self.assertEqual(self.resolve("fatal: unable to access 'https://x/': Could not resolve host: x"), 75)
        self.assertEqual(self.resolve(f"Failed to clone repository https://x\n{wrong}"), 75)

    def test_an_invalid_server_list_is_not_a_network_failure(self):
        missing = "ERROR: Could not find a version that satisfies the requirement moto==9 (from versions: {})\n" \
            "ERROR: No matching distribution found for moto==9"
        for text, wrong in (
            ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", True),
            ("ERROR: ResolutionImpossible: for help visit", True), (missing.format("1.0, 2.0"), True),
            (missing.format("none"), False), ("WARNING: Retrying (Retry(total=4)) after connection broken", False),
        ):
            with tempfile.NamedTemporaryFile("w") as log:
                log.write(text + "\n")
                log.flush()
                done = subprocess.run(
                    ["bash", "-c", '. scripts/infrastructure; wrong_list "$1"', "bash", log.name], cwd=parts.ROOT)
            self.assertEqual(done.returncode == 0, wrong, text)

    def test_an_invalid_manifest_fails(self):
        with self.assertRaises(preparation.Stop) as caught:
            preparation.resolve({}, run=lambda *_, **__: self.done(1))
        self.assertEqual(caught.exception.status, 1)


if __name__ == "__main__":
    unittest.main()
