"""Tests of the rules: quarantine, ledger, lived time."""

import datetime
import tempfile
import unittest
from pathlib import Path

import ledger
import machine
import quarantine
from hang import HangGuard

TODAY = datetime.date(2026, 11, 27)


class QuarantineTests(unittest.TestCase):
    def entries(self, *lines):
        return quarantine.parse("\n".join(["# header", "", *lines]), TODAY)

    def test_reads_an_entry(self):
        entries, errors = self.entries("A.B/`c d`()\tissue 12\t2026-12-11")
        self.assertEqual((errors, entries["A.B/`c d`()"].reason), ([], "issue 12"))

    def test_refuses_each_broken_entry(self):
        for line, word in (
            ("A.B/c()\tslow\t2026-11-26", "expired"), ("A.B/c()\tslow\t2026-12-12", "14 days"),
            ("A.B/c()\tslow\tsoon", "not a date"), ("A.B/c() slow 2026-12-01", "tabs"), ("A.B/c()\t\t2026-12-01", "tabs"),
        ):
            self.assertIn(word, " ".join(self.entries(line)[1]), line)
        self.assertIn("twice", self.entries("A\tb\t2026-12-01", "A\tb\t2026-12-01")[1][0])

    def test_refuses_more_than_ten_entries(self):
        lines = [f"A.B/c{n}()\tslow\t2026-12-01" for n in range(11)]
        self.assertEqual(self.entries(*lines[:10])[1], [])
        self.assertIn("at most 10", self.entries(*lines)[1][0])

    def test_an_entry_is_valid_on_its_last_day(self):
        self.assertEqual(self.entries("A.B/c()\tslow\t2026-11-27")[1], [])

    def test_the_quarantine_file_is_well_formed(self):
        text = quarantine.FILE.read_text(encoding="utf-8")
        self.assertNotRegex(" ".join(quarantine.parse(text, TODAY)[1]), "tabs|not a date|twice|at most")


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

    def test_the_environment_selects_the_file(self):
        self.assertEqual(ledger.path({"FRAMEFAST_UNSTEADY_LEDGER": "/x/y.tsv"}), Path("/x/y.tsv"))
        self.assertEqual(ledger.path({"XDG_STATE_HOME": "/s"}), Path("/s/framefast/unsteady.tsv"))


class Clock:
    """A clock and a pressure file that a test controls."""

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

    def test_lived_time_excludes_waits_for_a_cpu(self):
        self.time.move(10, 4)
        self.assertAlmostEqual(self.lived.seconds(), 6)

    def test_lived_time_is_at_least_a_fifth(self):
        self.time.move(10, 12)
        self.assertAlmostEqual(self.lived.seconds(), 2)

    def test_lived_time_equals_wall_clock_time_without_a_pressure_file(self):
        self.time.some = {}
        self.lived.restart()
        self.time.now += 3
        self.assertAlmostEqual(self.lived.seconds(), 3)

    def test_each_start_or_end_of_a_test_restarts_the_hang_guard(self):
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

    def test_an_idle_machine_starts_without_a_message(self):
        self.assertEqual(self.wait(600), (True, []))

    def test_a_busy_machine_waits_and_reports_it_once(self):
        self.time.some["avg60"] = 80.0
        calm, said = self.wait(600)
        self.assertEqual((calm, len(said)), (False, 2))
        self.assertAlmostEqual(self.time.now, 700, delta=1)

    def test_continues_as_soon_as_the_machine_is_idle(self):
        self.time.some["avg60"] = 80.0
        self.time.sleep = lambda seconds: (self.time.move(seconds), self.time.some.update(avg60=10.0))
        calm, said = self.wait(600)
        self.assertTrue(calm)
        self.assertIn("no longer busy after 5 s", said[1])


if __name__ == "__main__":
    unittest.main()
