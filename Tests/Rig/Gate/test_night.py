"""Tests of the night: its stages, its measurements, and its table."""

import contextlib
import datetime
import json
import unittest
from unittest import mock

import gate as gates
import hang
import night
import stream_samples as s
from events import Issue, Run
from gate_samples import PART, TEST, GateTestCase, green, red
from night_table import Row, Section, table
from part_run import Result, Runner
from preparation import Stop
from verdict import Failure

DATE = datetime.datetime(2026, 11, 28, 3, 0)
MEASURES = "nightly: measures a second"


class NoSimulation:
    """A simulation without seeds."""

    def __init__(self, first, *_):
        self.row = Row("Simulation", seed=first)

    def run(self):
        pass


class NightTests(GateTestCase):
    def setUp(self):
        super().setUp()
        replaced = mock.patch("night.Simulation", NoSimulation)
        replaced.start()
        self.addCleanup(replaced.stop)

    def test_runs_everything_three_times_and_measurements_alone(self):
        gate = self.gate(
            *[green(TEST)] * 3, red(TEST), green(TEST), green(TEST), green(TEST))
        rows = self.night(gate, night.STAGES)
        self.assertEqual([r.name for r in rows][-3:], ["Measurements, alone", "Random faults", "Simulation"])
        self.assertEqual([len(r.failures) for r in rows], [0, 0, 0, 0, 0, 0])
        self.assertEqual([p.width for p in self.runs[3:6]], [1, 1, 1])
        self.assertEqual(self.runs[0].skips, self.runs[3].filters)
        self.assertEqual([r.seed for r in rows], [71, 72, 73, 76, 77, 78])

    def night(self, gate, stages):
        rows = []
        night.Night(gate.runner, 70, {TEST: MEASURES}, rows.append, lambda _: None).run(stages, programs=())
        return rows

    def test_runs_the_selected_stages(self):
        rows = self.night(self.gate(green(TEST)), ("faults",))
        self.assertEqual([r.name for r in rows], ["Random faults"])
        self.assertEqual([p.filters for p in self.runs], [(r"\.CampaignTests/",)])

    def test_programs_belong_to_a_stage(self):
        rows, programs = [], (("fuzzing", "a", ["true"]), ("sanitizers", "b", ["false"]))
        whole = night.Night(self.gate().runner, 1, {}, rows.append, lambda _: None)
        whole.run(("sanitizers",), programs)
        self.assertEqual([(r.name, [f.reason for f in r.failures]) for r in rows], [("b", ["false ended with status 1"])])

    def test_each_program_of_the_night_is_a_script_of_a_stage(self):
        for stage, name, command in night.PROGRAMS:
            self.assertIn(stage, night.STAGES, name)
            self.assertTrue((night.ROOT / command[0]).is_file(), command)

    def test_the_benchmark_measures_and_checks_every_part_with_goals(self):
        [words] = [command for stage, _, command in night.PROGRAMS if stage == "benchmark"]
        end = words.index("--check")
        self.assertEqual(sorted(words[1:end]), sorted(night.goals.PARTS))
        self.assertEqual(words[end:], ["--check", "--json", str(night.FIGURES)])

    def benchmark(self, script):
        rows, file = [], self.folder / "new/benchmark.json"
        with mock.patch("night.FIGURES", file):
            whole = night.Night(self.gate().runner, 1, {}, rows.append, lambda _: None)
            whole.run(("benchmark",), (("benchmark", "Goals of benchmarks", ["sh", "-c", script, "bench", str(file)]),))
        return [failure.reason for failure in rows[0].failures]

    def test_the_row_of_the_benchmark_names_each_missed_goal(self):
        figures = json.dumps({"group": {"cameras_spread_ms": [4.0] * 20, "photos": 1_999, "expected": 2_000}})
        status, missed = self.benchmark(f"echo '{figures}' > \"$1\"; exit 1")
        self.assertIn("ended with status 1", status)
        self.assertEqual(missed, "group: photos that are not saved: 1 (goal: at most 0)")

    def test_ignores_the_figures_of_an_earlier_benchmark(self):
        (self.folder / "new").mkdir()
        (self.folder / "new/benchmark.json").write_text('{"group": {"cameras_spread_ms": [], "photos": 0, "expected": 1}}')
        self.assertEqual(len(self.benchmark("exit 1")), 1)
        self.assertEqual(self.benchmark("true"), [])

    def test_unreadable_figures_are_a_failure(self):
        for text in ("{", '{"group": {}}', '{"bulb": {"canon": [null, 1, 1, 1]}}'):
            [found] = self.benchmark(f"echo '{text}' > \"$1\"")
            self.assertIn("cannot be read", found)

    def test_stages_without_the_gate_use_its_test_list(self):
        night.remember("34c558d+", {TEST: MEASURES}, self.folder)
        self.assertEqual(night.remembered("34c558d", self.folder), {TEST: MEASURES})
        for commit, folder in (("95195b0", self.folder), ("34c558d", self.folder / "none")):
            with self.assertRaises(Stop) as caught:
                night.remembered(commit, folder)
            self.assertIn("Run 'scripts/test' first", str(caught.exception))

    def test_a_measurement_with_two_failures_in_three_runs_fails(self):
        rows = [Row("a", failures=[Failure(TEST)]), Row("b"), Row("c", failures=[Failure(TEST)])]
        self.assertEqual([f.test for f in night.measured(rows).failures], [TEST])
        once = night.measured(rows[:2] + rows[1:2])
        self.assertEqual((once.failures, [f.test for f in once.below]), ([], [TEST]))
        self.assertIn(f"in one run, not counted: {TEST}", table(DATE, "34c558d", 5, [once]))

    def failed_once(self, text, test=TEST):
        found = Failure(test, issues=[Issue(test, "", "", text)])
        return night.measured([Row("a", failures=[found]), Row("b"), Row("c")])

    def test_a_loss_or_crash_in_one_of_three_runs_fails(self):
        for text in ("[loss] 1 photo is missing", "Fatal error: index out of range"):
            self.assertEqual(len(self.failed_once(text).failures), 1, text)
        self.assertEqual(len(self.failed_once("slow").failures), 0)
        self.assertEqual(len(self.failed_once("slow", test="").failures), 1)

    def test_only_tests_that_measure_run_alone(self):
        reasons = {"A.a()": MEASURES, "A.b()": "nightly: counts requests", "A.c()": "nightly: rows", "A.d()": "nightly: covered by B"}
        night.Night(self.gate(*[green(TEST)] * 6).runner, 1, reasons, lambda _: None, lambda _: None).run(("cases", "measurements"))
        alone = tuple(night.filter_for(test) for test in ("A.a()", "A.b()"))
        self.assertEqual([p.skips for p in self.runs[:3]], [alone] * 3)
        self.assertEqual([p.filters for p in self.runs[3:]], [alone] * 3)

    def test_a_row_has_the_number_of_skipped_tests(self):
        gate = self.gate(([*green("A.b()")[0], s.test("A.c()"), s.event("testSkipped", "A.c()", _comments=["needs rclone"])], 0))
        row = night.row(gate.runner.run(PART), 5)
        self.assertEqual(row.skips, {"A.c()": "needs rclone"})
        self.assertIn("| 1 | 0 | 1 | 0 | 0 |", table(DATE, "34c558d", 5, [row]))
        self.assertEqual(night.measured([row]).skips, row.skips)

    def test_a_run_that_a_signal_stops_has_a_row(self):
        records = [s.test(TEST), s.test("A.b()"), *s.failing(TEST, "slow"), s.event("testStarted", "A.b()")]
        feed = Run.feed

        def stop(run, line, now):
            feed(run, line, now)
            if run.failed:
                raise SystemExit(143)

        rows, gate = [], self.gate((records, 1))
        with mock.patch.object(Run, "feed", stop), self.assertRaises(SystemExit):
            night.Night(gate.runner, 70, {}, rows.append, lambda _: None).run(night.STAGES, programs=())
        title = "Every case, pass 1, stopped after 1 of 2 tests"
        self.assertEqual([(r.title, r.seed, r.tests) for r in rows], [(title, 71, 1)])
        self.assertEqual([f.test for f in rows[0].failures], [TEST])
        self.assertIn(f"| {title} | 71 | 1 | 1 |", table(DATE, "34c558d", 70, rows))

    def test_a_run_over_its_time_limit_reports_its_finished_tests(self):
        known = {TEST: True, "A": False, "A.b()": True, "A.c()": True}
        run = Run(functions=known, passed={TEST}, skips={"A.c()": "nightly: rows"})
        late = night.row(Result(PART, run, -9, "Every case took more than 180 minutes", 1.0, self.folder / "log"), 5)
        self.assertEqual((late.stopped, len(late.failures)), ("2 of 3 tests", 1))
        self.assertEqual(night.measured([Row("a"), late]).stopped, "1 of 2 runs")

    def test_stopped_measurements_and_programs_have_a_row(self):
        rows, gate = [], self.gate(red(TEST))
        whole = night.Night(gate.runner, 70, {TEST: MEASURES}, rows.append, lambda _: None)
        # The second run has no answer.
        with mock.patch.object(Runner, "run", self.interrupt_after(1)), self.assertRaises(KeyboardInterrupt):
            whole.run(("measurements",))
        programs = (("sanitizers", "a", ["true"]), ("sanitizers", "b", ["true"]))
        with mock.patch("hang.program", self.interrupt_after(1, hang.program)), self.assertRaises(KeyboardInterrupt):
            whole.run(("sanitizers",), programs)
        self.assertEqual([r.title for r in rows], [
            "Measurements, alone, stopped after 1 of 3 runs", "a", "b, stopped after 1 of 2 programs"])
        self.assertEqual((rows[0].tests, rows[0].failures, [f.test for f in rows[0].below]), (1, [], [TEST]))

    def interrupt_after(self, count, function=Runner.run):
        calls = []

        def call(*arguments, **options):
            calls.append(arguments)
            if len(calls) > count:
                raise KeyboardInterrupt
            return function(*arguments, **options)

        return call

    def run_night(self, gate, stages):
        file = self.folder / "NIGHT.md"
        section = lambda date, commit, seed: Section(date, commit, seed, file)
        with contextlib.redirect_stdout(self.screen), mock.patch("gate.Section", section):
            try:
                gates.run_night(gate, stages)
            finally:
                self.written = file.read_text()

    def test_a_stopped_gate_has_a_row(self):
        with mock.patch("gate.whole_gate", side_effect=SystemExit(143)), self.assertRaises(SystemExit):
            self.run_night(self.gate(), night.STAGES)
        self.assertIn("| Gate, stopped after 0 of 2 parts | 20251121 |", self.written)

    def test_the_simulation_alone_needs_neither_a_gate_nor_the_debug_build(self):
        gate = self.gate()
        with mock.patch.object(gate, "prepare", self.fail), mock.patch("night.remembered", self.fail):
            self.run_night(gate, ("simulation",))
        self.assertEqual(self.written.count("\n| "), 2)
        self.assertIn("| Simulation | 20251122 | 0 | 0 |", self.written)

    def test_sums_the_totals_that_tests_print(self):
        lines = ["KillSweepTests: 60 kills, 1,200 photos, seed 3", "SyscallSweepTests: 7 points, 20 photos", "other: 5 photos"]
        self.assertEqual(night.totals(lines), {"kills": 60, "photos": 1220, "points": 7})

    def test_writes_its_rows_to_its_section(self):
        file = self.folder / "NIGHT.md"
        first = Row("Every case, pass 1", tests=9, totals={"kills": 3, "photos": 4}, seed=6)
        for _ in range(2):
            section = Section(DATE, "34c558d", 5, file)
            section.write([first])
            section.write([first, Row("Fuzzing")])
        self.assertEqual(file.read_text().count("| Every case, pass 1 | 6 | 9 | 0 | 0 | 0 | 3 | 4 | 0 | 0 |"), 2)
        self.assertEqual(file.read_text().count("| Fuzzing |"), 2)
        self.assertEqual(file.read_text().count("# Nightly runs"), 1)


if __name__ == "__main__":
    unittest.main()
