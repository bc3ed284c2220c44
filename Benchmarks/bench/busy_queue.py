"""Captures while a queue is uploaded, compared with captures with an idle queue."""
import os, pathlib, shutil, sqlite3, tempfile, time

from . import servers, uploads
from .machine import median, ratio, wait_for
from .programs import Daemon, Simulator

LOADS = {  # name: (simulator arguments, number of photos, bytes per photo)
    "A": (["--size", "8MB", "--shots", "200", "--interval", "0"], 200, 8_000_000),
    "C": (["--size", "200KB", "--shots", "1000", "--interval", "0"], 1000, 200_000),
}
SECONDS_MAX = 180
LINES = {  # name: configuration of the destination, which receives 1,000 queued photos and all new ones
    "idle queue": None,
    "line of 100 Mbit/s": ['bandwidth = "12 MB"'],
    "no limit, local server": [],
}


def run(scratch, load, server, extra, prefix):
    """Returns the seconds from the first detected photo to the last saved photo."""
    arguments, photos, _ = LOADS[load]
    shutil.rmtree(scratch / "captures")
    shutil.copytree(scratch / "files", scratch / "captures", copy_function=os.link)
    shutil.rmtree(scratch / "state", ignore_errors=True)
    shutil.copytree(scratch / "filled", scratch / "state")
    before, start = uploads.LOADS["200KB"][0], time.time()
    simulator = Simulator(scratch, [*arguments, "--serial", "BUSYQUEUE"])
    place = uploads.http_destination(scratch, server, server.port, prefix)
    tables = ["[upload]", 'mode = "offline"', "[[destination]]", 'name = "target"', *place, *(extra or [])]
    daemon = Daemon(scratch, [simulator.port], tables)
    if extra is not None:
        daemon.post("/v1/mode", {"mode": "realtime"})
    wait_for("the captures", lambda: daemon.get("/v1/status")["captures"]["total"] >= before + photos,
             SECONDS_MAX, pause=0.1)
    uploaded = daemon.get("/v1/status")["uploads"]["delivered"]
    daemon.end()
    simulator.end()
    with sqlite3.connect(scratch / "state/ledger.sqlite") as ledger:
        seconds, = ledger.execute(
            "SELECT max(saved_at) - min(detected_at) FROM capture WHERE detected_at > ?", (start,)).fetchone()
    ledger.close()
    return {"seconds": seconds, "uploaded": uploaded}


def show(rounds):
    results = {}
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        scratch = pathlib.Path(folder)
        uploads.fill(scratch, "200KB")
        server = servers.Nginx(scratch)
        for load in LOADS:
            runs = {line: [] for line in LINES}
            for number in range(rounds):
                for index, (line, extra) in enumerate(LINES.items()):
                    runs[line].append(run(scratch, load, server, extra, f"{load}{number}{index}"))
            results[load] = runs
            _, photos, size = LOADS[load]
            print(f"\ncaptures during uploads, {load}: {photos} x {size / 1e6:g} MB (load {os.getloadavg()[0]:.1f})")
            seconds = {line: median([r["seconds"] for r in figures]) for line, figures in runs.items()}
            for line, figures in runs.items():
                print(f"  {line:<24} {photos / seconds[line]:7.1f} photos/s  {ratio(seconds['idle queue'], seconds[line])} of"
                      f" an idle queue  {median([r['uploaded'] for r in figures]):.0f} uploaded")
        server.end()
    return results
