"""Tests of reading the event stream."""

import re
import unittest

import stream_samples as s
from events import Issue, Run, filter_for, stable_id

A = "ATests.Suite/`saves \"a\" (twice) [1]?`()/ATests.swift:4:6"
B = "ATests.Suite/rows(n:)/ATests.swift:9:6"


def read(*records) -> Run:
    run = Run(root="/r")
    for number, line in enumerate(s.lines(*records)):
        run.feed(line, float(number))
    return run


class EventTests(unittest.TestCase):
    def test_counts_passed_and_failed_functions_without_suites(self):
        run = read(
            s.test("ATests.Suite", "suite"), s.test(A), s.test(B), *s.failing(A, "Expectation failed", "why"),
            *s.passing(B), s.event("testEnded", "ATests.Suite", "fail"), s.END,
        )
        self.assertEqual((run.failed, run.passed, run.ended), ({A}, {B}, True))

    def test_reads_location_case_and_message_of_an_issue(self):
        run = read(s.test(B), s.issue(B, "Expectation failed: n == 2", "the second line", case="2"))
        self.assertEqual(
            run.issues, [Issue(B, "Tests/A/ATests.swift:12", "2", "Expectation failed: n == 2\nthe second line")]
        )
        self.assertEqual(run.issues[0].first_line, "Expectation failed: n == 2: the second line")

    def test_ignores_known_issues_and_warnings(self):
        warning = s.issue(A, "slow")
        warning["payload"]["issue"]["isFailure"] = False
        self.assertEqual(read(s.test(A), s.issue(A, "known", known=True), warning).issues, [])

    def test_lists_running_cases_before_functions(self):
        run = read(
            s.test(A), s.test(B, parameterized=True), s.event("testStarted", A), s.event("testStarted", B),
            s.event("testCaseStarted", B, case="1"), s.event("testCaseStarted", B, case="2"),
            s.event("testCaseEnded", B, case="1"),
        )
        self.assertEqual([(t, c) for t, c, _ in run.running()], [(B, "2"), (A, "")])

    def test_reads_the_reason_of_a_skip_with_or_without_a_comment_field(self):
        run = read(
            s.test("X.Suite", "suite"), s.test(A), s.test(B), s.event("testSkipped", "X.Suite", _comments=["whole suite"]),
            s.event("testSkipped", A, _comments=["nightly: takes minutes"]),
            s.event("testSkipped", B, "skip", 'Test rows(n:) skipped: "needs rclone"'),
        )
        self.assertEqual(run.skips, {A: "nightly: takes minutes", B: "needs rclone"})

    def test_ignores_truncated_lines(self):
        run = Run()
        run.feed('{"kind":"event","payload":{"kind":"testSt', 0)
        run.feed("[]", 0)
        self.assertEqual(run.progress, 0)

    def test_a_filter_matches_one_test_only(self):
        self.assertTrue(re.search(filter_for(A), A))
        self.assertFalse(re.search(filter_for(A), A + "0"))
        self.assertFalse(re.search(filter_for(A), "B" + A))
        # Swift's regular expressions reject an escaped space or quote.
        self.assertNotRegex(filter_for(A), r"\\[ \"`/:]")

    def test_an_id_without_location_is_stable_after_an_edit(self):
        self.assertEqual(stable_id(B), "ATests.Suite/rows(n:)")
        self.assertEqual(stable_id("ATests.Suite"), "ATests.Suite")


if __name__ == "__main__":
    unittest.main()
