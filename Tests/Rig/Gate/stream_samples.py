"""Event streams for the gate's own tests, in the form that Swift Testing 6.3 writes."""

import json


def test(name: str, kind: str = "function", parameterized: bool = False) -> dict:
    """Returns a record that announces a test."""
    return {"kind": "test", "payload": {"id": name, "kind": kind, "isParameterized": parameterized}, "version": 0}


def event(kind: str, name: str = "", symbol: str = "default", text: str = "", case: str = "", **more) -> dict:
    """Returns a record of an event."""
    payload = {"kind": kind, "messages": [{"symbol": symbol, "text": text}], **more}
    if name:
        payload["testID"] = name
    if case:
        payload["_testCase"] = {"displayName": case, "id": case}
    return {"kind": "event", "payload": payload, "version": 0}


def issue(name: str, *texts: str, case: str = "", known: bool = False, file: str = "/r/Tests/A/ATests.swift") -> dict:
    """Returns a record of a recorded issue."""
    record = event("issueRecorded", name, case=case, issue={
        "isKnown": known, "sourceLocation": {"_filePath": file, "line": 12, "column": 4, "fileID": "A/ATests.swift"},
    })
    record["payload"]["messages"] = [{"symbol": "fail", "text": text} for text in texts]
    return record


def passing(name: str) -> list[dict]:
    """Returns the records of a test that passes."""
    return [event("testStarted", name), event("testEnded", name, "pass", "passed")]


def failing(name: str, *texts: str) -> list[dict]:
    """Returns the records of a test that records one issue."""
    return [event("testStarted", name), issue(name, *texts), event("testEnded", name, "fail", "failed")]


END = event("runEnded", symbol="pass", text="Test run with 1 test in 1 suite passed after 0.1 seconds.")


def lines(*records: dict) -> list[str]:
    """Returns the records as lines of a stream."""
    return [json.dumps(record) for record in records]
