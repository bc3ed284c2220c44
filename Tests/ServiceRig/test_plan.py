"""Tests of the plan of a call: all steps, and the remaining steps."""
import contextlib, io, unittest
from unittest import mock
import main
from rig.place import Cannot
from rig.plan import Plan, Step, chosen, lines
from rig.suites import SUITES, suites
from scenarios import ALL, ALONE, title

NAMES = ["installed", "first-boot", "reboots", "interval", "interval-restart", "purge"]


class ChoiceTests(unittest.TestCase):
    def test_patterns_keep_the_order_of_scenarios(self):
        for patterns, wanted in (
                ([], NAMES), (["interval*"], ["interval", "interval-restart"]), (["interval", "*boot*"], ["first-boot", "reboots", "interval"]),
                (["interval", "inter?al"], ["interval"])):
            self.assertEqual(chosen(NAMES, patterns), wanted, patterns)

    def test_reports_a_pattern_without_a_match(self):
        with self.assertRaisesRegex(Cannot, "no scenario matches 'g\\*'"):
            chosen(NAMES, ["interval", "g*"])

    def test_suite_option_selects_releases(self):
        self.assertEqual(suites("all"), ["bookworm", "trixie"])
        self.assertEqual(suites("trixie"), ["trixie"])
        self.assertNotEqual(SUITES["bookworm"].packages, SUITES["trixie"].packages)


class PlanTests(unittest.TestCase):
    plan = Plan(["bookworm", "trixie"], 2, ["canon", "nikon"], seed=7, cuts=3)

    def test_runs_every_scenario_in_every_run_of_every_release(self):
        steps = self.plan.steps()
        self.assertEqual(len(steps), 8)
        self.assertEqual(steps[:3], [Step("bookworm", 1, "canon"), Step("bookworm", 1, "nikon"), Step("bookworm", 2, "canon")])

    def test_continues_with_the_remaining_steps(self):
        done = {Step("bookworm", 1, "canon"), Step("trixie", 2, "nikon")}
        self.assertEqual(self.plan.steps_of("bookworm", 1, done), [Step("bookworm", 1, "nikon")])
        self.assertEqual(len(self.plan.steps(done)), 6)
        self.assertEqual(self.plan.steps(set(self.plan.steps())), [])

    def test_dry_run_counts_the_remaining_steps(self):
        done = {Step("bookworm", 1, "canon")}
        said = list(lines(self.plan, done, {"canon": "one", "nikon": "two"}, {"nikon"}, {"bookworm": "there", "trixie": "missing"}))
        self.assertEqual(said[:3], ["bookworm: there", "trixie: missing", "2 × 2 × 2: 7 to run, 1 done before; seed 7"])
        self.assertIn("  3 ×  canon ", said[3])
        self.assertIn("(in a separate guest) two", said[4])


class CommandLineTests(unittest.TestCase):
    def test_options_become_a_plan(self):
        options = main.arguments(["--suite", "trixie", "--runs", "5", "--keep", "hard-reset", "power*", "--seed", "9"])
        plan = main.plan_of(options)
        self.assertEqual((plan.suites, plan.runs, plan.scenarios, plan.seed), (["trixie"], 5, ["hard-reset", "power-cuts"], 9))

    def test_shell_runs_no_scenario_without_keep(self):
        self.assertEqual(main.plan_of(main.arguments(["--shell"])).scenarios, [])
        self.assertEqual(main.plan_of(main.arguments(["--shell", "--keep", "canon"])).scenarios, ["canon"])
        self.assertEqual(main.plan_of(main.arguments([])).scenarios, list(ALL))

    def test_refuses_wrong_options(self):
        for words in (["--runs", "0"], ["--suite", "sid"], ["--package", "/nowhere.deb"], ["--keep"], ["--results", "x.md"], ["--results", "x"]):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                main.arguments(words)

    def test_dry_run_starts_nothing(self):
        said = []
        with mock.patch("main.package") as built, mock.patch("main.Running") as started:
            main.dry_run(main.arguments(["--dry-run", "--keep", "canon", "--runs", "5"]), said.append)
        built.assert_not_called()
        started.assert_not_called()
        self.assertTrue(any("2 × 5 × 1: 10 to run" in line for line in said), said)


class ScenarioTests(unittest.TestCase):
    def test_each_scenario_has_a_title_and_each_single_scenario_exists(self):
        for name in ALL:
            self.assertTrue(title(name), name)
        self.assertLessEqual(ALONE, set(ALL))


if __name__ == "__main__":
    unittest.main()
