"""Tests of the results, which are stored so that an interrupted run can continue."""
import json, pathlib, tempfile, unittest
from rig.place import Cannot
from rig.plan import Plan, Step
from rig.report import Report, Skipped
from rig.results import Outcome, Results

PLAN = Plan(["bookworm", "trixie"], 3, ["canon", "nikon"], seed=7, cuts=3)


class ResultsTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "some" / "results.json"
        self.results = Results(self.path, PLAN, "/x/framefast.deb", "abc", "34c558d")

    def test_add_saves_the_outcome_immediately_and_load_returns_it(self):
        first = Outcome("bookworm", 1, "canon", "fail", 2.5, "[loss] 2 of 46\nmore", ("a figure",))
        self.results.add(first)
        again = Results.load(self.path)
        self.assertEqual((again.outcomes, again.plan, again.digest, again.done), ([first], PLAN, "abc", {Step("bookworm", 1, "canon")}))
        again.add(Outcome("bookworm", 1, "nikon", "pass", 1))
        self.assertEqual(len(Results.load(self.path).plan.steps(again.done)), 10)
        self.assertEqual(sorted(file.name for file in self.path.parent.iterdir()), ["results.json", "results.md"])

    def test_table_has_a_mark_for_each_run(self):
        for suite, run, name, word in (("bookworm", 1, "canon", "pass"), ("bookworm", 2, "canon", "fail"), ("trixie", 3, "canon", "skip")):
            self.results.add(Outcome(suite, run, name, word, 1, "why\nand how" if word != "pass" else ""))
        said = self.results.table.read_text()
        self.assertIn("| canon | ✓✗· | ··– | 1 of 6 |", said)
        self.assertIn("| nikon | ··· | ··· | 0 of 6 |", said)
        self.assertIn("- canon, bookworm, run 2: why\n", said)
        self.assertIn("3 steps, 1 failed, 9 not run yet", said)

    def test_load_of_missing_or_broken_results_names_a_next_step(self):
        with self.assertRaisesRegex(Cannot, "Omit --continue"):
            Results.load(self.path)
        self.path.parent.mkdir()
        self.path.write_text("{")
        with self.assertRaisesRegex(Cannot, "remove it"):
            Results.load(self.path)
        self.path.write_text(json.dumps({"format": 0}))
        with self.assertRaisesRegex(Cannot, "another version"):
            Results.load(self.path)


class ReportTests(unittest.TestCase):
    def test_outcome_depends_on_how_the_scenario_ends(self):
        report, said = Report(), []
        report.say = said.append

        def fails():
            report.add_figure("12 of 13")
            raise AssertionError("one is missing")

        def skips():
            raise Skipped("not here")

        for body, word, reason, figures in ((lambda: None, "pass", "", ()), (fails, "fail", "one is missing", ("12 of 13",)), (skips, "skip", "not here", ())):
            outcome = report.scenario(Step("trixie", 2, "sony"), "a title", body)
            self.assertEqual((outcome.step, outcome.word, outcome.reason, outcome.figures), (Step("trixie", 2, "sony"), word, reason, figures))

    def test_reason_of_an_unexpected_failure_names_its_file(self):
        report = Report()
        report.say = lambda _: None
        outcome = report.scenario(Step("trixie", 1, "sony"), "a title", lambda: {}["missing"])
        self.assertEqual(outcome.word, "fail")
        self.assertIn("test_results.py", outcome.reason)


if __name__ == "__main__":
    unittest.main()
