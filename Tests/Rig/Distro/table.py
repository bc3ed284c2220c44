"""The table of a release (maker, feature, result), for a terminal and for docs/distributions.md."""

import pathlib

from contract import FAIL, PASS
from features import FEATURES
from gaps import GAP
from makers import MAKERS
from store import ROOT, Cannot
from suites import Suite

DOCUMENT = ROOT / "docs/distributions.md"
MARKS = {PASS: "✓", GAP: "gap", FAIL: "✗", None: "–"}
COLUMNS = (*FEATURES, "end")


def failures(results: dict) -> list[dict]:
    """Returns the cells that failed and are not a known gap."""
    return [cell for cell in results["cells"] if cell["word"] == FAIL]


def _word(results: dict, maker: str, feature: str) -> str | None:
    return next((one["word"] for one in results["cells"] if (one["maker"], one["feature"]) == (maker, feature)), None)


def title(suite: Suite, results: dict) -> str:
    """Returns one line with the release and its versions."""
    versions = results["versions"]
    if not versions:
        return f"{suite.title} ({suite.name}): the package cannot be installed"
    exposure = "unknown" if results["exposure"] is None else f"{results['exposure']} of 10"
    return (
        f"{suite.title} ({suite.name}): libgphoto2 {versions['libgphoto2']}, libc {versions['libc6']}, systemd {versions['systemd']}; "
        f"FrameFast {versions['framefast']}, exposure of the service {exposure}")


def notes(results: dict) -> list[str]:
    """Returns a line for each cell that did not pass."""
    said = []
    for cell in results["cells"]:
        if cell["word"] != PASS:
            lines = cell.get("gap", cell["reason"]).splitlines()
            said.append(f"{MARKS[cell['word']]} {cell['maker']}, {cell['feature']}: {lines[0] if lines else ''}")
    return said


def text(suite: Suite, results: dict) -> str:
    """Returns the table for a terminal."""
    rows = [["", *COLUMNS], *([maker, *(MARKS[_word(results, maker, one)] for one in COLUMNS)] for maker in MAKERS)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in rows]
    return "\n".join([title(suite, results), *lines, *notes(results)])


def markdown(suite: Suite, results: dict, origin: str) -> str:
    """Returns the table for the document."""
    lines = [f"{title(suite, results)}. From {origin}.", "", f"| | {' | '.join(COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    lines += [f"| {maker} | {' | '.join(MARKS[_word(results, maker, one)] for one in COLUMNS)} |" for maker in MAKERS]
    found = notes(results)
    return "\n".join([*lines, *([""] if found else []), *(f"- {note}" for note in found)])


def insert(document: str, suite: str, table: str) -> str:
    """Returns the document with a new table of a release.

    Raises `Cannot` unless the document has exactly one section for the table.
    """
    begin, end = f"<!-- distro-test: {suite} -->\n", f"<!-- end: {suite} -->\n"
    if document.count(begin) != 1 or document.count(end) != 1:
        raise Cannot(f"{DOCUMENT.relative_to(ROOT)} has no section for the table of {suite}")
    before, rest = document.split(begin)
    return f"{before}{begin}{table}\n{end}{rest.split(end)[1]}"


def write(suite: Suite, results: dict, origin: str, file: pathlib.Path = DOCUMENT) -> None:
    """Writes the table of a release to the document."""
    file.write_text(insert(file.read_text(encoding="utf-8"), suite.name, markdown(suite, results, origin)), encoding="utf-8")
