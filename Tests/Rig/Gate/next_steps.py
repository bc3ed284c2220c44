"""The table of next steps: for each condition, the tests that follow its next step, and whether these tests passed.

`ConditionTableTests` writes the proofs, one in each line, to the file in `FRAMEFAST_TEST_NEXT_STEPS`. Tabs separate the
columns: the condition's code, whether the test raises the condition, whether the test names the next step, the test's
file, the test's name, and the beginning of the case's name, or nothing for a test without cases.
"""

from dataclasses import dataclass
from pathlib import Path

from events import Run
from part_run import FOLDER

VARIABLE = "FRAMEFAST_TEST_NEXT_STEPS"
FILE = FOLDER / "next-steps.tsv"
_COLUMNS = 6


@dataclass(frozen=True)
class Proof:
    """A test that follows the next step of a condition."""

    condition: str
    injected: str
    named: str
    # The path of the test's file, for example `Tests/Camera/CamerasTests/CameraAdviceTests.swift`.
    file: str
    test: str
    # The beginning of the case's name, or "" for a test without cases.
    case: str

    def is_in(self, test_id: str) -> bool:
        """Returns whether an id belongs to this test."""
        target = next(part for part in self.file.split("/")[1:] if part.endswith("Tests"))
        return (
            test_id.startswith(f"{target}.") and f"/`{self.test}`(" in test_id
            and f"/{self.file.rsplit('/', 1)[1]}:" in test_id
        )


def parse(text: str) -> list[Proof]:
    """Returns the proofs in the text of the file."""
    rows = [line.split("\t") for line in text.splitlines()]
    return [Proof(*row) for row in rows if len(row) == _COLUMNS]


def result(proof: Proof, runs: list[Run]) -> str:
    """Returns "yes", "NO", "NO: " with a reason, or "skipped: " with a reason."""
    skips = [reason for run in runs for test, reason in run.skips.items() if proof.is_in(test)]
    passed = {test for run in runs for test in run.passed if proof.is_in(test)}
    if not passed:
        if any(proof.is_in(test) for run in runs for test in run.failed):
            return "NO"
        return f"skipped: {skips[0]}" if skips else "NO: the test did not run"
    cases = {case for run in runs for test in passed for case in run.cases.get(test, ())}
    if proof.case and not any(case == proof.case or case.startswith(f"{proof.case}: ") for case in cases):
        return "NO: the test has no such case"
    return "yes"


def table(text: str, runs: list[Run]) -> tuple[list[str], list[str]]:
    """Returns the lines of the table, and the failures.

    A proof fails if its test or case did not run. A test that ran and failed is a failure of its part only. A condition fails
    if all of its proofs are skipped, at least one of them because it runs only at night. Other reasons for skips, for example
    missing root rights, are no failure.
    """
    proofs = parse(text)
    if not proofs:
        return [], ["✘ ConditionTableTests has written no table of next steps"]
    lines, faults = ["condition · injected · named · step works · test"], []
    results: dict[str, list[str]] = {}
    for proof in proofs:
        found = result(proof, runs)
        results.setdefault(proof.condition, []).append(found)
        lines.append(" · ".join([proof.condition, proof.injected, proof.named, found, proof.test]))
        if found.startswith("NO: "):
            faults.append(f"✘ {proof.condition}: {found[4:]}: {proof.test} ({proof.file})")
    for condition, found in results.items():
        is_proved = any(one == "yes" or one.startswith("NO") for one in found)
        if not is_proved and any(one.startswith("skipped: nightly:") for one in found):
            faults.append(f"✘ {condition}: no test of its next step runs in the gate")
    return lines, faults


def read(path: Path = FILE) -> str:
    """Returns the text of the file, or "" if `ConditionTableTests` did not run."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""
