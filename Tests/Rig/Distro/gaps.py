"""The table of known gaps: features that do not work with some versions of libgphoto2, with the reasons."""

import dataclasses
import json
import pathlib
import re

from contract import FAIL, PASS

FILE = pathlib.Path(__file__).with_name("gaps.json")
GAP = "gap"
# A lost photo is never a known gap.
LOSS = "[loss]"


@dataclasses.dataclass(frozen=True)
class Gap:
    """A feature that does not work, for some makers and versions."""

    makers: tuple[str, ...]
    features: tuple[str, ...]
    # The first version of libgphoto2 with the gap, and the first later version without the gap. `None`: no limit.
    since: str | None
    until: str | None
    # A part of the failure message. Any other failure of the feature is not a known gap.
    words: str
    reason: str
    # Whether the feature works sometimes.
    is_intermittent: bool = False

    def covers(self, maker: str, feature: str, library: str) -> bool:
        """Returns whether the gap applies to this feature with this version of libgphoto2."""
        number = _number(library)
        return (
            maker in self.makers and feature in self.features
            and (self.since is None or _number(self.since) <= number) and (self.until is None or number < _number(self.until)))


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


def load(file: pathlib.Path = FILE) -> list[Gap]:
    """Returns the table, from its file."""
    entries = json.loads(file.read_text(encoding="utf-8"))
    return [
        Gap(
            tuple(one["makers"]), tuple(one["features"]), one["since"], one["until"], one["words"], one["reason"],
            one["intermittent"])
        for one in entries]


def mark_known(results: dict, gaps: list[Gap]) -> list[str]:
    """Marks the failures of one release that are known gaps.

    - results: The results of the contract suite. Their cells are changed.
    - Returns: Sentences about gaps that the release no longer has.
    """
    library, closed = results["versions"].get("library", ""), []
    for cell in results["cells"]:
        gap = next((gap for gap in gaps if gap.covers(cell["maker"], cell["feature"], library)), None)
        if gap and cell["word"] == FAIL and gap.words in cell["reason"] and LOSS not in cell["reason"]:
            cell.update(word=GAP, gap=gap.reason)
        elif gap and cell["word"] == PASS and not gap.is_intermittent:
            closed.append(f"{cell['maker']}, {cell['feature']}: works with {library}, and gaps.json says '{gap.reason}'")
    return closed
