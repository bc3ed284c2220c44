"""Groups of cameras: how soon they are ready, how closely they are released, and what is said of a photo that is missing."""
import contextlib, pathlib, tempfile, time

from .machine import median, memory_kib, own_kib, percentile, spread, table, wait_for
from .programs import Daemon, Simulator

CAMERAS = 100
SHOTS = 20
LEAD_MS = 2_000  # a hundred cameras are told of the moment one after the other
NAMED_SECONDS_MAX = 30
SERIES_CAMERAS = 4
SERIES_SHOTS = 1_000
SERIES_LEAD_MS = 300


@contextlib.contextmanager
def ring(count, size):
    """Cameras in the group `ring`, with the service that has just been started."""
    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder, contextlib.ExitStack() as ends:
        room, cameras = pathlib.Path(folder), []
        for number in range(count):
            maker = ("canon", "nikon")[number % 2]
            cameras.append(Simulator(
                room, ["--maker", maker, "--serial", f"RING{number}", "--size", size], name=f"sim{number}"))
            ends.callback(cameras[-1].end)
        names = ", ".join(f'"cam{number}"' for number in range(count))
        start = time.monotonic()
        daemon = Daemon(room, [camera.port for camera in cameras], ["[[group]]", 'name = "ring"', f"cameras = [{names}]"])
        ends.callback(daemon.end)
        daemon.wait_until_ready(count)
        yield daemon, cameras, time.monotonic() - start


def shoot(daemon, lead_ms):
    reply = daemon.post("/v1/groups/ring/shoot", {"in_ms": lead_ms, "require_all": True})
    if "shot" not in reply:
        raise SystemExit(f"bench: no shot: {reply}")
    return reply


def missing(daemon):
    return [c for c in daemon.get("/v1/status")["conditions"] if c["code"] == "group-frame-missing"]


def show_group(cache):
    rows, results = [], {}
    with ring(CAMERAS, "200KB") as (daemon, cameras, ready):
        cache.fill()
        spreads, answers, collected, fired = [], [], [], 0
        for _ in range(SHOTS):
            reply = shoot(daemon, LEAD_MS)
            start = time.monotonic()
            fired += reply["fired"]
            spreads.append(reply["spread_ms"])
            answers.append(reply["answers_spread_ms"])
            wait_for("all frames", lambda: daemon.saved() == fired, 60)
            collected.append(time.monotonic() - start)
        status = []
        for _ in range(31):
            start = time.monotonic()
            daemon.get("/v1/status")
            status.append(1000 * (time.monotonic() - start))
        cameras[7].say("fault no-photo")
        shoot(daemon, LEAD_MS)
        start = time.monotonic()
        named = wait_for("the camera to be named", lambda: missing(daemon), NAMED_SECONDS_MAX, pause=0.05)
        named_seconds = time.monotonic() - start
        results["many"] = {
            "ready_s": ready, "spread_ms": spreads, "answers_ms": answers, "frames": fired, "collected_s": collected,
            "status_ms": status, "named_s": named_seconds, "daemon_kib": memory_kib(daemon.process.pid, "VmRSS"),
            "worker_kib": median([own_kib(worker) for worker in daemon.workers()])}
        rows += [
            [f"{CAMERAS} cameras, from start to ready", f"{ready:.1f} s"],
            [f"orders of {SHOTS} shots: p50, p95, most",
             f"{median(spreads):.1f}, {percentile(spreads, 0.95):.1f}, {max(spreads):.1f} ms"],
            ["answers of the cameras: p50, p95", f"{median(answers):.1f}, {percentile(answers, 0.95):.1f} ms"],
            ["frames that were saved", f"{daemon.saved()} of {SHOTS * CAMERAS + CAMERAS - 1}"],
            ["from the answer to the last frame saved", f"{spread(collected)} s"],
            ["status", f"{median(status):.1f} ms"],
            ["a frame that did not come was named after", f"{named_seconds:.1f} s: {named[0]['sentence']}"],
            ["memory: service, a worker (PSS)",
             f"{results['many']['daemon_kib'] / 1024:.1f}, {results['many']['worker_kib'] / 1024:.1f} MB"]]
    with ring(SERIES_CAMERAS, "50KB") as (daemon, _, _):
        seen, start = 0, time.monotonic()
        for number in range(SERIES_SHOTS):
            shoot(daemon, SERIES_LEAD_MS)
            seen += bool(number % 20 == 0 and missing(daemon))
        seconds = time.monotonic() - start
        wait_for("all frames", lambda: daemon.saved() == SERIES_SHOTS * SERIES_CAMERAS, 120)
        time.sleep(12)  # each shot is counted 10 s after its moment
        frames = daemon.read("SELECT count(*) FROM group_frame WHERE capture_id IS NULL")[0][0]
        astray = daemon.read(
            "SELECT count(*) FROM (SELECT 1 FROM capture GROUP BY group_shot_id HAVING count(*) <> ?)", SERIES_CAMERAS)[0][0]
        seen += bool(missing(daemon))
        results["series"] = {"seconds": seconds, "said_missing": seen, "frames_missing": frames, "shots_astray": astray}
        rows += [
            [f"{SERIES_SHOTS} shots of {SERIES_CAMERAS} cameras in {seconds:.0f} s: said to be missing", seen],
            ["frames without a photo, shots with another number of photos", f"{frames}, {astray}"]]
    print(table(["group", ""], rows), flush=True)
    return results
