"""The program behind `scripts/mutate`: tests whether the simulation finds each mutation.

Exit status: 0 if every mutation was found, 1 if not, 2 for wrong arguments.
"""

import argparse
import resource
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import mutation
from mutation import ROOT, Mutation, Stale
from seeds import Outcome, SeedRun
from tree import Cannot, Tree

# The first fixed seed of scripts/simulate.
FIRST = 1
SEEDS = 300
MINUTES = 30
# The name of the program without a mutation, and of its log.
UNCHANGED = "unchanged"
_VIOLATION_MAX = 90
HEADER = "| mutation | expected rule | found | seeds | first violation | time |\n|---|---|---|---|---|---|"


@dataclass(frozen=True)
class Row:
    """The result for one mutation."""

    mutation: Mutation
    # "yes", or the reason why the mutation was not found.
    found: str
    seeds: int = 0
    violation: str = ""
    seconds: float = 0

    @property
    def is_found(self) -> bool:
        return self.found == "yes"

    def __str__(self) -> str:
        violation = self.violation.replace("|", "/")
        if len(violation) > _VIOLATION_MAX:
            violation = violation[:_VIOLATION_MAX - 1] + "…"
        seeds = self.seeds or ""
        return (
            f"| {self.mutation.name} | {self.mutation.rule} | {self.found} | {seeds} | {violation} | {self.seconds:.0f} s |")


class Mutator:
    """Builds the mutations one after the other, and runs the seeds."""

    def __init__(self, tree: Tree, seeds: int, minutes: int, say, run=None) -> None:
        """Prepares a run.

        - seeds: The largest number of seeds for each mutation.
        - minutes: The time limit for these seeds.
        - run: Runs a number of seeds from a first seed with a program.
        """
        self._tree, self._seeds, self._minutes, self._say = tree, seeds, minutes, say
        self._run = run or self._run_seeds
        self._unchanged = Path()

    def prepare(self) -> None:
        """Copies the repository, and builds the simulation without a mutation.

        Raises `Cannot` if a step fails.
        """
        self._say(f"Copying the repository to {self._tree.path}.")
        self._tree.update()
        self._say("Building the simulation without a mutation. The first build takes some minutes.")
        program = self._tree.build(UNCHANGED)
        if program is None:
            raise Cannot(f"The simulation cannot be built without a mutation: see {self._tree.log(UNCHANGED)}.")
        self._unchanged = self._tree.copy_program(program, UNCHANGED)

    def test(self, chosen: Mutation) -> Row:
        """Tests one mutation."""
        began = time.monotonic()
        with chosen.applied(self._tree.path):
            found, outcome = self._test(chosen)
        return Row(chosen, found, outcome.seeds, outcome.violation, time.monotonic() - began)

    def _test(self, chosen: Mutation) -> tuple[str, Outcome]:
        self._say(f"{chosen.name}: building. {chosen.defect}")
        program = self._tree.build(chosen.name)
        if program is None:
            return "no build", Outcome(0, violation=f"see {self._tree.log(chosen.name)}")
        self._say(f"{chosen.name}: running up to {self._seeds} seeds.")
        outcome = self._run(program, FIRST, self._seeds)
        if outcome.red is None:
            return "stopped" if outcome.is_stopped else "no", outcome
        # A red seed is no evidence if the service without the mutation violates a rule, too.
        unchanged = self._run(self._unchanged, outcome.red, 1)
        if unchanged.red is not None or unchanged.is_stopped:
            return f"seed {outcome.red} is also red without the mutation", outcome
        return "yes", outcome

    def _run_seeds(self, program: Path, first: int, count: int) -> Outcome:
        return SeedRun((str(program),)).run(first, count, 60.0 * self._minutes)


def arguments(words: list[str], mutations: list[Mutation]) -> argparse.Namespace:
    """Parses the arguments. Wrong arguments end the program with status 2."""

    def positive(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) == 0:
            raise argparse.ArgumentTypeError("needs a number greater than 0")
        return int(text)

    parser = argparse.ArgumentParser(prog="scripts/mutate", description="Tests whether the simulation finds small defects.")
    parser.add_argument("--list", action="store_true", help="print the mutations and their rules")
    parser.add_argument("--only", action="append", metavar="NAME", help="test this mutation; can be repeated")
    parser.add_argument("--seeds", type=positive, default=SEEDS, metavar="N", help=f"seeds for each mutation ({SEEDS})")
    parser.add_argument(
        "--minutes", type=positive, default=MINUTES, metavar="M", help=f"minutes of seeds for each mutation ({MINUTES})")
    options = parser.parse_args(words)
    known = {one.name for one in mutations}
    if unknown := [name for name in options.only or [] if name not in known]:
        parser.error(f"unknown mutation '{unknown[0]}'. Try --list.")
    return options


def listed(rules: dict[str, str], mutations: list[Mutation]) -> str:
    """Returns the mutations with their rules, as text."""
    return "\n".join(f"{one.name}\n  {one.defect}\n  {one.file}\n  {one.rule}: {rules[one.rule]}" for one in mutations)


def main(words: list[str], tree: Tree | None = None, run=None) -> int:
    """Runs `scripts/mutate` with these arguments."""
    rules, mutations = mutation.load()
    options = arguments(words, mutations)
    chosen = [one for one in mutations if not options.only or one.name in options.only]
    if options.list:
        print(listed(rules, chosen))
        return 0
    sys.stdout.reconfigure(line_buffering=True)
    # The handler restores the copy and ends the build and the simulation.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    # A crash of the simulation is a result, so it needs no core file.
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
    try:
        return _test_all(tree or Tree(), chosen, options, run)
    except (Cannot, Stale, OSError) as error:
        print(f"mutate: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _test_all(tree: Tree, chosen: list[Mutation], options: argparse.Namespace, run) -> int:
    say = lambda sentence: print(sentence, file=sys.stderr, flush=True)
    for one in chosen:
        one.changed(ROOT)
    with tree.locked():
        mutator = Mutator(tree, options.seeds, options.minutes, say, run)
        mutator.prepare()
        rows = []
        print(HEADER)
        for one in chosen:
            rows.append(mutator.test(one))
            print(rows[-1])
    missed = [row.mutation.name for row in rows if not row.is_found]
    say(f"The simulation found {len(rows) - len(missed)} of {len(rows)} mutations.")
    if missed:
        say(f"mutate: not found: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
