"""The night: its parts, its majority of runs, and its table."""

import unittest

import gate as gates
import night
from gate_samples import TEST, GateTestCase, green, red


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
