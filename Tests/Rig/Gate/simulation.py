"""The simulation at night: new seeds in the optimized build of `scripts/simulate`."""

import re
import subprocess
from pathlib import Path

import hang
from night_table import Row
from part_run import FOLDER
from verdict import Failure

SCRIPT = ("scripts/simulate",)
# A night runs at least this many seeds and steps. A step is a job of the simulation's executor.
SEEDS = 2_000
STEPS = 1_000_000
# The number of seeds in one call of the script. A stopped night has the totals of its complete calls.
GROUP = 500
_TOTALS = ("seeds", "photos", "kills", "steps")
# Several processes write to one pipe, so these texts may begin in the middle of a line.
_RED_LINE = re.compile(r"SIMULATION seed=(\d+) .* : (.+) replays it$")
_TOTALS_LINE = re.compile(r"totals seeds=(\d+) first=\d+ red=\d+ photos=(\d+) kills=(\d+) steps=(\d+)$")


class Simulation:
    """Consecutive seeds from a first seed."""

    def __init__(
        self, first: int, environment: dict[str, str], say=print, script: tuple[str, ...] = SCRIPT, folder: Path = FOLDER
    ) -> None:
        self._environment, self._say, self._script = environment, say, script
        self._log = folder / "simulation.log"
        # The row of the night's table. Its totals grow while the seeds run.
        self.row = Row("Simulation", seed=first, totals=dict.fromkeys(_TOTALS, 0))

    def run(self, seeds: int = SEEDS, steps: int = STEPS, group: int = GROUP) -> None:
        """Runs at least this many seeds and steps, in groups of seeds.

        The stage ends early after a call of the script that runs no step or not all of its seeds.
        """
        totals, started, can_continue = self.row.totals, 0, True
        self._log.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(self._log, "w", encoding="utf-8") as log:
                while can_continue and (started < seeds or totals["steps"] < steps):
                    count = min(group, seeds - started) if started < seeds else group
                    can_continue = self._run_group(self.row.seed + started, count, log)
                    started += count
        finally:
            if totals["seeds"] < max(started, seeds):
                self.row.stopped = f"{totals['seeds']} of {max(started, seeds)} seeds"
            elif totals["steps"] < steps:
                self.row.stopped = f"{totals['steps']} of {steps} steps"
        photos, kills, done = totals["photos"], totals["kills"], totals["steps"]
        self._say(
            f"Simulation: {totals['seeds']} seeds from {self.row.seed}, {photos} photos, {kills} kills, {done} steps, "
            f"{len(self.row.failures)} failures. The whole output is in {self._log}."
        )

    def _run_group(self, first: int, count: int, log) -> bool:
        """Runs seeds, and returns whether more seeds can run."""
        command = [*self._script, "--first", str(first), "--seeds", str(count)]
        before, failures = dict(self.row.totals), len(self.row.failures)
        with hang.program(
            command, self._environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8", errors="replace"
        ) as process, process.stdout:
            for line in process.stdout:
                log.write(line)
                log.flush()
                self._read(line.rstrip("\n"))
        status = process.returncode
        done = self.row.totals["seeds"] - before["seeds"]
        if done != count or status and len(self.row.failures) == failures:
            reason = f"{' '.join(command)} ended with status {status} after {done} of {count} seeds"
            self.row.failures.append(Failure("", reason))
        return done == count and self.row.totals["steps"] > before["steps"]

    def _read(self, line: str) -> None:
        if found := _RED_LINE.search(line):
            seed, command = found.groups()
            self.row.failures.append(Failure("", f"seed {seed} is red: {command} replays it"))
            self._say(found[0])
        elif "[loss]" in line:
            self._say(line)
        elif found := _TOTALS_LINE.search(line):
            for name, number in zip(_TOTALS, found.groups(), strict=True):
                self.row.totals[name] += int(number)
