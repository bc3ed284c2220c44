"""Shots at the pace of a photographer, from the shutter to the file: framefastd compared with gphoto2.

Both programs are connected to separate cameras and transfer single shots in turn. gphoto2 is idle while framefastd works.
"""
import os, pathlib, tempfile, time

from . import captures, root
from .machine import percentile, spread, table

LOAD = captures.Load("P", 1, "8MB", 8 * captures.MEGABYTE)
SHOTS = 10  # shots per program and round
PAUSE_SECONDS = 0.05  # the pause between a file and the next shot


def run(maker, rounds, cache):
    """Measures the time from shutter to file of each program, in seconds.

    Returns, for each program, one list of times for each round. A round in which a program lost a photo has no list.
    """
    cache.fill()
    results = {"framefastd": [], "gphoto2": []}
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as scratch:
        bench = captures.Bench(pathlib.Path(scratch), LOAD, maker)
        with bench.ends:
            for number in range(rounds + 1):
                shots = {tool: [] for tool in results}
                for _ in range(SHOTS):
                    for tool, measure in [("gphoto2", bench.peer), ("framefastd", bench.framefastd)]:
                        if figures := measure():
                            shots[tool].append(figures["seconds"])
                        time.sleep(PAUSE_SECONDS)
                    if number == 0:  # the warm-up is one shot
                        break
                for tool, seconds in shots.items():
                    if number and len(seconds) == SHOTS:
                        results[tool].append(seconds)
    return results


def show(rounds, makers, cache):
    results, rows = {}, []
    for maker in makers:
        runs = results[maker] = run(maker, rounds, cache)
        rows.append([captures.MAKERS[maker], *(cell(runs[tool], part) for tool in runs for part in (0.5, 0.99)),
                     spread([percentile(theirs, 0.5) / percentile(ours, 0.5)
                             for ours, theirs in zip(runs["framefastd"], runs["gphoto2"])])])
        print(f"  {' | '.join(map(str, rows[-1]))}", flush=True)
    print(f"\nfrom shutter to file in ms, single shots of 8 MB, {SHOTS} in each of {rounds} rounds (libgphoto2 {root.version()})")
    print(table(["maker", "framefastd p50", "p99", "gphoto2 p50", "p99", "gphoto2 / framefastd, p50s of rounds"], rows), flush=True)
    return results


def cell(rounds, part):
    values = [1000 * seconds for shots in rounds for seconds in shots]
    return f"{percentile(values, part):.0f}" if values else "–"
