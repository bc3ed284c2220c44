"""A gate for the tests of the gate, with a small program instead of `swift test`."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import gate as gates
import parts
import stream_samples as s
from part_run import Runner

PART = parts.Part("Programs and servers", second_look=True, hang_seconds=30)
TEST = "ETests.Suite/case()/ETests.swift:3:6"

# Writes the records of argv[2] to the stream argv[1], prints a closing line, and exits with status argv[3]. Also records in the
# file of running tests that each test holds its tokens.
FAKE = """
import json, os, sys
with open(sys.argv[1], "w") as out, open(os.environ["FRAMEFAST_TEST_RUNNING"], "a") as places:
    for record in json.loads(sys.argv[2]):
        out.write(json.dumps(record) + "\\n")
        if record["payload"].get("kind") == "testStarted":
            places.write("+\\t" + record["payload"]["testID"] + ", case 1\\n")
print("Test run with 1 test in 1 suite ended.", flush=True)
sys.exit(int(sys.argv[3]))
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
        """Returns a gate whose calls of `swift test` return these results in order."""
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

    def run_part(self, gate, part=PART):
        with contextlib.redirect_stdout(self.screen), mock.patch("machine.wait_until_calm", lambda *_: True):
            gate.tests(part)
