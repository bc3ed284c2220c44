"""The second look: a failed test of programs is repeated alone, with the same seed, at lower CPU pressure."""

import dataclasses
from dataclasses import dataclass

import machine
from events import filter_for
from part_run import Result, Runner
from parts import Part
from verdict import Failure

# The maximum wait for lower CPU pressure before a second look, in seconds.
_CALM_SECONDS = 30.0


@dataclass
class SecondLook:
    """The two results of one test."""

    first: Failure
    # Load of the machine at the first failure.
    load: str
    result: Result
    # Load of the machine before the second run.
    second_load: str

    @property
    def is_green(self) -> bool:
        """Whether the test ran and passed in the second run."""
        run = self.result.run
        return (
            self.result.exit_code == 0 and run.ended and not run.issues and self.first.test in run.passed
        )


def look_again(failure: Failure, first: Result, runner: Runner, number: int) -> SecondLook:
    """Runs a failed test once more, alone."""
    machine.wait_until_calm("avg10", _CALM_SECONDS)
    load = machine.describe()
    part = dataclasses.replace(
        first.part, name=f"{first.part.name} second look {number}", filters=(filter_for(failure.test),), skips=(),
        width=1, second_look=False,
    )
    return SecondLook(failure, first.load.get(failure.test, "load unknown"), runner.run(part), load)
