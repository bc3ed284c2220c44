"""Uploads from the queue to a server: framefastd compared with other programs, with the same server.

A simulated camera takes the photos in mode 'offline'. The time begins when the mode becomes 'realtime'. A photo counts
when its row is 'delivered' and contains the kind of verification. The other programs copy the same files from the same folder.
"""
import hashlib, os, pathlib, random, shutil, sqlite3, tempfile, time

from . import peers, servers
from .machine import family_cpu_seconds, median, memory_kib, ratio, wait_for
from .programs import Daemon, Simulator

LOADS = {  # name: (number of photos, bytes per photo, the size in the simulator's notation)
    "200KB": (1000, 200_000, "200KB"),
    "8MB": (50, 8_000_000, "8MB"),
}
ROUND_TRIPS_MS = (0, 30)
SECONDS_MAX = 900
SAMPLE = 50  # the number of files that are read back from the server after each run


def s3_destination(scratch, server, port, prefix):
    (scratch / "secret").write_text(servers.SECRET)
    return [f'kind = "s3"', f'url = "http://127.0.0.1:{port}"', f'bucket = "{server.bucket}"', f'prefix = "{prefix}/"',
            f'user = "{servers.KEY}"', f'password_file = "{scratch}/secret"']


def sftp_destination(scratch, server, port, prefix):
    return ['kind = "sftp"', 'host = "127.0.0.1"', f"port = {port}", f'path = "{prefix}"',
            f'user = "{os.environ.get("USER") or "root"}"', f'key_file = "{server.scratch}/user_key"',
            f'known_hosts = "{server.known_at(port)}"']


def webdav_destination(scratch, server, port, prefix):
    (server.folder / prefix).mkdir(exist_ok=True)
    return ['kind = "webdav"', f'url = "http://127.0.0.1:{port}/{prefix}"']


def http_destination(scratch, server, port, prefix):
    return ['kind = "http"', f'url = "http://127.0.0.1:{port}/{prefix}/{{name}}"']


KINDS = {  # name: (server, peers, our destinations)
    "s3": (servers.SeaweedFS, peers.s3, {"framefastd": s3_destination}),
    "sftp": (servers.OpenSSH, peers.sftp, {"framefastd": sftp_destination}),
    "nginx": (servers.Nginx, peers.nginx, {"framefastd http": http_destination, "framefastd webdav": webdav_destination}),
}


def fill(scratch, load):
    """Saves photos, with held jobs in the ledger. Every run starts from a copy of this state. Returns the photos' folder."""
    photos, _, size = LOADS[load]
    simulator = Simulator(scratch, ["--size", size, "--shots", str(photos), "--interval", "0"])
    tables = ["[upload]", 'mode = "offline"', "[[destination]]", 'name = "target"', 'kind = "directory"',
              f'path = "{scratch}"']
    daemon = Daemon(scratch, [simulator.port], tables)
    wait_for("the photos", lambda: daemon.get("/v1/status")["uploads"]["held"] >= photos, SECONDS_MAX, pause=0.2)
    daemon.end()
    simulator.end()
    (scratch / "state").rename(scratch / "filled")
    folder = scratch / "files"
    shutil.copytree(scratch / "captures", folder, copy_function=os.link, ignore=shutil.ignore_patterns(".*"))
    return folder


def run_ours(scratch, load, destination, extra=()):
    """Releases the held photos. Returns measurements, and the name of each photo on the server."""
    photos = LOADS[load][0]
    shutil.rmtree(scratch / "state", ignore_errors=True)
    shutil.copytree(scratch / "filled", scratch / "state")
    daemon = Daemon(scratch, tables=["[upload]", 'mode = "offline"', "[[destination]]", 'name = "target"', *destination, *extra])
    cpu, start = family_cpu_seconds(daemon.process.pid), time.time()
    daemon.post("/v1/mode", {"mode": "realtime"})
    # The benchmark sends no request to the service during the upload, because a request would cost the service time.
    with sqlite3.connect(scratch / "state/ledger.sqlite") as ledger:
        count = "SELECT coalesce(sum(jobs), 0) FROM upload_count WHERE state = 'delivered'"
        wait_for("the uploads", lambda: ledger.execute(count).fetchone()[0] >= photos, SECONDS_MAX, pause=0.05)
    ledger.close()
    cpu = family_cpu_seconds(daemon.process.pid) - cpu
    rss = memory_kib(daemon.process.pid, "VmHWM")
    daemon.end()
    with sqlite3.connect(scratch / "state/ledger.sqlite") as ledger:
        rows = ledger.execute(
            "SELECT delivered_at, delivered_name, proof, sha256 FROM upload_job JOIN capture ON capture.id = capture_id"
            " WHERE upload_job.state = 'delivered' AND proof IN ('checksum', 'size')").fetchall()
    ledger.close()
    figures = {"photos": len(rows), "seconds": max(row[0] for row in rows) - start, "cpu": cpu, "rss_kib": rss,
               "proofs": sorted({row[2] for row in rows})}
    return figures, {row[1]: row[3] for row in rows}


def intact(server, prefix, names):
    """Reads a sample of files back from the server. Returns the number of intact files, and the size of the sample."""
    chosen = random.sample(sorted(names), min(SAMPLE, len(names)))
    return sum(server.sha256_of(f"{prefix}/{name}") == names[name] for name in chosen), len(chosen)


def show(kind, rounds, loads=LOADS, round_trips=ROUND_TRIPS_MS):
    start_server, commands_of, ours = KINDS[kind]
    results = []
    for load in loads:
        photos, size, _ = LOADS[load]
        with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
            scratch = pathlib.Path(folder)
            folder = fill(scratch, load)
            names = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in peers.files(folder)}
            server = start_server(scratch)
            for round_trip in round_trips:
                line = servers.DelayLine(scratch, server.port, round_trip) if round_trip else server
                runs = {}
                for number in range(rounds):
                    for tool, place in ours.items():
                        prefix = f"{tool.replace(' ', '-')}-{load}-{round_trip}-{number}"
                        figures, delivered = run_ours(scratch, load, place(scratch, server, line.port, prefix))
                        figures["intact"] = intact(server, prefix, delivered)
                        runs.setdefault(tool, []).append(figures)
                    for tool in commands_of(server, line.port, folder, "x")[0]:
                        prefix = f"{tool.replace(' ', '-')}-{load}-{round_trip}-{number}"
                        commands, environment = commands_of(server, line.port, folder, prefix)
                        figures = peers.run(commands[tool], folder, environment, SECONDS_MAX)
                        figures["intact"] = intact(server, prefix, names)
                        figures["photos"] = photos
                        runs.setdefault(tool, []).append(figures)
                show_runs(kind, load, round_trip, runs, list(ours))
                results.append({"server": kind, "load": load, "round_trip_ms": round_trip, "runs": runs,
                                "load_average": os.getloadavg()[0]})
                if line is not server:
                    line.end()
            server.end()
    return results


def show_runs(kind, load, round_trip, runs, ours):
    photos, size, _ = LOADS[load]
    print(f"\n{kind}: {photos} x {size / 1e6:g} MB, round trip {round_trip} ms (load {os.getloadavg()[0]:.1f})")
    rate = {tool: photos / median([r["seconds"] for r in figures]) for tool, figures in runs.items()}
    cpu = {tool: median([r["cpu"] for r in figures]) * 1000 / photos for tool, figures in runs.items()}
    for tool, figures in runs.items():
        line = f"  {tool:<18} {rate[tool]:7.1f} files/s {rate[tool] * size / 1e6:7.1f} MB/s {cpu[tool]:6.2f} CPU s/1,000"
        if "rss_kib" in figures[0]:
            line += f"  {median([r['rss_kib'] for r in figures]) / 1024:5.1f} MB peak  {','.join(figures[0]['proofs'])}"
        good, looked_at = (sum(r["intact"][i] for r in figures) for i in (0, 1))
        print(line + f"  {good} of {looked_at} intact")
    best = max((tool for tool in runs if tool not in ours), key=rate.get)
    for tool in ours:
        print(f"  {tool} / best peer ({best}): {ratio(rate[tool], rate[best])} x the files/s; "
              f"CPU / rclone: {ratio(cpu[tool], cpu['rclone'])}")
