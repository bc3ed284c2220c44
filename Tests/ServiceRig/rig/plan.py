"""The steps of one call of the rig: scenarios × runs, in each release."""
import dataclasses, fnmatch
from .place import Cannot


@dataclasses.dataclass(frozen=True)
class Step:
    """One scenario of one run."""
    suite: str
    run: int
    scenario: str


@dataclasses.dataclass(frozen=True)
class Plan:
    """All options that are needed to continue an interrupted run."""
    suites: list
    runs: int
    scenarios: list
    seed: int
    cuts: int

    def steps(self, done=()):
        """Returns the remaining steps, in order."""
        return [step for suite in self.suites for run in range(1, self.runs + 1) for step in self.steps_of(suite, run, done)]

    def steps_of(self, suite, run, done=()):
        """Returns the remaining steps of one run."""
        return [step for name in self.scenarios if (step := Step(suite, run, name)) not in done]


def chosen(names, patterns):
    """Returns the names that match a shell pattern, in the order of `names`, or all of them without patterns."""
    if not patterns:
        return list(names)
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            raise Cannot(f"no scenario matches '{pattern}': --list shows the names")
    return [name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]


def lines(plan, done, titles, alone, states):
    """Returns the plan as text: the images and the remaining steps.

    titles: the title of each scenario. alone: the scenarios that need their own guest. states: a sentence for each suite."""
    left = plan.steps(done)
    for suite in plan.suites:
        yield f"{suite}: {states[suite]}"
    yield f"{len(plan.suites)} × {plan.runs} × {len(plan.scenarios)}: {len(left)} to run, {len(plan.steps()) - len(left)} done before; seed {plan.seed}"
    for name in plan.scenarios:
        count = sum(step.scenario == name for step in left)
        yield f"  {count:>3} ×  {name:<18} {'(in a separate guest) ' if name in alone else ''}{titles[name]}"
