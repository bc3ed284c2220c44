"""Remote releases during the transfer of a burst over a slow link.

A generic camera has a link of 40 MB/s with a round trip of 5 ms. The delay of a trigger is the time from the request to the
camera's release.
"""
import os, pathlib, tempfile, time

from . import root
from .machine import memory_kib, percentile
from .programs import Daemon, Simulator
from .servers import DelayLine

PHOTOS = 60  # photos in the burst; 200 photos take five minutes and have the same result
TRIGGERS = 60  # each trigger takes one more photo
PAUSE_SECONDS = 0.3
RATE, ROUND_TRIP_MS = "40MB", 5
PHOTO_MB = 30
SECONDS_MAX = 600
GOAL_MS = 150
SETTLED_PHOTOS = 5  # after this number of photos the worker's memory no longer grows


def run(scratch):
    camera = Simulator(scratch, ["--size", f"{PHOTO_MB}MB", "--rate", RATE])
    line = DelayLine(scratch, camera.port, ROUND_TRIP_MS)
    daemon = Daemon(scratch, [line.port])
    daemon.wait_until_ready()
    [worker] = daemon.workers()
    start = time.time()
    if not camera.shoot(PHOTOS):
        raise SystemExit("bench: the camera takes no photos, because framefastd has locked its shutter")
    triggers, answers, memory = [], [], []
    while (saved := daemon.saved()) < PHOTOS + TRIGGERS:
        if time.time() - start > SECONDS_MAX:
            raise SystemExit(f"bench: {saved} of {PHOTOS + TRIGGERS} photos after {SECONDS_MAX} s")
        if saved >= SETTLED_PHOTOS:
            memory.append(memory_kib(worker, "VmRSS"))
        if saved and len(triggers) < TRIGGERS:
            asked = time.time()
            answer = daemon.post("/v1/cameras/cam0/trigger")
            answers.append(1000 * (time.time() - asked))
            if not answer.get("triggered"):
                raise SystemExit(f"bench: a trigger was refused: {answer}")
            triggers.append(camera.statistics()["last_shot_ms"] - 1000 * asked)
        time.sleep(PAUSE_SECONDS)
    seconds = daemon.last_saved() - start
    names = [row[0] for row in daemon.read("SELECT name FROM capture WHERE state = 'saved' ORDER BY saved_at, id")]
    daemon.end()
    line.end()
    camera.end()
    return {"seconds": seconds, "released_ms": triggers, "answered_ms": answers, "worker_kib": memory,
            "out_of_order": sum(before > after for before, after in zip(names, names[1:]))}


def show(cache):
    cache.fill()
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as scratch:
        figures = run(pathlib.Path(scratch))
    released, memory = figures["released_ms"], [kib / 1024 for kib in figures["worker_kib"]]
    count = PHOTOS + TRIGGERS
    print(f"\n{PHOTOS} x {PHOTO_MB} MB at once over {RATE}/s with {ROUND_TRIP_MS} ms, and {TRIGGERS} triggers during the burst"
          f" (libgphoto2 {root.version()})")
    print(f"  {count} photos in {figures['seconds']:.0f} s: {count * PHOTO_MB / figures['seconds']:.1f} MB/s,"
          f" {figures['out_of_order']} out of order")
    print(f"  released after p50 {percentile(released, 0.5):.0f} ms, p99 {percentile(released, 0.99):.0f} ms"
          f" (goal: {GOAL_MS}); answered after p99 {percentile(figures['answered_ms'], 0.99):.0f} ms")
    print(f"  the worker's memory {min(memory):.1f} to {max(memory):.1f} MB resident", flush=True)
    return figures
