"""Tests of the verdict: which failures are red, and which get a second look."""

import tempfile
import unittest
from pathlib import Path

import parts
import stream_samples as s
from events import Run
from part_run import Result
from verdict import LOSS, MAX_SECOND_LOOKS, bad_skips, is_loss, sort_failures

VALUES = parts.Part("Values")
PROGRAMS = parts.Part("Programs and servers", second_look=True)


def name(number: int) -> str:
    return f"ETests.Suite/case{number}()/ETests.swift:{number}:1"


def read(*records) -> Run:
    run = Run()
    for line in s.lines(s.test("ETests.Suite", "suite"), *[s.test(name(n)) for n in range(9)], *records):
        run.feed(line, 0.0)
    return run


def verdict(part, *records, code=1, hung="", entries=None, log=Path("/nowhere"), held=range(9)):
    result = Result(part, read(*records), code, hung, 1.0, log, held={name(n) for n in held})
    return sort_failures(result, entries or {})


class VerdictTests(unittest.TestCase):
    def test_a_green_run_has_no_failure(self):
        found = verdict(PROGRAMS, *s.passing(name(1)), s.END, code=0)
        self.assertEqual((found.red, found.second, found.quarantined), ([], [], []))

    def test_a_failed_value_test_fails_the_gate(self):
        found = verdict(VALUES, *s.failing(name(1), "x"), s.END)
        self.assertEqual([f.test for f in found.red], [name(1)])
        self.assertEqual(found.second, [])

    def test_a_failed_program_test_has_a_second_look(self):
        found = verdict(PROGRAMS, *s.failing(name(1), "waited 30 s"), s.END)
        self.assertEqual(([f.test for f in found.second], found.red), ([name(1)], []))

    def test_several_issues_of_one_test_are_one_second_look(self):
        found = verdict(PROGRAMS, s.event("testStarted", name(1)), *[s.issue(name(1), "a") for _ in range(5)], s.END)
        self.assertEqual([len(f.issues) for f in found.second], [5])

    def test_three_second_looks_are_allowed_and_four_fail(self):
        three = [record for n in range(MAX_SECOND_LOOKS) for record in s.failing(name(n), "slow")]
        self.assertEqual(len(verdict(PROGRAMS, *three, s.END).second), 3)
        found = verdict(PROGRAMS, *three, *s.failing(name(7), "slow"), s.END)
        self.assertEqual((len(found.red), found.second), (4, []))
        self.assertIn("at most 3", found.red[0].reason)

    def test_a_loss_fails_with_and_without_quarantine(self):
        entries = {"ETests.Suite/case1()": None}
        for text in ("[loss] 1 photo is missing", "rig.discrepancies(with: truth)", "A.jpg is torn", "Wrong hash of A"):
            found = verdict(PROGRAMS, *s.failing(name(1), "Expectation failed", text), s.END, entries=entries)
            self.assertEqual((len(found.red), found.second, found.quarantined), (1, [], []), text)

    def test_a_crash_fails_and_reports_the_running_tests(self):
        found = verdict(PROGRAMS, *s.passing(name(1)), s.event("testStarted", name(2)))
        self.assertEqual(len(found.red), 1)
        self.assertIn("case2()", found.red[0].reason)
        self.assertNotIn("case1()", found.red[0].reason)

    def test_a_crashed_program_fails_with_and_without_quarantine(self):
        for text in (
            "framefastd: Ledger.swift:3: Fatal error: index out of range", "*** Program crashed: Bad pointer", "*** Signal 11: here",
            "ended by an unexpected signal", "SUMMARY: AddressSanitizer: heap-use-after-free",
        ):
            found = verdict(PROGRAMS, *s.failing(name(1), "slow", text), s.END, entries={"ETests.Suite/case1()": None})
            self.assertEqual([f.reason for f in found.red], ["a program crashed"], text)
            self.assertEqual((found.second, found.quarantined), ([], []))

    def crashing_log(self, line: str) -> Path:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        log = Path(folder.name) / "part.log"
        log.write_text(f"Test run with 9 tests passed.\n{line}\n")
        return log

    def test_a_crash_after_the_last_test_fails_despite_repeatable_failures(self):
        line = "error: Process '/b/FrameFastPackageTests.xctest --testing-library swift-testing' exited with unexpected signal code 11"
        for entries in ({}, {"ETests.Suite/case1()": None}):
            found = verdict(PROGRAMS, *s.failing(name(1), "slow"), s.END, log=self.crashing_log(line), entries=entries)
            self.assertIn("signal code 11", found.red[0].reason)

    def test_an_unknown_status_of_swift_test_fails_despite_a_repeatable_failure(self):
        for code in (-11, 139, 2):
            found = verdict(PROGRAMS, *s.failing(name(1), "slow"), s.END, code=code)
            self.assertEqual([f.test for f in found.red], [""])
            self.assertIn(f"status {code}", found.red[0].reason)

    def test_a_program_crash_in_the_output_is_not_a_test_crash(self):
        for line in ("*** buffer overflow detected ***: terminated", "worker: Fatal error: on purpose", "the worker got an unexpected signal"):
            found = verdict(PROGRAMS, *s.failing(name(1), "slow"), s.END, log=self.crashing_log(line))
            self.assertEqual((found.red, len(found.second)), ([], 1), line)

    def test_a_test_without_tokens_is_a_value_test(self):
        found = verdict(PROGRAMS, *s.failing(name(1), "x"), *s.failing(name(2), "x"), s.END, held=[2])
        self.assertEqual(([f.test for f in found.red], [f.test for f in found.second]), ([name(1)], [name(2)]))
        self.assertIn("a test of values", found.red[0].reason)

    def test_a_hang_fails(self):
        found = verdict(PROGRAMS, s.event("testStarted", name(2)), hung="too long", code=-9)
        self.assertIn("hang", found.red[0].reason)

    def test_an_issue_outside_a_test_function_fails(self):
        for test in ("", "ETests.Suite"):
            self.assertEqual(len(verdict(PROGRAMS, s.issue(test, "x"), s.END).red), 1)

    def test_an_error_of_swift_test_without_a_failed_test_fails(self):
        found = verdict(PROGRAMS, *s.passing(name(1)), s.END, code=1)
        self.assertIn("status 1", found.red[0].reason)

    def test_a_run_without_tests_fails(self):
        self.assertIn("no test ran: the filter", verdict(PROGRAMS, s.END, code=0).red[0].reason)

    def test_a_run_of_skipped_tests_fails_with_the_reason(self):
        for reason, hint in (("nightly: takes minutes", "FRAMEFAST_TEST_NIGHT=1"), ("needs rclone", "all 1 tests were skipped: needs rclone")):
            found = verdict(PROGRAMS, s.event("testSkipped", name(1), _comments=[reason]), s.END, code=0)
            self.assertIn(reason, found.red[0].reason)
            self.assertIn(hint, found.red[0].reason)

    def test_quarantine_applies_to_program_tests_only(self):
        entries = {"ETests.Suite/case1()": None}
        found = verdict(PROGRAMS, *s.failing(name(1), "slow"), s.END, entries=entries)
        self.assertEqual(([f.test for f in found.quarantined], found.red, found.second), ([name(1)], [], []))
        self.assertEqual(len(verdict(VALUES, *s.failing(name(1), "slow"), s.END, entries=entries).red), 1)

    def test_each_loss_pattern_matches_its_message(self):
        samples = (
            "[loss] x", "LossReport(missing: 1)", "#expect(try rig.discrepancies(with: truth).isEmpty)",
            "ledger.differences(from: disk)", "2 files are torn", "wrong hash of IMG_1", "IMG_1 delivered twice",
            "error in the log: cannot write", "Expectation failed: file.sha256 == photo.SHA256",
            "filesBelow(folder) == names", "SamplePhotos.sum(of: 3) → 7", "place.hashes() == sent",
        )
        self.assertEqual(len(samples), len(LOSS))
        for text in samples:
            self.assertTrue(is_loss(text), text)
        for text in ("waited 30 s for the camera", "the tornado", "the log has no line", "rehashes(", "SamplePhotos.count"):
            self.assertFalse(is_loss(text), text)

    def test_only_nightly_skips_are_allowed(self):
        self.assertEqual(bad_skips({"a": "nightly: minutes", "b": "needs rclone", "c": "at night"}), {
            "b": "needs rclone", "c": "at night",
        })


if __name__ == "__main__":
    unittest.main()
