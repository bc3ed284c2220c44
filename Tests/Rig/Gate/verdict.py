"""The rules for the verdict on a part: which failed tests fail the gate, run again alone, or are in quarantine."""

import re
from dataclasses import dataclass, field

from events import Issue, Run, stable_id
from part_run import Result

# The maximum number of second looks in a run. If more tests fail, the change or the machine is the cause.
MAX_SECOND_LOOKS = 3

# The messages of checks for lost, duplicated or damaged photos. Such a failure fails the gate even if the test passes alone.
LOSS = (
    r"\[loss\]",
    r"LossReport",
    r"discrepancies\(with:",
    r"differences\(from:",
    r"\btorn\b",
    r"wrong hash",
    r"delivered twice",
    r"in the log:",
    # Expressions that compare photos, for a check whose message lacks [loss].
    r"\bsha256\b",
    r"filesBelow",
    r"SamplePhotos\.(sum|names)",
    r"\bhashes\(\)",
)
_LOSS = re.compile("|".join(LOSS), re.IGNORECASE)

# Texts of a crashed program in the message of a test that ran it.
_CRASH = re.compile(r"Fatal error|Program crashed|\*\*\* Signal \d|unexpected signal|Sanitizer")


def is_loss(text: str) -> bool:
    """Returns whether an issue's text comes from a check for lost, duplicated or damaged photos."""
    return bool(_LOSS.search(text))


@dataclass
class Failure:
    """A failed test function, or a failure of the whole run (then `test` is empty)."""

    test: str
    # The reason why the failure has no second look, or "".
    reason: str = ""
    issues: list[Issue] = field(default_factory=list)


@dataclass
class Verdict:
    """The verdict on a part."""

    # Failures that fail the gate.
    red: list[Failure] = field(default_factory=list)
    # Failures of tests that are repeated alone.
    second: list[Failure] = field(default_factory=list)
    # Failures of tests in quarantine.
    quarantined: list[Failure] = field(default_factory=list)


def sort_failures(result: Result, quarantine: dict) -> Verdict:
    """Sorts the failures of a part.

    - quarantine: Entries by test id without location.
    """
    verdict, run, code = Verdict(), result.run, result.exit_code
    if result.hung:
        verdict.red.append(Failure("", f"hang: no test started or finished in time{_running(run)}"))
    elif not run.ended:
        verdict.red.append(Failure("", f"the test process ended with an error (status {code}){_running(run)}"))
    elif crash := result.crash_line or (f"swift test ended with status {code}" if code not in (0, 1) else ""):
        verdict.red.append(Failure("", f"the test process crashed after its last test: {crash}"))
    for failure in _failures(run):
        failure.reason = _why_red(result, failure)
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
    if nothing_failed and code != 0:
        verdict.red.append(Failure("", f"swift test ended with status {code}, but no test failed"))
    if nothing_failed and not run.passed:
        verdict.red.append(Failure("", f"no test ran: {_why_no_test(run)}"))
    return verdict


def _running(run: Run) -> str:
    names = [stable_id(test) + (f" ({case})" if case else "") for test, case, _ in run.running()]
    shown = names[:20] + ([f"and {len(names) - 20} more"] if len(names) > 20 else [])
    return "; running or waiting for tokens: " + ", ".join(shown) if shown else ""


def _why_no_test(run: Run) -> str:
    if not run.skips:
        return "the filter matches no test"
    hint = "" if bad_skips(run.skips) else ". FRAMEFAST_TEST_NIGHT=1 runs them"
    return f"all {len(run.skips)} tests were skipped: {'; '.join(sorted(set(run.skips.values())))}{hint}"


def _failures(run: Run) -> list[Failure]:
    found: dict[str, Failure] = {}
    for issue in run.issues:
        found.setdefault(issue.test, Failure(issue.test)).issues.append(issue)
    for test in run.failed:
        found.setdefault(test, Failure(test))
    return list(found.values())


def _why_red(result: Result, failure: Failure) -> str:
    if reason := always_red(failure):
        return reason
    if not result.part.second_look:
        return f"no second look for {result.part.name}"
    if not failure.test or not result.run.functions.get(failure.test, False):
        return "the failure is outside a test function"
    if failure.test not in result.held:
        return "no second look for a test of values, which has neither .programs nor .blocking"
    return ""


def always_red(failure: Failure) -> str:
    """Returns the reason why a failure is always red, or "" if a rule or a majority of runs may excuse it."""
    if any(is_loss(issue.text) for issue in failure.issues):
        return "a check for lost or damaged photos failed"
    if any(_CRASH.search(issue.text) for issue in failure.issues):
        return "a program crashed"
    return ""


def bad_skips(skips: dict[str, str]) -> dict[str, str]:
    """Returns the skips whose reason does not start with `nightly:`."""
    return {test: reason for test, reason in skips.items() if not reason.startswith("nightly:")}
