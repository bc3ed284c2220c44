"""The event stream of Swift Testing: one JSON object per line, in format version 0, which Swift 6.2 and 6.3 support.

In format version 0, a record of the start or end of a case contains the name of the case. In format version 6.3, it does not.
"""

import json
import re
from dataclasses import dataclass, field

VERSION = "0"
_LOCATION = re.compile(r"/[^/]+\.swift:\d+:\d+$")


def stable_id(test_id: str) -> str:
    """Returns the id without file, line and column, which an edit elsewhere in the file may change."""
    return _LOCATION.sub("", test_id)


def filter_for(test_id: str) -> str:
    """Returns a regular expression for `swift test --filter` that matches exactly this test."""
    return "^" + re.sub(r"[\\^$.|?*+()\[\]{}]", lambda m: "\\" + m.group(), test_id) + "$"


@dataclass
class Issue:
    """A recorded issue."""

    # The test's id, or "" if the issue belongs to no test.
    test: str
    # `Tests/…/File.swift:12`, or "" if unknown.
    place: str
    # The arguments of the case, or "".
    case: str
    # The message's lines: the failed expectation, then its comments.
    text: str

    @property
    def first_line(self) -> str:
        """The comment of `Issue.record`, or the failed expectation with its first comment."""
        lines = [line for line in self.text.splitlines() if line.strip()]
        if len(lines) > 1 and lines[0].startswith(("Issue recorded", "Expectation failed")):
            return lines[1] if lines[0].startswith("Issue recorded") else f"{lines[0]}: {lines[1]}"
        return lines[0] if lines else ""


@dataclass
class Run:
    """The state of one call of `swift test`, as far as its event stream has reported it."""

    root: str = ""
    # Whether each known test is a function (`True`) or a suite (`False`).
    functions: dict[str, bool] = field(default_factory=dict)
    # The start times of tests and cases that have not ended, by (test id, case).
    open: dict[tuple[str, str], float] = field(default_factory=dict)
    parameterized: set[str] = field(default_factory=set)
    # The names of the cases that ended, by test id.
    cases: dict[str, set[str]] = field(default_factory=dict)
    passed: set[str] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    issues: list[Issue] = field(default_factory=list)
    # The reasons of skipped test functions, by test id.
    skips: dict[str, str] = field(default_factory=dict)
    # Whether the stream is complete. After a crash of the test process, it is incomplete.
    ended: bool = False
    # The number of starts and ends of tests and cases.
    progress: int = 0
    # Swift Testing's closing line.
    summary: str = ""

    def feed(self, line: str, now: float) -> None:
        """Reads one line. A truncated or unknown line is ignored.

        - line: A line of the stream.
        - now: The time at which the line arrived, in seconds of a monotonic clock.
        """
        try:
            record = json.loads(line)
            kind, payload = record["kind"], record["payload"]
        except (ValueError, KeyError, TypeError):
            return
        if kind == "test":
            self.functions[payload["id"]] = payload.get("kind") == "function"
            if payload.get("isParameterized"):
                self.parameterized.add(payload["id"])
        elif kind == "event":
            self._event(payload, now)

    def running(self) -> list[tuple[str, str, float]]:
        """Returns the test functions and cases that have not ended: (id, case, start time), cases first, oldest first.

        A function counts from its start, even while it waits for its tokens (`ProcessTokens` limits the running tests).
        """
        cases = [(test, case, since) for (test, case), since in self.open.items() if case]
        plain = [
            (test, case, since)
            for (test, case), since in self.open.items()
            if not case and self.functions.get(test, True) and test not in self.parameterized
        ]
        return sorted(cases, key=lambda r: r[2]) + sorted(plain, key=lambda r: r[2])

    def _event(self, payload: dict, now: float) -> None:
        kind, test = payload.get("kind"), payload.get("testID", "")
        case = (payload.get("_testCase") or {}).get("displayName", "")
        if kind in ("testStarted", "testCaseStarted"):
            self.open[(test, case)] = now
            self.progress += 1
        elif kind in ("testEnded", "testCaseEnded"):
            self.open.pop((test, case), None)
            self.progress += 1
            if case:
                self.cases.setdefault(test, set()).add(case)
            if kind == "testEnded" and self.functions.get(test, True):
                bad = any(m.get("symbol") == "fail" for m in payload.get("messages", []))
                (self.failed if bad else self.passed).add(test)
        elif kind == "testSkipped":
            self.progress += 1
            if self.functions.get(test, True):
                self.skips[test] = _skip_reason(payload)
        elif kind == "issueRecorded":
            self._issue(payload, test, case)
        elif kind == "runEnded":
            self.ended = True
            self.summary = " ".join(m.get("text", "") for m in payload.get("messages", []))

    def _issue(self, payload: dict, test: str, case: str) -> None:
        issue = payload.get("issue") or {}
        if not issue.get("isFailure", not issue.get("isKnown", False)):
            return
        at = issue.get("sourceLocation") or {}
        path = at.get("_filePath", at.get("filePath", at.get("fileID", "")))
        if self.root and path.startswith(self.root + "/"):
            path = path[len(self.root) + 1 :]
        text = "\n".join(m.get("text", "") for m in payload.get("messages", []))
        self.issues.append(Issue(test, f"{path}:{at['line']}" if "line" in at else path, case, text))


def _skip_reason(payload: dict) -> str:
    if comments := payload.get("_comments"):
        return " ".join(comments)
    text = " ".join(m.get("text", "") for m in payload.get("messages", []))
    match = re.search(r'skipped: "(.*)"', text, re.DOTALL)
    return match.group(1) if match else "no reason given"
