"""Tests of the command line and of the order of a run."""

import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import main
import store
from contract import FAIL, PASS, result
from makers import MAKERS
from store import ROOT, Cannot, Unreachable
from suites import SUITES


class ArgumentTests(unittest.TestCase):
    def test_selects_all_releases_by_default(self):
        self.assertEqual(main.arguments([]).suites, list(SUITES))
        self.assertEqual(main.arguments(["trixie"]).suites, ["trixie"])

    def test_refuses_an_unknown_release(self):
        with self.assertRaises(SystemExit) as caught, contextlib.redirect_stderr(io.StringIO()) as said:
            main.arguments(["sarge"])
        self.assertEqual(caught.exception.code, 2)
        self.assertIn("no such release: sarge", said.getvalue())

    def test_prints_help_without_installing_anything(self):
        done = subprocess.run([ROOT / "scripts/distro-test", "--help"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in SUITES:
            self.assertIn(name, done.stdout)


class RunTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.package = self.folder / "framefast_0.1.0_amd64.deb"
        self.package.write_bytes(b"x")
        self.document = self.folder / "document.md"
        self.document.write_text("".join(f"<!-- distro-test: {name} -->\n\n<!-- end: {name} -->\n" for name in SUITES))

    def run_releases(self, *answers):
        """Runs the test with these results, without creating root file systems. Returns the exit status, the output and the stored results."""
        results, write = self.folder / "results.json", main.table.write
        with mock.patch("main.test", side_effect=answers), mock.patch("main.built_package") as built, \
                mock.patch("main.RESULTS", results), mock.patch("main.STORE", self.folder), mock.patch("main.ROOT", self.folder), \
                mock.patch("main.os.geteuid", return_value=0), mock.patch("main.gaps.load", return_value=[]), \
                mock.patch("main.table.write", lambda *words: write(*words, self.document)), \
                mock.patch.object(main.table, "DOCUMENT", self.document), contextlib.redirect_stdout(io.StringIO()) as said:
            built.package.return_value, built.origin.return_value = self.package, "commit 1a2b3c"
            status = main.run(main.arguments(list(SUITES)[:len(answers)]))
        return status, said.getvalue(), json.loads(results.read_text())

    def answer(self, word=PASS):
        versions = {"library": "2.5.31", "libgphoto2": "2.5.31-4", "libc6": "2.41", "systemd": "257", "framefast": "0.1.0"}
        return {"versions": versions, "exposure": 1.6, "cells": [result(maker, "photos", word) for maker in MAKERS]}

    def test_succeeds_if_all_checks_pass(self):
        status, said, kept = self.run_releases(self.answer(), self.answer())
        self.assertEqual(status, 0)
        self.assertIn("Failures: 0.", said)
        self.assertEqual((list(kept["suites"]), kept["origin"]), (list(SUITES)[:2], "commit 1a2b3c"))
        self.assertIn("libgphoto2 2.5.31-4", self.document.read_text())

    def test_fails_if_one_release_fails_and_still_tests_the_others(self):
        status, said, kept = self.run_releases(main.contract.not_installed("unmet dependencies"), self.answer())
        self.assertEqual((status, len(kept["suites"])), (1, 2))
        self.assertIn("Failures: 1.", said)
        self.assertEqual(self.run_releases(self.answer(FAIL))[0], 1)

    def test_needs_root(self):
        with mock.patch("main.os.geteuid", return_value=1000), self.assertRaisesRegex(Cannot, "sudo"):
            main.run(main.arguments([]))

    def test_a_network_failure_has_its_own_status(self):
        for trouble, status in ((Unreachable("x"), 75), (Cannot("y"), 1)):
            with mock.patch("main.locked", side_effect=trouble), mock.patch.object(sys, "argv", ["main.py"]), \
                    mock.patch("main.signal.signal"), mock.patch("main.sys.stdout"), \
                    contextlib.redirect_stderr(io.StringIO()) as said:
                self.assertEqual(main.main(), status)
            self.assertEqual("INFRASTRUCTURE" in said.getvalue(), status == 75)

    def test_refuses_a_second_run_in_the_same_checkout(self):
        with store.locked(self.folder), self.assertRaisesRegex(Cannot, "another scripts/distro-test"):
            with store.locked(self.folder):
                self.fail("both have the lock")


if __name__ == "__main__":
    unittest.main()
