"""The measurements of each recorded run, one line each in Benchmarks/README.md."""
import datetime, pathlib

from . import root
from .captures import LOADS, ratios
from .machine import ROOT, commit, description, median, percentile

FILE = ROOT / "Benchmarks/README.md"
MARK = "<!-- scripts/bench --record appends above this line -->"
WANTED = ("A", "B", "C", "far", "P", "triggers", "idle")


def record(results):
    """Appends a run that contains all parts."""
    text = FILE.read_text()
    if MARK not in text:
        raise SystemExit(f"bench: cannot record: {FILE} has no line '{MARK}'")
    FILE.write_text(text.replace(MARK, f"| {' | '.join(row(results))} |\n{MARK}"))
    print(f"\nrecorded in {FILE.relative_to(ROOT)}")


def row(results):
    cells = [datetime.date.today().isoformat(), f"`{commit()}`", description(), root.version()]
    for load in LOADS:
        cells.append(among_makers([median(ratios(runs, "gphoto2")) for runs in results[load.part][load.words].values()
                                   if "gphoto2" in runs]))
    cells.append(among_makers([percentile(sum(theirs, []), 0.5) / percentile(sum(ours, []), 0.5)
                               for ours, theirs in map(lambda runs: (runs["framefastd"], runs["gphoto2"]), results["P"].values())
                               if theirs]))
    cells.append(f"{percentile(results['triggers']['released_ms'], 0.99):.0f} ms")
    most = results["idle"][max(results["idle"])]
    cells.append(f"{most['workers_percent']:.1f}, {most['daemon_percent']:.1f} %")
    cells.append(", ".join(f"{median([a / b for a, b in zip(*most['status'][key])]):.1f}" for key in ("wall", "cpu")))
    return cells


def among_makers(values):
    return f"{min(values):.2f}–{max(values):.2f}"
