"""Tests of the simulation at night, with a small program instead of `scripts/simulate`."""

import contextlib
import os
import sys
import tempfile
import unittest
from pathlib import Path

import hang
import simulation
from night_table import row_if_stopped

# Prints the output of two processes: 100 steps for each seed, and seed 7 is red.
SEEDS = """
import sys
first, count = int(sys.argv[2]), int(sys.argv[4])
red = 0
for seed in range(first, first + count):
    if seed == 7:
        red += 1
        print("half a line of another processSIMULATION seed=7 commit=34c558d step=12 : scripts/simulate --seed 7 replays it")
        print("  [loss] 1 photo is missing")
        print("  a line of the history")
for part in (1, count - 1):
    print(f"{part} seeds from {first}, {red} red, {3 * part} photos, {part} kills, {100 * part} jobs, 0.1 s")
    print(f"totals seeds={part} first={first} red={red} photos={3 * part} kills={part} steps={100 * part}")
sys.exit(1 if red else 0)
"""
# One of two processes crashes.
CRASHES = "print('totals seeds=6 first=1 red=0 photos=0 kills=0 steps=600'); raise SystemExit(1)"
# No seed can start, for example because there is no disk space.
CANNOT_START = """
import sys
for seed in range(10):
    print(f"SIMULATION seed={seed} commit=34c558d step=0 : scripts/simulate --seed {seed} replays it")
print("totals seeds=10 first=0 red=10 photos=0 kills=0 steps=0")
sys.exit(1)
"""
# A red seed, then a process that does not end.
WAITS = """
import os, sys, time
open(sys.argv[-5], "w").write(str(os.getpid()))
print("SIMULATION seed=7 commit=34c558d step=12 : scripts/simulate --seed 7 replays it", flush=True)
time.sleep(1000)
"""


class SimulationTests(unittest.TestCase):
    def setUp(self):
        self.said: list[str] = []
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def simulation(self, first, program, *arguments, say=None):
        script = (sys.executable, "-c", program, *arguments)
        return simulation.Simulation(first, dict(os.environ), say or self.said.append, script, self.folder)

    def test_runs_groups_until_it_has_enough_seeds_and_steps(self):
        for seeds, steps, done in ((20, 100, 20), (25, 100, 25), (20, 3_000, 30)):
            found = self.simulation(100, SEEDS)
            found.run(seeds, steps, group=10)
            totals = {"seeds": done, "photos": 3 * done, "kills": done, "steps": 100 * done}
            self.assertEqual((found.row.totals, found.row.failures, found.row.title), (totals, [], "Simulation"))
        self.assertIn("Simulation: 30 seeds from 100, 90 photos, 30 kills, 3000 steps, 0 failures.", self.said[-1])

    def test_prints_a_red_seed_with_its_command_and_continues(self):
        found = self.simulation(1, SEEDS)
        found.run(20, 100, group=10)
        self.assertEqual([f.reason for f in found.row.failures], ["seed 7 is red: scripts/simulate --seed 7 replays it"])
        self.assertEqual((found.row.totals["seeds"], found.row.stopped), (20, ""))
        self.assertEqual(self.said[:2], [
            "SIMULATION seed=7 commit=34c558d step=12 : scripts/simulate --seed 7 replays it", "  [loss] 1 photo is missing"])
        self.assertEqual(len(self.said), 3)
        self.assertIn("a line of the history", (self.folder / "simulation.log").read_text())

    def test_a_crashed_process_is_a_failure_and_ends_the_stage(self):
        found = self.simulation(1, CRASHES)
        found.run(20, 100, group=10)
        self.assertEqual(len(found.row.failures), 1)
        self.assertIn("--first 1 --seeds 10 ended with status 1 after 6 of 10 seeds", found.row.failures[0].reason)
        self.assertEqual(found.row.stopped, "6 of 20 seeds")

    def test_a_failed_build_is_a_failure(self):
        found = self.simulation(1, "raise SystemExit(75)")
        found.run(20, 100, group=10)
        self.assertIn("ended with status 75 after 0 of 10 seeds", found.row.failures[0].reason)

    def test_seeds_that_cannot_start_end_the_stage(self):
        found = self.simulation(0, CANNOT_START)
        found.run(20, 100, group=10)
        self.assertEqual((len(found.row.failures), found.row.stopped), (10, "10 of 20 seeds"))

    def test_a_signal_ends_the_processes_and_leaves_a_row(self):
        def stop(_):
            raise SystemExit(143)

        rows, file = [], self.folder / "pid"
        found = self.simulation(1, WAITS, str(file), say=stop)
        with contextlib.suppress(SystemExit), row_if_stopped(rows.append, lambda: found.row):
            found.run(20, 100, group=10)
        self.assertEqual([r.title for r in rows], ["Simulation, stopped after 0 of 20 seeds"])
        self.assertEqual(len(rows[0].failures), 1)
        self.assertFalse(hang._is_alive(int(file.read_text())))


if __name__ == "__main__":
    unittest.main()
