"""Live view: its cost for photos, its frames and its memory.

Three states are compared, in an order that rotates with each turn:
  live view     a client views the camera that takes the photos
  other camera  a client views the camera of a second service: the computer has the same work
  without       no client
Each state starts with a photo that is not counted. In every state, the worker then has the same poll interval and its
buffers. Without this photo, the state `without` would start after an idle time of five seconds, in which the previous
live view ends. After such an idle time, the worker polls less often and has released its buffers.

Then a photo is taken every five seconds: for five minutes without a client, for ten minutes with live view, and again for five
minutes without a client. A gradual change of the computer's speed therefore affects photos with and without live view.
"""
import contextlib, os, pathlib, subprocess, tempfile, threading, time

from .goals import FRAMES_PER_SECOND_LEAST, LIVE_RATIO_MAX, MEMORY_GROWTH_MAX, RATE, tenths
from .machine import BIN, median, memory_kib, percentile, ratio, wait_for
from .programs import Daemon, Simulator

SHOT_SECONDS = 5
LIVE_SECONDS = 600
SETTLE_SECONDS = 60  # after this time the service's memory no longer grows
TURNS = 6  # a multiple of the number of states, so each state comes first equally often
TURN_SHOTS, TURN_PAUSE_SECONDS = 8, 1
BURST = 20
STATES = ("live view", "other camera", "without")


class Viewer:
    """A live-view client: 'framefast live --mjpeg', which is read continuously."""

    def __init__(self, daemon):
        self.process = subprocess.Popen(
            [BIN / "framefast", "live", "cam0", "--mjpeg", "--rate", str(RATE), "--socket", daemon.socket],
            stdout=subprocess.PIPE, stderr=(daemon.scratch / "viewer.log").open("w"))
        self.daemon, self.times = daemon, []
        threading.Thread(target=self.read, daemon=True).start()
        wait_for("the first frame", lambda: self.times)

    def read(self):
        tail = b""
        while data := os.read(self.process.stdout.fileno(), 1 << 20):
            # The time of each JPEG's end.
            self.times += [time.time()] * (tail + data).count(b"\xff\xd9")
            tail = data[-1:]

    def end(self):
        if self.process.poll() is not None:
            logs = {path.name: path.read_text()[-3000:] for path in self.daemon.scratch.glob("*.log")}
            raise SystemExit("bench: live view ended unexpectedly:\n" + "\n".join(f"{name}: {text}" for name, text in logs.items()))
        self.process.terminate()
        self.process.wait()
        wait_for("live view to end", lambda: not self.daemon.get("/v1/cameras")["cameras"][0]["is_live"])


def frames_between(times, start, end):
    """Returns the number of frames that arrived in a period."""
    return sum(start <= time <= end for time in times)


def order(turn):
    """Returns the states in the order of a turn."""
    first = turn % len(STATES)
    return STATES[first:] + STATES[:first]


class Bench:
    """Two services with one camera each. The first camera takes the photos."""

    def __init__(self, scratch, cache):
        self.cache, self.ends = cache, contextlib.ExitStack()
        self.burst_frames = []  # the frames and the seconds of each burst with live view
        try:
            self.camera, self.daemon = self.start(scratch / "photos")
            _, self.other = self.start(scratch / "other")
            [self.worker] = self.daemon.workers()
        except BaseException:
            self.ends.close()
            raise

    def start(self, folder):
        folder.mkdir()
        camera = Simulator(folder, ["--maker", "canon", "--size", "25MB"])
        self.ends.callback(camera.end)
        daemon = Daemon(folder, [camera.port], log_level="info")
        self.ends.callback(daemon.end)
        daemon.wait_until_ready()
        return camera, daemon

    def shoot(self, count):
        """Takes photos and waits until they are saved."""
        before = self.daemon.saved()
        self.camera.shoot(count)
        wait_for(f"{count} saved photos", lambda: self.daemon.saved() >= before + count, 120)

    def shots(self, count, pause):
        """Takes photos at an interval. Returns the milliseconds from announcement to save of each photo.

        Also returns the memory of service and worker at each photo after the first minute.
        """
        start, before, memory = time.time(), self.daemon.saved(), []
        for _ in range(count):
            now = time.time()
            self.camera.say("shoot")
            if now - start >= SETTLE_SECONDS:
                memory.append((memory_kib(self.daemon.process.pid, "VmRSS"), memory_kib(self.worker, "VmRSS")))
            time.sleep(max(0, now + pause - time.time()))
        wait_for(f"{count} saved photos", lambda: self.daemon.saved() >= before + count, 120)
        return self.daemon.latencies(start), memory

    def burst(self, viewer):
        """Takes a burst. Returns the milliseconds from the first announcement to the save of each photo.

        - viewer: The live-view client of this camera, or `None`. Its frames during the transfer are recorded.
        """
        start = time.time()
        self.shoot(BURST)
        if viewer:
            first, last = self.daemon.transfer_period(start)
            self.burst_frames.append((frames_between(viewer.times, first, last), last - first))
        return self.daemon.latencies_of_burst(start)

    def measure(self, work):
        """Returns the figures of each state. The states take turns, so the load of the computer affects all of them equally.

        - work: Takes photos and returns their figures. Its parameter is the live-view client of the camera that takes the
          photos, or `None`.
        """
        figures = {state: [] for state in STATES}
        for turn in range(TURNS):
            for state in order(turn):
                viewed = {"live view": self.daemon, "other camera": self.other}.get(state)
                viewer = viewed and Viewer(viewed)
                self.cache.fill()
                self.shoot(1)
                time.sleep(1)
                figures[state] += work(viewer if viewed is self.daemon else None)
                if viewer:
                    viewer.end()
        return figures

    def last(self):
        """Takes photos during a long live view, and without live view before and after.

        Returns the times of the photos of both states, and the frames per second and the memory of live view.
        """
        half = LIVE_SECONDS // SHOT_SECONDS // 2
        without, _ = self.shots(half, SHOT_SECONDS)
        viewer, start = Viewer(self.daemon), time.time()
        times, memory = self.shots(2 * half, SHOT_SECONDS)
        end = time.time()
        rate = frames_between(viewer.times, start, end) / (end - start)
        viewer.end()
        without += self.shots(half, SHOT_SECONDS)[0]
        return {"live view": times, "without": without}, rate, memory


def show_live(cache):
    cache.fill()
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        bench = Bench(pathlib.Path(folder), cache)
        with bench.ends:
            tables = {
                "photos of 25 MB": bench.measure(lambda _: bench.shots(TURN_SHOTS, TURN_PAUSE_SECONDS)[0]),
                f"bursts of {BURST}": bench.measure(bench.burst)}
            lasting, rate, memory = bench.last()
            burst_frames = bench.burst_frames
    print(f"\nannounced → saved, in {TURNS} turns; for bursts from the first announcement (goal: at most {LIVE_RATIO_MAX:.2f} times)")
    for name, figures in tables.items():
        print(f"  {name}: " + "; ".join(
            f"{state} median {median(times):.1f} ms, p90 {percentile(times, .9):.0f} ms"
            + ("" if state == "live view" else f", live view {ratio(median(figures['live view']), median(times))} times")
            for state, times in figures.items()))
    frames, seconds = map(sum, zip(*burst_frames))
    print(f"  during the transfer of {len(burst_frames)} bursts: {frames} frames in {seconds:.1f} s,"
          f" {frames / seconds:.1f} frames a second (no goal)")
    with_it, without = median(lasting["live view"]), median(lasting["without"])
    print(f"live view for {LIVE_SECONDS} s, a photo each {SHOT_SECONDS} s: {rate:.1f} frames a second (goal: at least"
          f" {FRAMES_PER_SECOND_LEAST:g} of {RATE})")
    print(f"  announced → saved median {with_it:.1f} ms, without live view {without:.1f} ms: {ratio(with_it, without)} times"
          f" (goal: at most {LIVE_RATIO_MAX:.2f})")
    for name, index in [("service", 0), ("worker", 1)]:
        series = [sample[index] / 1024 for sample in memory]
        first, last = tenths(series)
        print(f"  {name}'s memory: {first:.1f} MB in the first tenth, {last:.1f} in the last (goal: at most"
              f" {MEMORY_GROWTH_MAX:.2f} times), {max(series):.1f} at most", flush=True)
    return {"turns": tables, "burst_frames": burst_frames, "lasting_ms": lasting, "frames_per_second": rate,
            "memory_kib": memory}
