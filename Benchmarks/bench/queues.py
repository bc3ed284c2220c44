"""The cost of a long queue, and the time from a saved photo to its upload."""
import hashlib, json, os, pathlib, shutil, sqlite3, statistics, subprocess, tempfile, time

from .machine import BIN, memory_kib, percentile, wait_for
from .programs import Daemon, Simulator

LENGTHS = (10, 1_000, 100_000, 200_000)
PHOTO_BYTES = 200_000


def destination(scratch, *more):
    folder = scratch / "there"
    folder.mkdir(exist_ok=True)
    return ["[[destination]]", 'name = "target"', 'kind = "directory"', f'path = "{folder}"', *more]


def fresh_ledger(scratch):
    """Returns an empty ledger of framefastd."""
    for name in ("state", "captures", "there"):
        shutil.rmtree(scratch / name, ignore_errors=True)
    Daemon(scratch, tables=destination(scratch)).end()
    return scratch / "state/ledger.sqlite"


def enter(ledger, jobs, states, paused, path="/gone", sha256="0" * 64):
    """Inserts saved photos with one job each. `states` has one hundred states, which repeat for each hundred jobs."""
    with sqlite3.connect(ledger) as database:
        database.create_function("state_of", 1, lambda number: states[number % 100])
        database.execute(
            "WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < :jobs)"
            " INSERT INTO capture (id, camera_id, folder, name, stem, size, camera_time, state, detected_at, path, bytes,"
            " sha256, saved_at, uploads_planned) SELECT n, 'a', '/A', n || '.JPG', n, :bytes, n, 'saved', 0,"
            " :path || '/' || n || '.JPG', :bytes, :sha256, :now - 60 - n / 3, 1 FROM number",
            {"jobs": jobs, "bytes": PHOTO_BYTES, "path": str(path), "sha256": sha256, "now": time.time()})
        database.execute(
            "INSERT INTO upload_job (capture_id, destination, state, hold, remote_name, kind, camera_id, bytes,"
            " next_attempt_at, reason, created_at) SELECT id, 'target', state_of(id),"
            " CASE state_of(id) WHEN 'held' THEN 'person' ELSE '' END, name, 'picture', 'a', bytes,"
            " CASE state_of(id) WHEN 'retrying' THEN :later + id END, 'faulty', :now FROM capture",
            {"later": time.time() + 3600, "now": time.time()})
        if paused:
            database.execute("INSERT INTO upload_setting VALUES ('paused:target', 'yes')")
    database.close()


def cost_at(scratch, jobs):
    ledger = fresh_ledger(scratch)
    # Eight of one hundred jobs were running when the service was killed.
    enter(ledger, jobs, ["queued"] * 80 + ["retrying"] * 8 + ["held"] * 4 + ["uploading"] * 8, paused=True)
    copies = {"claim": scratch / "claims.sqlite", "claim_in_memory": pathlib.Path("/dev/shm") / f"{scratch.name}.sqlite"}
    for copy in copies.values():
        shutil.copy(ledger, copy)
    start = time.monotonic()
    daemon = Daemon(scratch, tables=destination(scratch))
    daemon.get("/v1/status")
    figures = {"jobs": jobs, "start_ms": 1000 * (time.monotonic() - start)}
    figures["status_ms"] = median_ms(lambda: daemon.get("/v1/status"))
    command = [BIN / "framefast", "--socket", daemon.socket, "status"]
    figures["framefast_status_ms"] = median_ms(lambda: subprocess.run(command, stdout=subprocess.DEVNULL))
    figures["rss_kib"] = memory_kib(daemon.process.pid, "VmRSS")
    figures["peak_kib"] = memory_kib(daemon.process.pid, "VmHWM")
    daemon.end()
    for name, copy in copies.items():
        figures[name] = json.loads(subprocess.run([BIN / "queue-cost", copy], capture_output=True, check=True).stdout)
        for file in copy.parent.glob(f"{copy.name}*"):
            file.unlink()
    return figures


def median_ms(call, times=31):
    walls = []
    for _ in range(times):
        start = time.monotonic()
        call()
        walls.append(1000 * (time.monotonic() - start))
    return statistics.median(walls)


def peak_after(scratch, jobs, delivered):
    """Returns the service's peak memory in KiB, after it delivered a number of photos from a queue of this length."""
    ledger, photos = fresh_ledger(scratch), scratch / "photos"
    shutil.rmtree(photos, ignore_errors=True)
    photos.mkdir()
    data = os.urandom(PHOTO_BYTES)
    (photos / "photo").write_bytes(data)
    for number in range(1, jobs + 1):
        os.link(photos / "photo", photos / f"{number}.JPG")
    enter(ledger, jobs, ["queued"] * 100, paused=False, path=photos, sha256=hashlib.sha256(data).hexdigest())
    daemon = Daemon(scratch, tables=destination(scratch))
    wait_for("deliveries", lambda: daemon.get("/v1/status")["uploads"]["delivered"] >= delivered, 300, pause=0.1)
    peak = memory_kib(daemon.process.pid, "VmHWM")
    daemon.end()
    return peak


def start_latencies(scratch, photos=200):
    """Returns the seconds from the save of a photo to the claim of its upload, with a photo every 50 ms and no other work."""
    fresh_ledger(scratch)
    camera = Simulator(scratch, ["--size", "200KB", "--shots", str(photos), "--interval", "50"])
    daemon = Daemon(scratch, [camera.port], destination(scratch))
    wait_for("deliveries", lambda: daemon.get("/v1/status")["uploads"]["delivered"] >= photos, 120, pause=0.2)
    daemon.end()
    camera.end()
    with sqlite3.connect(scratch / "state/ledger.sqlite") as database:
        rows = database.execute(
            "SELECT claimed_at - saved_at FROM upload_job JOIN capture ON capture.id = capture_id").fetchall()
    database.close()
    return [row[0] for row in rows]


def show():
    print(f"\nthe queue, by its length (load {os.getloadavg()[0]:.1f})")
    results = {"lengths": [], "load_average": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        scratch = pathlib.Path(folder)
        for jobs in LENGTHS:
            figures = cost_at(scratch, jobs)
            results["lengths"].append(figures)
            claim, in_memory = figures["claim"], figures["claim_in_memory"]
            print(f"  {jobs:7,} jobs  start {figures['start_ms']:6.1f} ms  status {figures['status_ms']:5.2f} ms"
                  f"  framefast status {figures['framefast_status_ms']:5.1f} ms"
                  f"  {figures['rss_kib'] / 1024:5.1f} MB resident (peak {figures['peak_kib'] / 1024:5.1f})"
                  f"  claim p50 {claim['p50_ms']:.2f} p99 {claim['p99_ms']:.2f} ms"
                  f" (no disk: {in_memory['p50_ms']:.2f}, {in_memory['p99_ms']:.2f})", flush=True)
        for jobs in (2_000, 50_000):
            results[f"peak_kib_{jobs}"] = peak_after(scratch, jobs, 2_000)
            print(f"  2,000 delivered of {jobs:,}: peak {results[f'peak_kib_{jobs}'] / 1024:.1f} MB", flush=True)
        latencies = [1000 * seconds for seconds in start_latencies(scratch)]
        results["saved_to_claimed_ms"] = latencies
        print(f"  saved -> claimed, idle queue: p50 {percentile(latencies, 0.5):.1f} ms  p99 {percentile(latencies, 0.99):.1f} ms")
    return results
