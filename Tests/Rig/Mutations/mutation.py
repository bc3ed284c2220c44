"""The mutations: small defects of the service, each with the rule of the simulation that must notice it."""

import contextlib
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FILE = Path(__file__).with_name("mutations.toml")


class Stale(Exception):
    """The old text of a mutation does not occur exactly once in its file."""


@dataclass(frozen=True)
class Mutation:
    """A replacement of one text in one source file."""

    name: str
    # The defect as a sentence.
    defect: str
    # The path in the repository.
    file: str
    # The name of the rule that must notice the defect.
    rule: str
    old: str
    new: str

    def changed(self, root: Path) -> str:
        """Returns the text of the file with the mutation.

        - root: The folder of the repository, or of its copy.

        Raises `Stale` if the old text does not occur exactly once.
        """
        try:
            text = (root / self.file).read_text(encoding="utf-8")
        except FileNotFoundError:
            text = ""
        if (count := text.count(self.old)) != 1:
            raise Stale(
                f"{self.name}: the old text occurs {count} times in {self.file}, but must occur once. Correct "
                f"{FILE.relative_to(ROOT)}.")
        return text.replace(self.old, self.new)

    @contextlib.contextmanager
    def applied(self, root: Path):
        """Changes the file in a copy of the repository, and restores the file at the end of the context."""
        path = root / self.file
        changed, text = self.changed(root), path.read_text(encoding="utf-8")
        path.write_text(changed, encoding="utf-8")
        try:
            yield
        finally:
            path.write_text(text, encoding="utf-8")


def load(file: Path = FILE) -> tuple[dict[str, str], list[Mutation]]:
    """Returns the rules by name, and the mutations."""
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    return found["rules"], [Mutation(**entry) for entry in found["mutation"]]
