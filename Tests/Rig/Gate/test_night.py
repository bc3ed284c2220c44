"""The night: its parts, its majority of runs, and its table."""

import datetime
import unittest

import night
import stream_samples as s
from events import Issue
from gate_samples import PART, TEST, GateTestCase, green, red

DATE = datetime.datetime(2026, 11, 28, 3, 0)
MEASURES = "nightly: measures a second"


class NightTests(GateTestCase):
    def test_runs_everything_three_times_and_measurements_alone(self):
        gate = self.gate(
            *[green(TEST)] * 3, red(TEST), green(TEST), green(TEST), green(TEST))
        rows = night.run(gate.runner, 70, {TEST: MEASURES}, say=lambda _: None, programs=())
        self.assertEqual([r.name for r in rows][-2:], ["Measurements, alone", "Random faults"])
        self.assertEqual([len(r.failures) for r in rows], [0, 0, 0, 0, 0])
        self.assertEqual([p.width for p in self.runs[3:6]], [1, 1, 1])
        self.assertEqual(self.runs[0].skips, self.runs[3].filters)
        self.assertEqual([r.seed for r in rows], [71, 72, 73, 76, 77])

    def test_a_measurement_that_fails_in_two_of_three_runs_is_red(self):
        rows = [night.Row("a", failures=[night.Failure(TEST)]), night.Row("b"), night.Row("c", failures=[night.Failure(TEST)])]
        self.assertEqual([f.test for f in night.measured(rows, {TEST: MEASURES}).failures], [TEST])
        once = night.measured(rows[:2] + rows[1:2], {TEST: MEASURES})
        self.assertEqual((once.failures, [f.test for f in once.below]), ([], [TEST]))
        self.assertIn(f"in one run, not counted: {TEST}", night.table(DATE, "34c558d", 5, [once]))

    def failed_once(self, text, reason, test=TEST):
        found = night.Failure(test, issues=[Issue(test, "", "", text)])
        return night.measured([night.Row("a", failures=[found]), night.Row("b"), night.Row("c")], {TEST: reason})

    def test_a_loss_or_a_crash_in_one_of_three_runs_is_red(self):
        for text in ("[loss] 1 photo is missing", "Fatal error: index out of range"):
            self.assertEqual(len(self.failed_once(text, MEASURES).failures), 1, text)

    def test_only_measurements_may_fail_once(self):
        for reason, red in ((MEASURES, 0), ("nightly: counts requests", 0), ("nightly: rows", 1), ("nightly: covered by A", 1)):
            self.assertEqual(len(self.failed_once("slow", reason).failures), red, reason)
        self.assertEqual(len(self.failed_once("slow", MEASURES, test="").failures), 1)

    def test_a_row_counts_the_tests_that_could_not_run(self):
        gate = self.gate(([*green("A.b()")[0], s.test("A.c()"), s.event("testSkipped", "A.c()", _comments=["needs rclone"])], 0))
        row = night.row(gate.runner.run(PART), 5)
        self.assertEqual(row.skips, {"A.c()": "needs rclone"})
        self.assertIn("| 1 | 0 | 1 | 0 | 0 |", night.table(DATE, "34c558d", 5, [row]))
        self.assertEqual(night.measured([row], {}).skips, row.skips)

    def test_sums_the_totals_that_tests_print(self):
        lines = ["KillSweepTests: 60 kills, 1,200 photos, seed 3", "SyscallSweepTests: 7 points, 20 photos", "other: 5 photos"]
        self.assertEqual(night.totals(lines), {"kills": 60, "photos": 1220, "points": 7})

    def test_appends_a_table(self):
        file = self.folder / "NIGHT.md"
        text = night.table(DATE, "34c558d", 5, [night.Row("Every case, pass 1", tests=9, totals={"kills": 3, "photos": 4}, seed=6)])
        night.append(text, file)
        night.append(text, file)
        self.assertEqual(file.read_text().count("| Every case, pass 1 | 6 | 9 | 0 | 0 | 3 | 4 |"), 2)
        self.assertEqual(file.read_text().count("# Nightly runs"), 1)


if __name__ == "__main__":
    unittest.main()
