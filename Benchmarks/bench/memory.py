"""Many cameras that shoot at once, with as much memory as the service's unit lets it have, beside all of the computer's."""
import contextlib, os, pathlib, re, tempfile, time

from .machine import ROOT, own_kib, table, wait_for
from .programs import Daemon, Simulator

CAMERAS, SHOTS, SIZE = 40, 2, "25MB"
SECONDS_MAX = 300
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def high():
    """`MemoryHigh=` of the unit, in bytes."""
    number, unit = re.search(r"^MemoryHigh=(\d+)([KMG])$", (ROOT / "systemd/framefastd.service").read_text(), re.MULTILINE).groups()
    return int(number) * UNITS[unit]


class ControlGroup:
    """A group of its own for what is started inside it. cgroup 1 has no `high`: there the same is a hard limit."""

    def __init__(self, limit):
        first = pathlib.Path("/sys/fs/cgroup/memory")
        self.is_first = first.is_dir()
        self.home = first if self.is_first else pathlib.Path("/sys/fs/cgroup")
        self.folder = self.home / "framefast-bench"
        self.folder.mkdir()
        if limit:
            (self.folder / ("memory.limit_in_bytes" if self.is_first else "memory.high")).write_text(str(limit))

    @contextlib.contextmanager
    def inside(self):
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))
        yield
        (self.home / "cgroup.procs").write_text(str(os.getpid()))

    def own_bytes(self):
        """What cannot be had back: memory of the programs themselves, without the cache of files."""
        text = (self.folder / "memory.stat").read_text()
        return int(re.search(r"^total_rss (\d+)" if self.is_first else r"^anon (\d+)", text, re.MULTILINE)[1])

    def kills(self):
        file, word = ("memory.oom_control", "oom_kill") if self.is_first else ("memory.events", "oom_kill")
        return int(re.search(rf"^{word} (\d+)", (self.folder / file).read_text(), re.MULTILINE)[1])

    def end(self):
        wait_for("the group to be empty", lambda: not (self.folder / "cgroup.procs").read_text())
        self.folder.rmdir()


def run(limit):
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder, \
            contextlib.ExitStack() as ends:
        room = pathlib.Path(folder)
        group = ControlGroup(limit)
        ends.callback(group.end)
        cameras = [Simulator(room, ["--size", SIZE, "--serial", f"MEMORY-{number}"], name=f"sim{number}")
                   for number in range(CAMERAS)]
        for camera in cameras:
            ends.callback(camera.end)
        with group.inside():
            daemon = Daemon(room, [camera.port for camera in cameras])
        ends.callback(daemon.end)
        daemon.wait_until_ready(CAMERAS)
        rest = [own_kib(daemon.process.pid), *map(own_kib, daemon.workers())]
        began = time.monotonic()
        for camera in cameras:
            camera.shoot(SHOTS)
        most = 0
        while daemon.saved() < CAMERAS * SHOTS:
            most = max(most, group.own_bytes())
            if time.monotonic() - began > SECONDS_MAX:
                raise SystemExit(f"bench: {daemon.saved()} of {CAMERAS * SHOTS} photos after {SECONDS_MAX} s, with"
                                 f" {group.kills()} programs ended for want of memory")
            time.sleep(0.05)
        return {"service_kib": rest[0], "workers_kib": sum(rest[1:]), "most_bytes": most,
                "seconds": time.monotonic() - began, "kills": group.kills()}


def show():
    limits = {"all of the computer's": None, "the unit's MemoryHigh": high(), }
    results = {name: run(limit) for name, limit in limits.items()}
    print(f"\n{CAMERAS} cameras that take {SHOTS} x {SIZE} at once")
    print(table(["memory", "at rest: service, workers", "most while photos come in", "all saved after", "ended for it"], [
        [name, f"{figures['service_kib'] >> 10}, {figures['workers_kib'] >> 10} MiB", f"{figures['most_bytes'] >> 20} MiB",
         f"{figures['seconds']:.1f} s", figures["kills"]] for name, figures in results.items()]), flush=True)
    return results
