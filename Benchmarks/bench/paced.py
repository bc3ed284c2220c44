"""Shots at the pace of a photographer, from the shutter to the file: framefastd compared with gphoto2.

Both programs are connected to separate cameras and transfer single shots in turn. gphoto2 is idle while framefastd works.
"""
import os, pathlib, tempfile, time

from . import captures, root
from .machine import percentile, spread, table

LOAD = captures.Load("P", 1, "8MB", 8 * captures.MEGABYTE)
SHOTS = 200  # the least number of shots of each program in all rounds; the p99 of 100 or fewer shots is their maximum
PAUSE_SECONDS = 0.05  # the pause between a file and the next shot


def shots_in_round(shots, rounds):
    """Returns the number of shots in a round. All rounds together have at least the given number of shots."""
    return -(-shots // rounds)


def run(maker, rounds, cache, count):
    """Measures the time from shutter to file of each program, in seconds.

    - count: The number of shots in a round.

    Returns, for each program, one list of times for each round. A round in which a program lost a photo has no list.
    """
    cache.fill()
    results = {"framefastd": [], "gphoto2": []}
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as scratch:
        bench = captures.Bench(pathlib.Path(scratch), LOAD, maker)
        with bench.ends:
            for number in range(rounds + 1):
                shots = {tool: [] for tool in results}
                for _ in range(count):
                    for tool, measure in [("gphoto2", bench.peer), ("framefastd", bench.framefastd)]:
                        if figures := measure():
                            shots[tool].append(figures["seconds"])
                        time.sleep(PAUSE_SECONDS)
                    if number == 0:  # the warm-up is one shot
                        break
                for tool, seconds in shots.items():
                    if number and len(seconds) == count:
                        results[tool].append(seconds)
    return results


def show(rounds, makers, cache, shots=SHOTS):
    results, rows, count = {}, [], shots_in_round(shots, rounds)
    for maker in makers:
        runs = results[maker] = run(maker, rounds, cache, count)
        rows.append(row(maker, runs))
        print(f"  {' | '.join(map(str, rows[-1]))}", flush=True)
    print(f"\nfrom shutter to file in ms, single shots of 8 MB, {count} in each of {rounds} rounds"
          f" (libgphoto2 {root.version()})")
    print(table(["maker", "framefastd p50", "p99", "gphoto2 p50", "p99", "gphoto2 / framefastd: p50s of rounds", "p99s of all"],
                rows), flush=True)
    return results


def row(maker, runs):
    ours, theirs = (sum(runs[tool], []) for tool in ("framefastd", "gphoto2"))
    return [captures.MAKERS[maker], *(cell(runs[tool], part) for tool in runs for part in (0.5, 0.99)),
            spread([percentile(theirs, 0.5) / percentile(ours, 0.5)
                    for ours, theirs in zip(runs["framefastd"], runs["gphoto2"])]),
            f"{percentile(theirs, 0.99) / percentile(ours, 0.99):.2f}" if ours and theirs else "–"]


def cell(rounds, part):
    values = [1000 * seconds for shots in rounds for seconds in shots]
    return f"{percentile(values, part):.0f}" if values else "–"
