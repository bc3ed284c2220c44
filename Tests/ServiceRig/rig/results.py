"""The outcomes of all steps, saved after each step: as JSON to continue from, and as a table to read."""
import dataclasses, json, os
from .place import Cannot
from .plan import Plan, Step

FORMAT = 1
PASS, FAIL, SKIP = "pass", "fail", "skip"
MARKS = {PASS: "✓", FAIL: "✗", SKIP: "–", None: "·"}


@dataclasses.dataclass(frozen=True)
class Outcome:
    suite: str
    run: int
    scenario: str
    # pass, fail or skip.
    word: str
    seconds: float
    # The reason of a failure or skip, or an empty string.
    reason: str = ""
    # Measurements and texts that the scenario recorded, one per line.
    figures: tuple = ()

    @property
    def step(self):
        return Step(self.suite, self.run, self.scenario)


class Results:
    """The results of a plan, for one package."""

    def __init__(self, path, plan, package, digest, commit, outcomes=()):
        self.path, self.plan, self.package, self.digest, self.commit = path, plan, str(package), digest, commit
        self.outcomes = list(outcomes)

    @classmethod
    def load(cls, path):
        """Loads results to continue from."""
        try:
            kept = json.loads(path.read_text())
        except FileNotFoundError:
            raise Cannot(f"there are no results to continue: {path} is missing. Omit --continue to start a new run.") from None
        except ValueError as problem:
            raise Cannot(f"cannot read {path} ({problem}): remove it, and omit --continue to start a new run.") from None
        if kept.get("format") != FORMAT:
            raise Cannot(f"{path} was written by another version of the rig: omit --continue to start a new run.")
        outcomes = [Outcome(**{**entry, "figures": tuple(entry["figures"])}) for entry in kept["outcomes"]]
        return cls(path, Plan(**kept["plan"]), kept["package"], kept["digest"], kept["commit"], outcomes)

    @property
    def done(self):
        return {outcome.step for outcome in self.outcomes}

    @property
    def failures(self):
        return [outcome for outcome in self.outcomes if outcome.word == FAIL]

    def add(self, outcome):
        """Adds an outcome and saves the results immediately."""
        self.outcomes.append(outcome)
        self.save()

    def save(self):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        kept = {"format": FORMAT, "package": self.package, "digest": self.digest, "commit": self.commit, "plan": dataclasses.asdict(self.plan),
                "outcomes": [dataclasses.asdict(outcome) for outcome in self.outcomes]}
        replace(self.path, json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
        replace(self.table, self.markdown())

    @property
    def table(self):
        return self.path.with_suffix(".md")

    def row(self, suite, scenario):
        """Returns one mark for each run."""
        words = {outcome.run: outcome.word for outcome in self.outcomes if (outcome.suite, outcome.scenario) == (suite, scenario)}
        return "".join(MARKS[words.get(run)] for run in range(1, self.plan.runs + 1))

    def markdown(self):
        """Returns the table, and the reasons of failed and skipped steps."""
        suites, outcomes = self.plan.suites, self.outcomes
        left = len(self.plan.steps(self.done))
        said = [f"# Service rig: {self.commit}", "",
                f"{len(outcomes)} steps, {len(self.failures)} failed, {left} not run yet. ✓ passed, ✗ failed, – skipped, · not run yet; one mark for each run.", "",
                "| scenario | " + " | ".join(suites) + " | passed |", "|---|" + "---|" * (len(suites) + 1)]
        for name in self.plan.scenarios:
            passed = sum(outcome.scenario == name and outcome.word == PASS for outcome in outcomes)
            said.append(f"| {name} | " + " | ".join(self.row(suite, name) for suite in suites) + f" | {passed} of {len(suites) * self.plan.runs} |")
        for title, word in (("Failed", FAIL), ("Skipped", SKIP)):
            some = [outcome for outcome in outcomes if outcome.word == word]
            if some:
                said += ["", f"## {title}", ""]
                said += [f"- {outcome.scenario}, {outcome.suite}, run {outcome.run}: {first_line(outcome.reason)}" for outcome in some]
        return "\n".join(said) + "\n"


def first_line(text):
    return (text.splitlines() or [""])[0]


def replace(path, text):
    """Writes a file under a temporary name and renames it. After an interruption, either the old or the new file exists."""
    aside = path.with_name(path.name + ".part")
    with aside.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
