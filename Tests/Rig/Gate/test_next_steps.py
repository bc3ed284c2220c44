"""Tests of the table of next steps."""

import unittest

import next_steps
from events import Run

FILE = "Tests/Camera/CamerasTests/CameraAdviceTests.swift"
ID = "CamerasTests.CameraAdviceTests/`opens it`(row:)/CameraAdviceTests.swift:77:6"
LINE = f"camera-asleep\tyes\tyes\t{FILE}\topens it\tcamera-asleep\n"


def run(passed=(), failed=(), skips=None, cases=()) -> Run:
    found = Run(passed=set(passed), failed=set(failed), skips=skips or {})
    if cases:
        found.cases[ID] = set(cases)
    return found


class NextStepTests(unittest.TestCase):
    def result(self, *runs: Run, line: str = LINE) -> str:
        return next_steps.result(next_steps.parse(line)[0], list(runs))

    def test_a_proof_holds_if_its_case_ended_and_its_test_passed(self):
        self.assertEqual(self.result(run([ID], cases=["camera-asleep: wake it"])), "yes")
        self.assertEqual(self.result(run(), run([ID], cases=["camera-asleep"])), "yes")
        self.assertEqual(self.result(run([ID], cases=["camera-busy: wait"])), "NO: the test has no such case")
        self.assertEqual(self.result(run([ID], cases=["camera-asleepy: wait"])), "NO: the test has no such case")

    def test_a_test_without_cases_needs_no_case(self):
        self.assertEqual(self.result(run([ID]), line=LINE.replace("\tcamera-asleep\n", "\t\n")), "yes")

    def test_a_failed_or_missing_test_proves_nothing(self):
        self.assertEqual(self.result(run(failed=[ID], cases=["camera-asleep"])), "NO")
        self.assertEqual(self.result(run()), "NO: the test did not run")
        for other in (
            ID.replace("opens it", "opens"), ID.replace("CamerasTests.", "MakersTests."),
            ID.replace("/CameraAdviceTests.swift", "/OtherTests.swift"),
        ):
            self.assertEqual(self.result(run([other])), "NO: the test did not run")

    def test_a_second_look_that_passed_counts(self):
        first, second = run(failed=[ID], cases=["camera-asleep"]), run([ID], cases=["camera-asleep"])
        self.assertEqual(self.result(first, second), "yes")

    def test_a_missing_test_is_a_failure_and_a_failed_test_is_not(self):
        lines, faults = next_steps.table(LINE, [run()])
        self.assertEqual(lines[1], "camera-asleep · yes · yes · NO: the test did not run · opens it")
        self.assertEqual(faults, [f"✘ camera-asleep: the test did not run: opens it ({FILE})"])
        lines, faults = next_steps.table(LINE, [run(failed=[ID])])
        self.assertEqual((lines[1], faults), ("camera-asleep · yes · yes · NO · opens it", []))

    def test_a_condition_needs_a_proof_that_runs_in_the_gate(self):
        nightly = {ID: "nightly: takes minutes"}
        self.assertEqual(
            next_steps.table(LINE, [run(skips=nightly)])[1],
            ["✘ camera-asleep: no test of its next step runs in the gate"])
        other = ID.replace("opens it", "wakes up")
        both = LINE + LINE.replace("opens it", "wakes up").replace("\tcamera-asleep\n", "\t\n")
        self.assertEqual(next_steps.table(both, [run([other], skips=nightly)])[1], [])
        self.assertEqual(next_steps.table(LINE, [run(skips={ID: "needs root"})])[1], [])
        self.assertEqual(
            next_steps.table(both, [run(skips={**nightly, other: "needs root"})])[1],
            ["✘ camera-asleep: no test of its next step runs in the gate"])
        self.assertEqual(next_steps.table(both, [run(failed=[other], skips=nightly)])[1], [])

    def test_a_missing_table_fails_the_gate(self):
        self.assertEqual(
            next_steps.table("", [run([ID])]), ([], ["✘ ConditionTableTests has written no table of next steps"]))


if __name__ == "__main__":
    unittest.main()
