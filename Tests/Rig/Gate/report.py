"""The texts of the gate: failures, second looks, skips and closing lines."""

import re
from collections import Counter

from events import filter_for, stable_id
from part_run import Result
from second_look import SecondLook
from verdict import Failure, bad_skips

_RULE = "!" * 100
_OUTPUT_LINES = 60
# A frame of a backtrace that the Swift runtime printed, with its function and its place in a source file.
_FRAME = re.compile(r"^ *\d+ .*? 0x[0-9a-f]{16} (.+) in \S+ at (/\S+\.swift:\d+)")


def failure(found: Failure, seed: int) -> list[str]:
    """Returns the text for a failed test: location and message of each issue, and the command that repeats the test."""
    lines = [f"✘ {stable_id(found.test) or 'The run'}" + (f": {found.reason}" if found.reason else "")]
    for issue in found.issues[:10]:
        lines.append(f"    {issue.place}" + (f" (case {issue.case})" if issue.case else ""))
        lines += [f"      {line}" for line in issue.text.splitlines()[:40]]
    if len(found.issues) > 10:
        lines.append(f"    and {len(found.issues) - 10} more issues")
    if found.test:
        expression = filter_for(stable_id(found.test))[:-1] + "/"
        quoted = "'" + expression.replace("'", "'\\''") + "'"
        lines.append(f"    Seed {seed}: FRAMEFAST_TEST_SEED={seed} scripts/test --filter {quoted}")
    elif seed:
        lines.append(f"    Seed {seed}")
    return lines


def clues(result: Result) -> list[str]:
    """Returns the lines about the end of the test process: fatal errors, signals, and errors of `swift test`.

    After a hang, the lines include the positions of the threads.
    """
    try:
        text = result.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    found = [line for line in text if re.search(r"^error: |Fatal error|unexpected signal|SUMMARY: \w+Sanitizer", line)]
    places = _places(text) if result.hung else []
    return [f"    {line[:300]}" for line in found[:10] + places[:20]]


def _places(text: list[str]) -> list[str]:
    """Returns, for each thread in a run's backtraces, the two innermost frames with a known source."""
    found: dict[str, None] = {}
    frames = 0
    for line in text:
        if re.match(r'Thread \d+\b', line):
            frames = 0
        elif frames < 2 and (match := _FRAME.match(line)):
            frames += 1
            found[f"{match[2]} in {match[1]}"] = None
    return list(found)


def unsteady(looks: list[SecondLook], tests: int, seed: int) -> list[str]:
    """Returns the block for tests that failed in the gate and passed alone."""
    lines = [_RULE, f"UNSTEADY {len(looks)} of {tests}: failed in the gate, passed alone. Repair the test or the program."]
    for look in looks:
        lines += ["", f"UNSTEADY {stable_id(look.first.test)}"]
        passed = f"passed in {look.result.seconds:.1f} s at {look.second_load}"
        lines.append(f"  first run: failed at {look.load}; alone: {passed}; seed {seed}")
        lines += ["  --- first run"] + [f"  {line}" for line in failure(look.first, seed)]
        lines += ["  --- alone"] + [f"  {line}" for line in _tail(look.result)]
    return lines + [_RULE]


def red_twice(look: SecondLook, seed: int) -> list[str]:
    """Returns the text for a test that failed in the gate and did not pass alone."""
    lines = failure(look.first, seed)
    lines.append(f"    It failed at {look.load} and did not pass alone at {look.second_load}. Output of the second run:")
    return lines + [f"      {line}" for line in _tail(look.result)]


def _tail(result: Result) -> list[str]:
    try:
        text = result.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    return text[-_OUTPUT_LINES:]


def skips(found: dict[str, str]) -> list[str]:
    """Returns a line with the number of skipped tests, and one line with the count for each reason except `nightly:`."""
    if not found:
        return []
    bad = bad_skips(found)
    lines = [f"Skipped {len(found)} tests: {len(found) - len(bad)} nightly, {len(bad)} for other reasons."]
    for reason, count in sorted(Counter(bad.values()).items()):
        lines.append(f"  skipped {count}: {reason}")
    return lines
