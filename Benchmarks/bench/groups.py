"""Groups of cameras: the time until they are ready, and the spread of their shutter releases."""
import contextlib, json, pathlib, tempfile, time

from .machine import median, memory_kib, own_kib, percentile, spread, table, wait_for
from .programs import Daemon, Simulator

CAMERAS = 100
SHOTS = 20
# The number of cameras in the small group. Its releases are timed by the logs of its cameras.
SMALL_GROUP = 8
NIKON_RELEASES = {"100e", "90c0", "90cb", "9207"}
CANON_PRESS, FULL_PRESS = "9128", 2
LEAD_MS = 2_000  # sending the requests to a hundred cameras takes some time


@contextlib.contextmanager
def running_group(count, size):
    """Starts a service with a group of cameras. Yields the service, the seconds until all cameras were ready, and the cameras."""
    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder, contextlib.ExitStack() as ends:
        scratch, cameras = pathlib.Path(folder), []
        for number in range(count):
            maker = ("canon", "nikon")[number % 2]
            cameras.append(Simulator(
                scratch, ["--maker", maker, "--serial", f"RING{number}", "--size", size], name=f"sim{number}"))
            ends.callback(cameras[-1].end)
        names = ", ".join(f'"cam{number}"' for number in range(count))
        start = time.monotonic()
        daemon = Daemon(scratch, [camera.port for camera in cameras], ["[[group]]", 'name = "ring"', f"cameras = [{names}]"])
        ends.callback(daemon.end)
        daemon.wait_until_ready(count)
        yield daemon, time.monotonic() - start, cameras


def releases(camera):
    """Returns the times of a camera's releases since its log was last read, in nanoseconds of the monotonic clock."""
    lines = camera.say("log ops").splitlines()
    operations = [json.loads(line[line.index("{"):]) for line in lines if '"code"' in line]
    return [
        one["ns"] for one in operations
        if one["code"] in NIKON_RELEASES
        or one["code"] == CANON_PRESS and (one.get("parameters") or [0])[0] & FULL_PRESS]


def spreads_by_the_cameras(cache):
    """Releases a small group. Returns the spread of each shot in milliseconds, according to the logs of the cameras."""
    with running_group(SMALL_GROUP, "200KB") as (daemon, _, cameras):
        cache.fill()
        found, fired = [], 0
        for camera in cameras:
            releases(camera)
        for _ in range(SHOTS):
            reply = daemon.post("/v1/groups/ring/shoot", {"require_all": True})
            if "fired" not in reply:
                raise SystemExit(f"bench: no shot: {reply}")
            fired += reply["fired"]
            times = [time for camera in cameras for time in releases(camera)]
            if len(times) != SMALL_GROUP:
                raise SystemExit(f"bench: {len(times)} releases instead of {SMALL_GROUP}")
            found.append((max(times) - min(times)) / 1e6)
            wait_for("all photos", lambda: daemon.saved() == fired, 60)
    return found


def show_group(cache):
    small = spreads_by_the_cameras(cache)
    with running_group(CAMERAS, "200KB") as (daemon, ready, _):
        cache.fill()
        spreads, answers, collected, fired = [], [], [], 0
        for _ in range(SHOTS):
            reply = daemon.post("/v1/groups/ring/shoot", {"in_ms": LEAD_MS, "require_all": True})
            if "fired" not in reply:
                raise SystemExit(f"bench: no shot: {reply}")
            start = time.monotonic()
            fired += reply["fired"]
            spreads.append(reply["spread_ms"])
            answers.append(reply["answers_spread_ms"])
            wait_for("all photos", lambda: daemon.saved() == fired, 60)
            collected.append(time.monotonic() - start)
        results = {
            "cameras_spread_ms": small, "ready_s": ready, "spread_ms": spreads, "answers_ms": answers, "photos": fired, "expected": SHOTS * CAMERAS,
            "collected_s": collected,
            "daemon_kib": memory_kib(daemon.process.pid, "VmRSS"),
            "worker_kib": median([own_kib(worker) for worker in daemon.workers()])}
    print(table(["group", ""], [
        [f"{SMALL_GROUP} cameras, spread of their releases, from their logs: p50, p95, maximum",
         f"{median(small):.1f}, {percentile(small, 0.95):.1f}, {max(small):.1f} ms"],
        [f"{CAMERAS} cameras, from start to ready", f"{ready:.1f} s"],
        [f"spread of the requests of {SHOTS} shots: p50, p95, maximum",
         f"{median(spreads):.1f}, {percentile(spreads, 0.95):.1f}, {max(spreads):.1f} ms"],
        ["spread of the cameras' responses: p50, p95", f"{median(answers):.1f}, {percentile(answers, 0.95):.1f} ms"],
        ["photos taken and saved", f"{fired} of {results['expected']}"],
        ["from the response to the last saved photo", f"{spread(collected)} s"],
        ["memory: service, a worker (PSS)",
         f"{results['daemon_kib'] / 1024:.1f}, {results['worker_kib'] / 1024:.1f} MB"]]), flush=True)
    return results
