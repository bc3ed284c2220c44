"""Photos over emulated links with a limited rate and a round trip: framefastd compared with a raw reader and gphoto2.

The simulator limits the rate, and a delay line adds the round trip. Each program has a separate link and camera. The raw
reader does not use libgphoto2: it reads whole objects and discards them. Its rate is the limit of the link.
"""
import pathlib, tempfile

from . import captures, servers
from .captures import MEGABYTE, Load
from .machine import median, spread

LINKS = [("40MB", 0.5), ("400MB", 0.25), ("100MB", 4)]  # bytes per second, and the round trip in ms
# The number of photos in a burst on each link. A burst of large photos takes more than a second at the rate of its link.
SIZES = [
    ("200KB", MEGABYTE // 5, (), (120, 120, 60)),
    ("8MB", 8 * MEGABYTE, (), (10, 60, 20)),
    ("60MB", 60 * MEGABYTE, ("--raw-only",), (2, 8, 4)),
]
LOADS = [
    Load("links", photos[index], size, bytes, options, trip, rate, has_warm_up=True)
    for index, (rate, trip) in enumerate(LINKS) for size, bytes, options, photos in SIZES]


def show(rounds, makers, cache):
    for rate, trip in LINKS:
        with tempfile.TemporaryDirectory(prefix="framefast-bench-") as scratch:
            measured, through, _ = servers.check_delay_line(pathlib.Path(scratch), trip)
        print(f"  the line with {trip:g} ms: round trip {measured:.2f} ms, {through / 1e6:.0f} MB/s without the limit of"
              f" {captures.with_space(rate)}/s", flush=True)
    results = captures.measure_loads(LOADS, rounds, makers, cache)
    print_tables(results, makers, rounds)
    return {load.words: of for load, of in results.items()}


def print_tables(results, makers, rounds):
    captures.show_table(
        f"photos a second: framefastd, a raw reader of whole objects, gphoto2; medians of {rounds} rounds", results, makers,
        lambda load, runs: captures.each(
            runs, ("framefastd", "raw", "gphoto2"), lambda r: load.photos / r["seconds"], ".3g"))
    captures.print_raw_tables(results, makers)
    captures.show_table("photos a second, framefastd / gphoto2", results, makers,
                        lambda load, runs: spread(captures.ratios(runs, "gphoto2")))
    captures.show_table(
        "processor ms a photo: framefastd with its worker, gphoto2, framefastd / gphoto2", results, makers,
        lambda load, runs: f"{cpu(load, runs)}, {spread(captures.ratios(runs, 'gphoto2', 'cpu'))}")
    captures.print_requests(results, makers)


def cpu(load, runs):
    """Returns the processor time of framefastd and of gphoto2 for each photo, in milliseconds."""
    return captures.each(runs, ("framefastd", "gphoto2"), lambda r: 1000 * r["cpu"] / load.photos, ".3g")
