"""From shutter to file: framefastd compared with 'gphoto2 --capture-tethered' and a raw reader.

Each program has a separate simulated camera with the same options. They transfer bursts in turn: one program is idle
while the other transfers. A photo of framefastd counts when it is saved: hashed, checked, fsynced, renamed and
recorded. gphoto2 does none of these; its photo counts when the file is closed.
"""
import contextlib, dataclasses, json, os, pathlib, subprocess, tempfile, time

from . import root
from .machine import BIN, median, spread, table, wait_for
from .programs import Daemon, GPhoto2, Simulator
from .servers import DelayLine

MAKERS = {"generic": "generic", "canon": "Canon", "nikon": "Nikon", "sony": "Sony", "fuji": "Fujifilm"}
BURST_SECONDS_MAX = 180
STALL_SECONDS = 4  # after this time without a new file, the rest of a burst of gphoto2 counts as lost
MEGABYTE = 1_000_000


@dataclasses.dataclass(frozen=True)
class Load:
    part: str
    photos: int  # the number of photos in a burst
    size: str  # the photo size, in the simulator's notation
    bytes: int
    options: tuple = ()
    round_trip_ms: float = 0
    rate: str = ""  # the bytes per second of the link, in the simulator's notation, or "" without a limit
    # Whether framefastd saves a photo that is not counted before each burst. After an idle time, the worker polls some
    # makers' cameras less often, and the first photo of the burst would wait for a poll.
    has_warm_up: bool = False

    @property
    def words(self):
        link = [f"{with_space(self.rate)}/s"] if self.rate else []
        link += [f"{self.round_trip_ms:g} ms"] if self.round_trip_ms else []
        return f"{self.photos} x {with_space(self.size)}, {' '.join(link) or 'loopback'}"

    def simulator_options(self, maker):
        rate = ["--rate", self.rate] if self.rate else []
        return ["--maker", maker, "--size", self.size, *rate, *self.options]


def with_space(size):
    """Returns a size in the simulator's notation with a space before its unit."""
    return size.replace("KB", " KB").replace("MB", " MB")


# Bursts are short, because connected programs have the same rate after 20 photos as after 200.
LOADS = [
    Load("A", 20, "8MB", 8 * MEGABYTE),
    Load("B", 4, "60MB", 60 * MEGABYTE, ("--raw-only",)),
    Load("C", 120, "200KB", MEGABYTE // 5),
    *(Load("far", photos, size, bytes, (), trip)
      for trip, small, large in [(5, 20, 6), (20, 10, 3)]
      for photos, size, bytes in [(small, "200KB", MEGABYTE // 5), (large, "8MB", 8 * MEGABYTE)]),
]
PARTS = list(dict.fromkeys(load.part for load in LOADS))


class Bench:
    """A load of one maker: the connected programs, each with a separate camera."""

    def __init__(self, scratch, load, maker):
        self.scratch, self.load = scratch, load
        self.ends = contextlib.ExitStack()
        try:
            self.connect(maker)
        except BaseException:
            self.ends.close()
            raise

    def connect(self, maker):
        options = self.load.simulator_options(maker)
        self.camera, ours = self.start_camera(options, "ours")
        self.peer_camera, peers = self.start_camera(options, "peer")
        # The raw reader uses no commands of a maker, and the speed of the link does not depend on the maker.
        _, self.raw_port = self.start_camera(
            [*self.load.simulator_options("generic"), "--existing", str(self.load.photos)], "raw")
        self.daemon = self.kept(Daemon(self.scratch, [ours]))
        self.gphoto2 = self.kept(GPhoto2(self.scratch, peers))
        self.daemon.wait_until_ready()
        wait_for("gphoto2", lambda: self.peer_camera.statistics()["client_listening"])

    def start_camera(self, options, name):
        camera = self.kept(Simulator(self.scratch, options, name=name))
        port = camera.port
        if self.load.round_trip_ms:
            port = self.kept(DelayLine(self.scratch, port, self.load.round_trip_ms)).port
        return camera, port

    def kept(self, program):
        self.ends.callback(program.end)
        return program

    def framefastd(self):
        load = self.load
        if load.has_warm_up:
            self.save(1)
        cpu, requests, start = self.daemon.cpu_seconds(), self.camera.requests(), time.time()
        self.save(load.photos)
        return {"seconds": self.daemon.last_saved() - start, "cpu": self.daemon.cpu_seconds() - cpu,
                "requests": (self.camera.requests() - requests) / load.photos}

    def save(self, photos):
        """Takes photos and waits until framefastd has saved them."""
        before = self.daemon.saved()
        if not self.camera.shoot(photos):
            raise SystemExit("bench: the camera takes no photos, because framefastd has locked its shutter")
        wait_for(f"{photos} saved photos", lambda: self.daemon.saved() >= before + photos, BURST_SECONDS_MAX)

    def peer(self):
        """Measures a burst of gphoto2. Returns `None` if gphoto2 lost a photo, locked the shutter or ended, now or before."""
        if self.gphoto2 is None:
            return None
        load, watch, before = self.load, self.gphoto2.watch, len(self.gphoto2.watch.times)
        self.gphoto2.resume()
        cpu, requests, start = self.gphoto2.cpu_seconds(), self.peer_camera.requests(), time.time()
        is_taken = self.peer_camera.shoot(load.photos)

        def is_over():
            last = max(watch.times.values(), default=0)
            return not is_taken or len(watch.times) >= before + load.photos or time.time() - max(last, start) > STALL_SECONDS

        wait_for("gphoto2", is_over, BURST_SECONDS_MAX)
        if len(watch.times) < before + load.photos or self.gphoto2.process.poll() is not None:
            self.gphoto2.end()
            self.gphoto2 = None
            return None
        figures = {"seconds": max(watch.times.values()) - start, "cpu": self.gphoto2.cpu_seconds() - cpu,
                   "requests": (self.peer_camera.requests() - requests) / load.photos}
        self.gphoto2.suspend()
        return figures

    def raw(self, *options):
        output = subprocess.run(
            [BIN / "ptpip-read", f"127.0.0.1:{self.raw_port}", *options], capture_output=True, text=True,
            timeout=BURST_SECONDS_MAX, **root.options())
        if output.returncode:
            raise SystemExit(f"bench: ptpip-read: {output.stderr}")
        read = json.loads(output.stdout)
        if read["objects"] != self.load.photos:
            raise SystemExit(f"bench: ptpip-read read {read['objects']} of {self.load.photos} photos")
        return {"seconds": read["seconds"], "cpu": read["cpuSeconds"]}


def run(load, maker, rounds, cache):
    """Returns the measurements of each program, one for each round."""
    cache.fill()
    results = {}
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as scratch:
        bench = Bench(pathlib.Path(scratch), load, maker)
        tools = {"gphoto2": bench.peer, "framefastd": bench.framefastd, "raw": lambda: bench.raw("--whole"),
                 "raw pieces": bench.raw}
        with bench.ends:
            for number in range(rounds + 1):
                for tool, measure in tools.items():
                    figures = measure()
                    if number and figures:  # the first round is a warm-up and is not counted
                        results.setdefault(tool, []).append(figures)
    return results


def show(part, rounds, makers, cache):
    """Measures a part for each maker and prints its tables."""
    results = measure_loads([load for load in LOADS if load.part == part], rounds, makers, cache)
    print_tables(results, makers, rounds)
    return {load.words: of for load, of in results.items()}


def measure_loads(loads, rounds, makers, cache):
    """Returns the measurements of each load and maker. Prints the rates of each load and maker."""
    results = {load: {} for load in loads}
    for load, of in results.items():
        for maker in makers:
            start = time.monotonic()
            runs = of[maker] = run(load, maker, rounds, cache)
            rates = ", ".join(
                f"{tool} {load.photos / median([r['seconds'] for r in figures]):.1f}" for tool, figures in runs.items())
            print(f"  {load.words}, {MAKERS[maker]}: photos/s {rates}  ({time.monotonic() - start:.0f} s)", flush=True)
    return results


def ratios(runs, peer, key="seconds"):
    """Returns, for each round, the ratio of framefastd's speed (`cpu`: processor time) to another program's."""
    pairs = [(ours[key], theirs[key]) for ours, theirs in zip(runs["framefastd"], runs.get(peer, []))]
    return [theirs / ours if key == "seconds" else ours / theirs for ours, theirs in pairs if ours and theirs]


def print_tables(results, makers, rounds):
    show_table(f"photos a second, framefastd / gphoto2: median of {rounds} rounds (least–most)", results, makers,
               lambda load, runs: spread(ratios(runs, "gphoto2")))
    print_raw_tables(results, makers)
    print_requests(results, makers)
    show_table("framefastd's processor seconds per GB, and as a fraction of gphoto2's",
               {load: of for load, of in results.items() if not load.round_trip_ms}, makers, lambda load, runs: (
                   f"{median([r['cpu'] for r in runs['framefastd']]) * 1e9 / load.photos / load.bytes:.2f}, "
                   f"{spread(ratios(runs, 'gphoto2', 'cpu'))}"))


def print_raw_tables(results, makers):
    show_table("photos a second, framefastd / a raw reader of whole objects", results, makers,
               lambda load, runs: spread(ratios(runs, "raw")))
    show_table("photos a second, framefastd / a raw reader of chunks of 1 MiB", results, makers,
               lambda load, runs: spread(ratios(runs, "raw pieces")))


def print_requests(results, makers):
    show_table("requests a photo: framefastd, gphoto2", results, makers,
               lambda load, runs: each(runs, ("framefastd", "gphoto2"), lambda r: r["requests"], ".1f"))


def each(runs, tools, figure, form):
    """Returns the median of a figure for each program. A program without measurements has a dash."""
    return ", ".join(f"{median(list(map(figure, runs[tool]))):{form}}" if tool in runs else "–" for tool in tools)


def show_table(title, results, makers, cell):
    """Prints a table with a row for each load and a column for each maker. The title ends with the library's version."""
    rows = [[load.words, *(cell(load, of[maker]) for maker in makers)] for load, of in results.items()]
    if rows:
        print(f"\n{title} (libgphoto2 {root.version()})")
        print(table(["load", *(MAKERS[maker] for maker in makers)], rows), flush=True)
