"""Tests of the seeds, with a small program instead of the simulation."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

import seeds
from seeds import Outcome, SeedRun

# Prints the output of the simulation. The text END is replaced by a statement that ends a seed in another way.
PROGRAM = """
import os, signal, sys, time
first, count = int(sys.argv[2]), int(sys.argv[4])
def red(seed, words):
    print(f"SIMULATION seed={seed} commit=unknown step=12 : scripts/simulate --seed {seed} replays it")
    print(f"  [loss] {words}\\n  [loss] another violation\\n  a line of the history", flush=True)
for seed in range(first, first + count):
    END
    print(f"seed {seed}: {'0' * 64}", flush=True)
"""


def command(end="pass"):
    return (sys.executable, "-c", PROGRAM.replace("END", end))


class SeedTests(unittest.TestCase):
    def run_seeds(self, end="pass", count=20, limit=1e6, **options):
        return SeedRun(command(end), **{"processes": 3, "group": 4, **options}).run(1, count, limit)

    def test_runs_all_seeds_if_each_is_green(self):
        self.assertEqual(self.run_seeds(), Outcome(20))

    def test_returns_the_lowest_red_seed_with_its_first_violation(self):
        # The lower red seed ends last.
        end = "seed == 3 and (time.sleep(0.5), red(3, 'lost: a photo')); seed == 14 and red(14, 'torn')"
        self.assertEqual(self.run_seeds(end), Outcome(3, 3, "lost: a photo"))

    def test_counts_from_the_first_seed(self):
        found = SeedRun(command("seed == 107 and red(107, 'torn')"), processes=2, group=4).run(101, 20, 1e6)
        self.assertEqual(found, Outcome(7, 107, "torn"))

    def test_a_crash_is_red(self):
        found = self.run_seeds("seed == 6 and os.kill(os.getpid(), signal.SIGKILL)")
        self.assertEqual(found, Outcome(6, 6, "the program ended with SIGKILL"))
        end = "seed == 6 and (print('a.swift:1: Fatal error: index out of range'), sys.stdout.flush(), sys.exit(4))"
        self.assertEqual(self.run_seeds(end), Outcome(6, 6, "a.swift:1: Fatal error: index out of range"))

    def test_a_program_that_ends_early_is_red(self):
        self.assertEqual(self.run_seeds("seed == 6 and sys.exit(0)"), Outcome(6, 6, "the program ended with status 0"))

    def test_a_seed_that_does_not_end_is_red(self):
        found = self.run_seeds("time.sleep(1000)", processes=1, hang_seconds=0.1)
        self.assertEqual(found, Outcome(1, 1, "the seed did not end in 0 s"))

    def test_the_time_limit_does_not_make_a_seed_red(self):
        self.assertEqual(self.run_seeds("time.sleep(1000)", limit=0), Outcome(0, is_stopped=True))

    def test_the_outcome_says_whether_the_time_limit_stopped_seeds_before_the_red_seed(self):
        run = SeedRun(command("seed < 5 and time.sleep(1000); seed == 5 and red(5, 'torn')"), processes=2, group=4)
        record = run._record

        def record_at_the_time_limit(*arguments):
            record(*arguments)
            run._stop()

        run._record = record_at_the_time_limit
        self.assertEqual(run.run(1, 20, 1e6), Outcome(5, 5, "torn", is_stopped=True))

    def test_a_missing_program_is_an_error(self):
        with self.assertRaises(FileNotFoundError):
            SeedRun(("/nowhere/simulate",), processes=2).run(1, 5, 1e6)

    def test_removes_the_disk_of_an_ended_simulation(self):
        with tempfile.TemporaryDirectory() as folder:
            list_of_disks = Path(folder) / "disks"
            disk = str(Path(tempfile.gettempdir()) / "framefast-simulate-")
            end = f"disk = {disk!r} + str(os.getpid()); os.mkdir(disk); open({str(list_of_disks)!r}, 'a').write(disk + ' '); " \
                "red(seed, 'torn'); time.sleep(1000)"
            self.assertEqual(self.run_seeds(end, count=4), Outcome(1, 1, "torn"))
            disks = list_of_disks.read_text(encoding="utf-8").split()
            self.assertEqual((len(disks), [d for d in disks if os.path.exists(d)]), (1, []))

    def test_the_program_prints_the_lines_that_this_module_reads(self):
        text = (Path(seeds.__file__).parents[1] / "SimulationProgram/SimulateCommand.swift").read_text(encoding="utf-8")
        for line in ('"SIMULATION seed=\\(seed) commit=', '"  [loss] \\(violation)"', '"seed \\(seed): \\(report.digest)"'):
            self.assertIn(line, text)
        self.assertIn('"framefast-simulate-\\(getpid())"', text)


if __name__ == "__main__":
    unittest.main()
