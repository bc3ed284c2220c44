"""The ledger of unsteady tests, outside git: one line for each test that failed in a gate and passed alone."""

import datetime
import os
from pathlib import Path


def path(environment=os.environ) -> Path:
    """Returns `FRAMEFAST_UNSTEADY_LEDGER`, or else `framefast/unsteady.tsv` in the user's state folder."""
    if given := environment.get("FRAMEFAST_UNSTEADY_LEDGER"):
        return Path(given)
    state = environment.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "framefast/unsteady.tsv"


def line(now: datetime.datetime, commit: str, test: str, message: str, load: str) -> str:
    """Returns a line: date, commit, test id, first line of the message, load of the machine, separated by tabs."""
    columns = [now.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"), commit, test, message, load]
    return "\t".join(" ".join(column.split()) for column in columns) + "\n"


def append(text: str, file: Path, say=print) -> bool:
    """Adds a line. If the ledger cannot be written, prints a warning.

    - Returns: Whether the line was written.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with open(file, "a", encoding="utf-8") as out:
            out.write(text)
        return True
    except OSError as error:
        say(f"warning: cannot write {file}: {error.strerror}")
        return False
