"""From shutter to file: framefastd beside 'gphoto2 --capture-tethered' and a raw reader."""
import ctypes, json, os, pathlib, shutil, signal, statistics, struct, subprocess, sys, tempfile, threading, time
from datetime import datetime

from .machine import BIN, children, cpu_seconds, memory_kib, percentile, ratio, wait_for
from .programs import Daemon, Simulator

LOADS = {  # name: (simulator arguments, photos, bytes a photo)
    "A": (["--size", "8MB", "--shots", "200", "--interval", "0"], 200, 8_000_000),
    "B": (["--raw-only", "--size", "60MB", "--shots", "30", "--interval", "0"], 30, 60_000_000),
    "C": (["--size", "200KB", "--shots", "1000", "--interval", "0"], 1000, 200_000),
    "P": (["--size", "8MB", "--shots", "40", "--interval", "250"], 40, 8_000_000),
}
LOAD_SECONDS_MAX = 180


class FolderWatch:
    """Notes when each file in a folder is closed after writing or moved in (inotify)."""

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(0)
        libc.inotify_add_watch(self.descriptor, os.fsencode(folder), 0x8 | 0x80)  # IN_CLOSE_WRITE | IN_MOVED_TO
        self.times = {}
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while data := os.read(self.descriptor, 65536):
            now, offset = time.time(), 0
            while offset < len(data):
                _, _, _, length = struct.unpack_from("iIII", data, offset)
                name = data[offset + 16:offset + 16 + length].rstrip(b"\0").decode(errors="replace")
                self.times[name] = now
                offset += 16 + length


def run_gphoto2(room, load):
    arguments, photos, size = LOADS[load]
    simulator = Simulator(room, arguments, truth=load == "P")
    folder = room / "gphoto2"
    folder.mkdir()
    watch = FolderWatch(folder)
    start = time.time()
    process = subprocess.Popen(
        ["gphoto2", "--quiet", "--port", f"ptpip:127.0.0.1:{simulator.port}:{simulator.port}",
         "--filename", "%f.%C", "--force-overwrite", "--capture-tethered"],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": str(room)})
    named = lambda: [name for name in list(watch.times) if not name.startswith("tmpfile")]
    try:
        wait_for(f"{photos} files of gphoto2", lambda: process.poll() is not None or len(named()) >= photos,
                 LOAD_SECONDS_MAX, pause=0.05)
    except BaseException:
        process.kill()
        simulator.end()
        raise
    done = [folder / name for name in named() if (folder / name).stat().st_size == size]
    figures = {"photos": len(done), "seconds": max(watch.times[p.name] for p in done) - start if done else None}
    if process.poll() is None:
        figures |= {"cpu": cpu_seconds(process.pid), "rss_kib": memory_kib(process.pid, "VmHWM")}
        process.send_signal(signal.SIGINT)
        process.wait()
    if load == "P":
        shutter = simulator.shutter_times()
        figures["latencies"] = [watch.times[name] - at for name, at in shutter.items() if name in watch.times]
    simulator.end()
    shutil.rmtree(folder)
    return figures


def saved_seconds(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def run_framefastd(room, load):
    arguments, photos, _ = LOADS[load]
    simulator = Simulator(room, arguments, truth=load == "P")
    start = time.time()
    daemon = Daemon(room, [simulator.port])
    wait_for(f"{photos} saved photos", lambda: daemon.get("/v1/status")["captures"]["total"] >= photos,
             LOAD_SECONDS_MAX, pause=0.1)
    captures = daemon.get("/v1/captures?limit=1000")["captures"]
    workers = children(daemon.process.pid)
    figures = {
        "photos": len(captures), "seconds": max(saved_seconds(c["saved_at"]) for c in captures) - start,
        "cpu": cpu_seconds(daemon.process.pid) + sum(cpu_seconds(w) for w in workers),
        "rss_kib": max(memory_kib(w, "VmHWM") for w in workers),
        "daemon_rss_kib": memory_kib(daemon.process.pid, "VmHWM"),
    }
    if load == "P":
        shutter = simulator.shutter_times()
        figures["latencies"] = [saved_seconds(c["saved_at"]) - shutter[c["original_name"]] for c in captures]
    daemon.end()
    simulator.end()
    shutil.rmtree(room / "captures")
    shutil.rmtree(room / "state")
    return figures


def run_raw(room, load):
    arguments, photos, _ = LOADS[load]
    simulator = Simulator(room, arguments)
    start = time.time()
    output = subprocess.run(
        [BIN / "ptpip-read", f"127.0.0.1:{simulator.port}", "--count", str(photos)], capture_output=True, text=True,
        timeout=LOAD_SECONDS_MAX)
    seconds = time.time() - start
    simulator.end()
    if output.returncode:
        sys.exit(f"bench: ptpip-read: {output.stderr}")
    return {"photos": photos, "seconds": seconds, "cpu": None}


def show_load(load, rounds):
    _, photos, size = LOADS[load]
    tools = {"gphoto2": run_gphoto2, "framefastd": run_framefastd}
    if load in "AB":
        tools["raw"] = run_raw
    results = {tool: [] for tool in tools}
    for _ in range(rounds):
        for tool, run in tools.items():
            with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as room:
                results[tool].append(run(pathlib.Path(room), load))
    median = lambda tool, key: statistics.median([r[key] for r in results[tool] if r.get(key)] or [0])
    print(f"\n{load}: {photos} x {size / 1e6:g} MB")
    for tool in tools:
        seconds, cpu = median(tool, "seconds"), median(tool, "cpu")
        gigabytes = photos * size / 1e9
        line = f"  {tool:<11} {seconds:7.2f} s  {gigabytes / seconds * 1000 if seconds else 0:6.0f} MB/s"
        if cpu:
            line += f"  {cpu / gigabytes:5.2f} CPU s/GB  {median(tool, 'rss_kib') / 1024:5.1f} MB peak"
        print(line + f"  photos {[r['photos'] for r in results[tool]]}")
    print(f"  throughput, framefastd / gphoto2: {ratio(median('gphoto2', 'seconds'), median('framefastd', 'seconds'))}")
    if "raw" in tools:
        print(f"  throughput, framefastd / raw:     {ratio(median('raw', 'seconds'), median('framefastd', 'seconds'))}")
        print(f"  throughput, gphoto2 / raw:        {ratio(median('raw', 'seconds'), median('gphoto2', 'seconds'))}")
    print(f"  CPU, framefastd / gphoto2:        {ratio(median('framefastd', 'cpu'), median('gphoto2', 'cpu'))}")
    if load == "P":
        for tool in tools:
            values = [1000 * v for r in results[tool] for v in r["latencies"]]
            print(f"  {tool:<11} shutter -> file p50 {percentile(values, 0.5):6.1f} ms  p99 {percentile(values, 0.99):6.1f} ms")
    return results
