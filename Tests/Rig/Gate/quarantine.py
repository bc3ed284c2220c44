"""Known unsteady tests whose failure is tolerated for a limited time: `Tests/quarantine.txt`."""

import datetime
from dataclasses import dataclass
from pathlib import Path

from parts import ROOT

FILE = ROOT / "Tests/quarantine.txt"
MAX_ENTRIES = 10
MAX_DAYS = 14


@dataclass(frozen=True)
class Entry:
    """One test in quarantine."""

    # The test's id without file, line and column.
    test: str
    reason: str
    expiry: datetime.date


def parse(text: str, today: datetime.date) -> tuple[dict[str, Entry], list[str]]:
    """Reads the file.

    - Returns: The entries by test id, and a sentence for each rule that the file breaks.
    """
    entries: dict[str, Entry] = {}
    errors: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 3 or not all(columns):
            errors.append(f"line {number}: expected test id, reason and expiry date, separated by tabs")
            continue
        test, reason, date = columns
        try:
            expiry = datetime.date.fromisoformat(date)
        except ValueError:
            errors.append(f"line {number}: {date} is not a date like 2026-01-31")
            continue
        if test in entries:
            errors.append(f"line {number}: {test} is listed twice")
        if expiry < today:
            errors.append(f"line {number}: {test} expired on {expiry}: repair the test or the program")
        if expiry > today + datetime.timedelta(days=MAX_DAYS):
            errors.append(f"line {number}: {expiry} is more than {MAX_DAYS} days ahead")
        entries[test] = Entry(test, reason, expiry)
    if len(entries) > MAX_ENTRIES:
        errors.append(f"{len(entries)} entries: at most {MAX_ENTRIES} are allowed")
    return entries, errors


def load(path: Path = FILE, today: datetime.date | None = None) -> tuple[dict[str, Entry], list[str]]:
    """Reads the repository's file; a missing file has no entries."""
    today = today or datetime.datetime.now(datetime.timezone.utc).date()
    return parse(path.read_text(encoding="utf-8") if path.exists() else "", today)
