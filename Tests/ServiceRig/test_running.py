"""Tests of the guest of each scenario, and of the files that a failed scenario saves."""
import pathlib, tempfile, types, unittest
from unittest import mock
import running
from rig.place import Cannot
from rig.plan import Plan
from rig.report import Report
from rig.results import Results
from rig.suites import SUITES


class Guest:
    """A fake guest that counts its instances."""
    count = 0

    def __init__(self, image, disk, folder):
        Guest.count += 1
        self.number, self.machine, self.shell = Guest.count, types.SimpleNamespace(), None

    def run(self, command, status=0):
        return "the journal"

    def stop(self):
        pass


class Installation:
    is_there = True

    def __init__(self, image, deb):
        pass

    def start_bare(self, guest):
        pass

    resume_copy = save = start_bare


class RunningTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.ran = pathlib.Path(folder.name), []
        Guest.count, Installation.is_there, self.broken = 0, True, set()
        names = ["installed", "a", "b", "alone", "c"]
        for name, value in (("Guest", Guest), ("Installation", Installation), ("STORE", self.folder), ("ALONE", {"alone"}),
                            ("ALL", {name: self.scenario(name) for name in names}), ("title", lambda name: name)):
            patch = mock.patch.object(running, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def scenario(self, name):
        def body(bed):
            self.ran.append((name, bed.guest.number, bed.seed))
            assert name not in self.broken, f"{name} fails"
        return body

    def perform(self, *names, number=1):
        self.results = Results(self.folder / "results.json", Plan(["bookworm"], 2, list(names), seed=10, cuts=1), "x.deb", "d", "c")
        report = Report()
        report.say = lambda _: None
        image = types.SimpleNamespace(suite=SUITES["bookworm"])
        options = types.SimpleNamespace(keep_files=False)
        running.Running(image, pathlib.Path("x.deb"), number, self.results, report, options).perform(self.results.plan.steps_of("bookworm", number))
        return [(outcome.scenario, outcome.word) for outcome in self.results.outcomes]

    def test_scenarios_share_a_guest_until_one_needs_a_separate_guest(self):
        self.assertEqual(self.perform("a", "b", "alone", "c", number=2), [(name, "pass") for name in ("a", "b", "alone", "c")])
        self.assertEqual(self.ran, [("a", 1, 12), ("b", 1, 12), ("alone", 2, 12), ("c", 3, 12)])
        self.assertEqual([path.name for path in self.folder.glob("run-*")], [])

    def test_failure_saves_the_journal_and_stops_the_guest(self):
        self.broken = {"a"}
        self.assertEqual(self.perform("a", "b"), [("a", "fail"), ("b", "pass")])
        self.assertEqual([guest for _, guest, _ in self.ran], [1, 2])
        self.assertEqual((self.folder / "results" / "bookworm-1-a.journal").read_text(), "the journal")

    def test_installs_the_package_when_requested_or_missing(self):
        self.assertEqual(self.perform("installed", "a"), [("installed", "pass"), ("a", "pass")])
        Installation.is_there = False
        self.assertEqual(self.perform("b"), [("b", "pass")])
        self.assertEqual([name for name, *_ in self.ran], ["installed", "a", "installed", "b"])

    def test_runs_no_scenario_without_the_package(self):
        self.broken = {"installed"}
        with self.assertRaisesRegex(Cannot, "cannot be installed in Debian 12"):
            self.perform("installed", "a")
        self.assertEqual([(outcome.scenario, outcome.word) for outcome in self.results.outcomes], [("installed", "fail")])
        self.assertEqual([name for name, *_ in self.ran], ["installed"])

    def test_interrupted_run_keeps_its_results(self):
        def interrupted(bed):
            raise KeyboardInterrupt
        running.ALL["b"] = interrupted
        with self.assertRaises(KeyboardInterrupt):
            self.perform("a", "b", "c")
        kept = Results.load(self.folder / "results.json")
        self.assertEqual([step.scenario for step in kept.plan.steps_of("bookworm", 1, kept.done)], ["b", "c"])
        self.assertEqual([path.name for path in self.folder.glob("run-*")], [])


if __name__ == "__main__":
    unittest.main()
