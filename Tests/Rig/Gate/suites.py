"""The suites of the repository's Swift tests, found in their sources."""

import functools
import re
from dataclasses import dataclass
from pathlib import Path

from parts import ROOT

_TYPE = re.compile(
    r"^( *)(?:(?:public|internal|fileprivate|private|final|@\w+(?:\(.*\))?) +)*(struct|class|enum|actor|extension) ([\w.]+)"
)
_SUITE = re.compile(r"@Suite\b|@Test\b")


@dataclass(frozen=True)
class Suite:
    """A type that has tests or the attribute `@Suite`."""

    # The beginning of its tests' ids, for example `UploadDestinationsTests.LoopbackServerTests/S3DestinationTests/`.
    id: str
    # Whether `.programs(` occurs in its declaration, in an outer declaration, or in one of its tests.
    has_programs: bool


@functools.cache
def suites(folder: Path = ROOT / "Tests") -> list[Suite]:
    """Returns each suite once. A suite in several files has the trait `.programs` if one of the files contains it."""
    found: dict[str, bool] = {}
    for path in sorted(folder.rglob("*.swift")):
        target = next((p.name for p in path.parents if p.name.endswith("Tests") and p.parent != folder.parent), "")
        for name, has_programs in in_file(path.read_text(encoding="utf-8")).items() if target else ():
            name = f"{target}.{name}/"
            found[name] = found.get(name, False) or has_programs
    outer = lambda name: [other for other in found if name.startswith(other) and found[other]]
    return [Suite(name, has or bool(outer(name))) for name, has in sorted(found.items())]


def in_file(text: str) -> dict[str, bool]:
    """Returns the suites of one file, by name with the outer types, and whether each has `.programs(`.

    The sources are formatted, so the indentation of a declaration shows which type contains it.
    """
    found: dict[str, bool] = {}
    # Types around the line: indentation and name.
    around: list[tuple[int, str]] = []
    # The lines of an attribute `@Suite` before the declaration of its type.
    pending = ""
    for line in text.splitlines():
        code = re.sub(r'"(?:[^"\\]|\\.)*"', '""', line).split("//")[0]
        depth = len(line) - len(line.lstrip())
        while around and code.strip() and depth <= around[-1][0] and not code.strip().startswith(")"):
            around.pop()
        if re.match(r"\s*@Suite\b", code) or pending:
            pending += code + "\n"
        declaration = _TYPE.match(re.sub(r"^( *)@Suite(?:\(.*\))? ", r"\1", code))
        if declaration:
            around.append((depth, declaration[3].replace(".", "/")))
        name = "/".join(name for _, name in around)
        if declaration and pending:
            found[name] = found.get(name, False) or ".programs(" in pending
            pending = ""
        elif name and not pending and _SUITE.search(code):
            found.setdefault(name, False)
        if name and not pending and ".programs(" in code:
            found[name] = True
    return found
