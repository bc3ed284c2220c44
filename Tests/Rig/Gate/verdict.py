"""The rules by which a part is judged. The tables of this file are the only place where a failure is forgiven."""

import re
from dataclasses import dataclass, field

from events import Issue, Run, stable_id
from parts import Part

# More second looks than this in one run are red: so many failures come from the change or from the machine.
MAX_SECOND_LOOKS = 3

# Messages of checks for lost, doubled or damaged photos. Such a failure is red although the test passes alone.
LOSS = (
    r"\[loss\]",
    r"LossReport",
    r"discrepancies\(with:",
    r"differences\(from:",
    r"\btorn\b",
    r"wrong hash",
    r"delivered twice",
    r"in the log:",
)
_LOSS = re.compile("|".join(LOSS), re.IGNORECASE)


def is_loss(text: str) -> bool:
    """Whether an issue's text comes from a check for lost, doubled or damaged photos."""
    return bool(_LOSS.search(text))


@dataclass
class Failure:
    """A failed test function, or a failure of the whole run (then `test` is empty)."""

    test: str
    # Why the failure is red without a second look, or "".
    reason: str = ""
    issues: list[Issue] = field(default_factory=list)


@dataclass
class Verdict:
    """The judgement of one part."""

    # Failures that are red now.
    red: list[Failure] = field(default_factory=list)
    # Failures that run once more, alone.
    second: list[Failure] = field(default_factory=list)
    # Failures of tests in quarantine.
    quarantined: list[Failure] = field(default_factory=list)


def judge(part: Part, run: Run, exit_code: int, hung: bool, quarantine: dict) -> Verdict:
    """Sorts the failures of a part.

    - exit_code: The exit status of `swift test`.
    - hung: Whether the hang guard ended the part.
    - quarantine: Entries by test id without location.
    """
    verdict = Verdict()
    if hung:
        verdict.red.append(Failure("", f"hang: no test started or finished in time{_running(run)}"))
    elif not run.ended:
        verdict.red.append(Failure("", f"the test process ended with an error (status {exit_code}){_running(run)}"))
    for failure in _failures(run):
        failure.reason = _never_forgiven(part, run, failure)
        if failure.reason:
            verdict.red.append(failure)
        elif stable_id(failure.test) in quarantine:
            verdict.quarantined.append(failure)
        else:
            verdict.second.append(failure)
    if len(verdict.second) > MAX_SECOND_LOOKS:
        why = f"{len(verdict.second)} tests failed; at most {MAX_SECOND_LOOKS} get a second look"
        verdict.red += [Failure(f.test, why, f.issues) for f in verdict.second]
        verdict.second = []
    nothing_failed = not (verdict.red or verdict.second or verdict.quarantined)
    if nothing_failed and exit_code != 0:
        verdict.red.append(Failure("", f"swift test ended with status {exit_code}, but no test failed"))
    if nothing_failed and not (run.passed or run.skips):
        verdict.red.append(Failure("", "no test ran: the filter matches no test"))
    return verdict


def _running(run: Run) -> str:
    names = [stable_id(test) + (f" ({case})" if case else "") for test, case, _ in run.running()]
    shown = names[:20] + ([f"and {len(names) - 20} more"] if len(names) > 20 else [])
    return "; running or waiting for a place: " + ", ".join(shown) if shown else ""


def _failures(run: Run) -> list[Failure]:
    found: dict[str, Failure] = {}
    for issue in run.issues:
        found.setdefault(issue.test, Failure(issue.test)).issues.append(issue)
    for test in run.failed:
        found.setdefault(test, Failure(test))
    return list(found.values())


def _never_forgiven(part: Part, run: Run, failure: Failure) -> str:
    if any(is_loss(issue.text) for issue in failure.issues):
        return "a check for lost or damaged photos failed"
    if not part.second_look:
        return f"no second look for {part.name}"
    if not failure.test or not run.functions.get(failure.test, False):
        return "the failure is outside a test function"
    return ""


def bad_skips(skips: dict[str, str]) -> dict[str, str]:
    """The skips whose reason does not start with `nightly:`."""
    return {test: reason for test, reason in skips.items() if not reason.startswith("nightly:")}
