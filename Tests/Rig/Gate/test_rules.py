"""The rules: verdicts, checks for loss, quarantine, skips, ledger, lived time and areas."""

import datetime
import tempfile
import unittest
from pathlib import Path

import ledger
import machine
import parts
import quarantine
import stream_samples as s
from events import Run
from hang import HangGuard
from verdict import LOSS, MAX_SECOND_LOOKS, bad_skips, is_loss, judge

VALUES = parts.Part("Values")
PROGRAMS = parts.Part("Programs and servers", second_look=True)
TODAY = datetime.date(2026, 11, 27)


def name(number: int) -> str:
    return f"ETests.Suite/case{number}()/ETests.swift:{number}:1"


def read(*records) -> Run:
    run = Run()
    for line in s.lines(s.test("ETests.Suite", "suite"), *[s.test(name(n)) for n in range(9)], *records):
        run.feed(line, 0.0)
    return run


def verdict(part, *records, code=1, hung=False, entries=None):
    return judge(part, read(*records), code, hung, entries or {})


class VerdictTests(unittest.TestCase):
    def test_a_green_run_has_no_failure(self):
        found = verdict(PROGRAMS, *s.passing(name(1)), s.END, code=0)
        self.assertEqual((found.red, found.second, found.quarantined), ([], [], []))

    def test_a_failed_test_of_values_is_red(self):
        found = verdict(VALUES, *s.failing(name(1), "x"), s.END)
        self.assertEqual([f.test for f in found.red], [name(1)])
        self.assertEqual(found.second, [])

    def test_a_failed_test_of_programs_gets_a_second_look(self):
        found = verdict(PROGRAMS, *s.failing(name(1), "waited 30 s"), s.END)
        self.assertEqual(([f.test for f in found.second], found.red), ([name(1)], []))

    def test_several_issues_of_one_test_are_one_second_look(self):
        found = verdict(PROGRAMS, s.event("testStarted", name(1)), *[s.issue(name(1), "a") for _ in range(5)], s.END)
        self.assertEqual([len(f.issues) for f in found.second], [5])

    def test_three_second_looks_are_allowed_and_four_are_red(self):
        three = [record for n in range(MAX_SECOND_LOOKS) for record in s.failing(name(n), "slow")]
        self.assertEqual(len(verdict(PROGRAMS, *three, s.END).second), 3)
        found = verdict(PROGRAMS, *three, *s.failing(name(7), "slow"), s.END)
        self.assertEqual((len(found.red), found.second), (4, []))
        self.assertIn("at most 3", found.red[0].reason)

    def test_a_check_for_loss_is_red_with_and_without_quarantine(self):
        entries = {"ETests.Suite/case1()": None}
        for text in ("[loss] 1 photo is missing", "rig.discrepancies(with: truth)", "A.jpg is torn", "Wrong hash of A"):
            found = verdict(PROGRAMS, *s.failing(name(1), "Expectation failed", text), s.END, entries=entries)
            self.assertEqual((len(found.red), found.second, found.quarantined), (1, [], []), text)

    def test_a_crash_is_red_and_names_the_running_tests(self):
        found = verdict(PROGRAMS, *s.passing(name(1)), s.event("testStarted", name(2)))
        self.assertEqual(len(found.red), 1)
        self.assertIn("case2()", found.red[0].reason)
        self.assertNotIn("case1()", found.red[0].reason)

    def test_a_hang_is_red(self):
        found = verdict(PROGRAMS, s.event("testStarted", name(2)), hung=True, code=-9)
        self.assertIn("hang", found.red[0].reason)

    def test_an_issue_outside_a_test_function_is_red(self):
        for test in ("", "ETests.Suite"):
            self.assertEqual(len(verdict(PROGRAMS, s.issue(test, "x"), s.END).red), 1)

    def test_an_error_of_swift_test_without_a_failed_test_is_red(self):
        found = verdict(PROGRAMS, *s.passing(name(1)), s.END, code=1)
        self.assertIn("status 1", found.red[0].reason)

    def test_a_run_without_tests_is_red(self):
        self.assertIn("no test ran", verdict(PROGRAMS, s.END, code=0).red[0].reason)

    def test_a_test_in_quarantine_is_not_counted_but_a_test_of_values_is(self):
        entries = {"ETests.Suite/case1()": None}
        found = verdict(PROGRAMS, *s.failing(name(1), "slow"), s.END, entries=entries)
        self.assertEqual(([f.test for f in found.quarantined], found.red, found.second), ([name(1)], [], []))
        self.assertEqual(len(verdict(VALUES, *s.failing(name(1), "slow"), s.END, entries=entries).red), 1)

    def test_each_row_of_the_table_of_loss_checks_finds_its_message(self):
        samples = (
            "[loss] x", "LossReport(missing: 1)", "#expect(try rig.discrepancies(with: truth).isEmpty)",
            "ledger.differences(from: disk)", "2 files are torn", "wrong hash of IMG_1", "IMG_1 delivered twice",
            "error in the log: cannot write",
        )
        self.assertEqual(len(samples), len(LOSS))
        for text in samples:
            self.assertTrue(is_loss(text), text)
        for text in ("waited 30 s for the camera", "the tornado", "the log has no line"):
            self.assertFalse(is_loss(text), text)

    def test_only_skips_for_the_night_are_fine(self):
        self.assertEqual(bad_skips({"a": "nightly: minutes", "b": "needs rclone", "c": "at night"}), {
            "b": "needs rclone", "c": "at night",
        })


class QuarantineTests(unittest.TestCase):
    def entries(self, *lines):
        return quarantine.parse("\n".join(["# header", "", *lines]), TODAY)

    def test_reads_an_entry(self):
        entries, errors = self.entries("A.B/`c d`()\tissue 12\t2026-12-11")
        self.assertEqual((errors, entries["A.B/`c d`()"].reason), ([], "issue 12"))

    def test_refuses_each_broken_entry(self):
        for line, word in (
            ("A.B/c()\tslow\t2026-11-26", "expired"), ("A.B/c()\tslow\t2026-12-12", "14 days"),
            ("A.B/c()\tslow\tsoon", "no date"), ("A.B/c() slow 2026-12-01", "tabs"), ("A.B/c()\t\t2026-12-01", "tabs"),
        ):
            self.assertIn(word, " ".join(self.entries(line)[1]), line)
        self.assertIn("twice", self.entries("A\tb\t2026-12-01", "A\tb\t2026-12-01")[1][0])

    def test_refuses_more_than_ten_entries(self):
        lines = [f"A.B/c{n}()\tslow\t2026-12-01" for n in range(11)]
        self.assertEqual(self.entries(*lines[:10])[1], [])
        self.assertIn("at most 10", self.entries(*lines)[1][0])

    def test_an_entry_is_good_on_its_last_day(self):
        self.assertEqual(self.entries("A.B/c()\tslow\t2026-11-27")[1], [])

    def test_the_repository_s_file_is_well_formed(self):
        text = quarantine.FILE.read_text(encoding="utf-8")
        self.assertNotRegex(" ".join(quarantine.parse(text, TODAY)[1]), "tabs|no date|twice|at most")


class LedgerTests(unittest.TestCase):
    def test_a_line_has_five_columns(self):
        now = datetime.datetime(2026, 11, 27, 22, 5, tzinfo=datetime.timezone.utc)
        text = ledger.line(now, "34c558d", "A.B/c()", "waited\t30 s\nmore", "PSI 71 %, load 9.4")
        self.assertEqual(text, "2026-11-27T22:05:00Z\t34c558d\tA.B/c()\twaited 30 s more\tPSI 71 %, load 9.4\n")

    def test_appends_and_creates_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "state/framefast/unsteady.tsv"
            self.assertTrue(ledger.append("a\n", file) and ledger.append("b\n", file))
            self.assertEqual(file.read_text(), "a\nb\n")
            said = []
            self.assertFalse(ledger.append("c\n", file / "below", say=said.append))
            self.assertIn("warning", said[0])

    def test_the_environment_chooses_the_file(self):
        self.assertEqual(ledger.path({"FRAMEFAST_UNSTEADY_LEDGER": "/x/y.tsv"}), Path("/x/y.tsv"))
        self.assertEqual(ledger.path({"XDG_STATE_HOME": "/s"}), Path("/s/framefast/unsteady.tsv"))


class Clock:
    """A clock and a pressure file that a test moves."""

    def __init__(self):
        self.now, self.some = 100.0, {"total": 7.0, "avg10": 0.0, "avg60": 0.0}

    def move(self, wall, short=0.0):
        self.now += wall
        self.some = {**self.some, "total": self.some["total"] + short}

    def sleep(self, seconds):
        self.move(seconds)


class MachineTests(unittest.TestCase):
    def setUp(self):
        self.time = Clock()
        self.lived = machine.LivedClock(lambda: self.time.now, lambda: self.time.some)

    def test_lived_time_is_wall_clock_time_without_shortage_of_cpu(self):
        self.time.move(10, 4)
        self.assertAlmostEqual(self.lived.seconds(), 6)

    def test_lived_time_is_at_least_a_fifth(self):
        self.time.move(10, 12)
        self.assertAlmostEqual(self.lived.seconds(), 2)

    def test_lived_time_is_wall_clock_time_without_a_pressure_file(self):
        self.time.some = {}
        self.lived.restart()
        self.time.now += 3
        self.assertAlmostEqual(self.lived.seconds(), 3)

    def test_the_guard_starts_again_with_each_start_or_end_of_a_test(self):
        guard = HangGuard(120, self.lived)
        self.assertFalse(guard.expired(0))
        self.time.move(119)
        self.assertFalse(guard.expired(0))
        self.assertFalse(guard.expired(1))
        self.time.move(119)
        self.assertFalse(guard.expired(1))
        self.time.move(400, 399)
        self.assertTrue(guard.expired(1))

    def test_a_guard_without_limit_never_expires(self):
        guard = HangGuard(0, self.lived)
        guard.expired(0)
        self.time.move(1e6)
        self.assertFalse(guard.expired(0))

    def test_reads_a_pressure_file(self):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("some avg10=67.33 avg60=56.30 avg300=20.24 total=73566440\nfull avg10=0.00 total=0\n")
            file.flush()
            found = machine.pressure(Path(file.name))
        self.assertEqual((found["avg10"], found["avg60"]), (67.33, 56.3))
        self.assertAlmostEqual(found["total"], 73.56644)
        self.assertEqual(machine.pressure(Path("/nowhere")), {})

    def wait(self, limit):
        said = []
        calm = machine.wait_until_calm(
            "avg60", limit, lambda: self.time.some, self.time.sleep, lambda: self.time.now, said.append)
        return calm, said

    def test_a_calm_machine_starts_without_a_word(self):
        self.assertEqual(self.wait(600), (True, []))

    def test_a_busy_machine_waits_and_says_so_once(self):
        self.time.some["avg60"] = 80.0
        calm, said = self.wait(600)
        self.assertEqual((calm, len(said)), (False, 2))
        self.assertAlmostEqual(self.time.now, 700, delta=1)

    def test_goes_on_as_soon_as_the_machine_is_calm(self):
        self.time.some["avg60"] = 80.0
        self.time.sleep = lambda seconds: (self.time.move(seconds), self.time.some.update(avg60=10.0))
        calm, said = self.wait(600)
        self.assertTrue(calm)
        self.assertIn("calm again after 5 s", said[1])


class PartTests(unittest.TestCase):
    def test_each_target_is_in_an_area(self):
        import re

        covered = [re.compile(f) for area in parts.AREAS for f in parts.filters_of_area(area)]
        targets = {p.name for p in (parts.ROOT / "Tests").rglob("*Tests") if p.is_dir()}
        self.assertGreater(len(targets), 25)
        for target in targets - {"EndToEndTests"}:
            self.assertTrue(any(c.search(f"{target}.Suite/a()/A.swift:1:1") for c in covered), target)
        for file in (parts.ROOT / "Tests/Programs/EndToEndTests").rglob("*Tests.swift"):
            test = f"EndToEndTests.Suite/a()/{file.name}:1:1"
            self.assertTrue(any(c.search(test) for c in covered), file)

    def test_each_line_of_the_table_of_programs_names_existing_targets_and_suites(self):
        import re

        sources = "\n".join(
            path.read_text(encoding="utf-8") for path in (parts.ROOT / "Tests").rglob("*.swift")
        )
        folders = {p.name for p in (parts.ROOT / "Tests").rglob("*Tests") if p.is_dir()}
        for expression in parts.PROGRAMS:
            names = re.findall(r"(?<![\\*])\b([A-Z]\w*Tests)\b", expression)
            self.assertTrue(names, expression)
            for found in names:
                declared = re.search(rf"(struct|enum|class|actor) {found}\b", sources)
                self.assertTrue(found in folders or declared, f"{found} in {expression}")

    def test_servers_belong_to_the_programs(self):
        self.assertTrue(any("LoopbackServerTests" in e for e in parts.PROGRAMS))


if __name__ == "__main__":
    unittest.main()
