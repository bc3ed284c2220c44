"""The cost of an idle framefastd, and of one call of framefast."""
import contextlib, os, pathlib, resource, shutil, subprocess, tempfile, time

from . import captures, root
from .machine import BIN, cpu_seconds, median, memory_kib, own_kib, spread, table, wakeups
from .programs import Daemon, Simulator

FLEETS = (1, 40, 100)
SETTLE_SECONDS = 75  # a worker polls more often in the first minute after its start or a photo (EventPace.warmWindow)
IDLE_SECONDS = 60
CALLS = 31
GPHOTO2_VERSION = ["gphoto2", "--version"]
FORMATS = ("tmux", "waybar")


@contextlib.contextmanager
def fleet(cameras):
    """Starts a daemon with this number of connected cameras, in equal parts of all makers."""
    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder, contextlib.ExitStack() as ends:
        scratch, ports = pathlib.Path(folder), []
        for number, maker in enumerate(makers_of(cameras)):
            camera = Simulator(
                scratch, ["--maker", maker, "--serial", f"IDLE{number}", "--size", "200KB"], name=f"sim{number}")
            ends.callback(camera.end)
            ports.append(camera.port)
        daemon = Daemon(scratch, ports)
        ends.callback(daemon.end)
        daemon.wait_until_ready(cameras)
        yield daemon


def makers_of(cameras):
    """Returns the maker of each camera. The first camera is generic."""
    return [list(captures.MAKERS)[number % len(captures.MAKERS)] for number in range(cameras)]


def show_idle():
    results, rows, calls = {}, [], []
    for cameras in FLEETS:
        with fleet(cameras) as daemon:
            figures = results[cameras] = idle(daemon)
            figures |= status_beside_gphoto2(daemon)
        rows.append([
            cameras, f"{figures['workers_percent']:.1f} %", f"{figures['daemon_percent']:.1f} %",
            f"{figures['workers_wakeups']:.0f}", f"{figures['daemon_wakeups']:.0f}",
            f"{figures['daemon_kib'] / 1024:.1f} MB", f"{figures['worker_kib'] / 1024:.1f} MB"])
        calls += [[cameras, *status_row(name, figures[key])] for name, key in zip(FORMATS, ("status", "waybar"))]
        print("\n".join(f"  {' | '.join(map(str, row))}" for row in [rows[-1], *calls[-len(FORMATS):]]), flush=True)
    print(f"\nidle cameras in equal parts of {', '.join(captures.MAKERS.values())}, over {IDLE_SECONDS} s"
          f" (libgphoto2 {root.version()}); a single camera is generic")
    print(table(["cameras", "workers, of a core", "daemon", "workers wake a second", "daemon wakes", "daemon resident",
                 "a worker (PSS)"], rows))
    print(f"\none call of 'framefast status --format' and 'gphoto2 --version', {CALLS} calls each in turn")
    print(table(["cameras", "format", "time", "/ gphoto2: time", "processor"], calls), flush=True)
    return results


def status_row(name, costs):
    """Returns the time of a format, and the ratios of its time and processor time to gphoto2's."""
    return [name, f"{median(costs['wall'][0]):.1f} ms",
            *(spread([ours / max(theirs, 0.001) for ours, theirs in zip(*costs[key])]) for key in ("wall", "cpu"))]


def idle(daemon):
    time.sleep(SETTLE_SECONDS)
    service, workers = daemon.process.pid, daemon.workers()

    def look():
        return [cpu_seconds(service), sum(map(cpu_seconds, workers)), wakeups(service), sum(map(wakeups, workers))]

    start, before = time.monotonic(), look()
    time.sleep(IDLE_SECONDS)  # the measurement
    after, seconds = look(), time.monotonic() - start
    cpu, workers_cpu, wakes, workers_wakes = ((now - then) / seconds for now, then in zip(after, before))
    return {"daemon_percent": 100 * cpu, "workers_percent": 100 * workers_cpu, "daemon_wakeups": wakes,
            "workers_wakeups": workers_wakes, "daemon_kib": memory_kib(service, "VmRSS"),
            "worker_kib": median([own_kib(worker) for worker in workers])}


def call(command):
    """Returns the time and the processor time of one call, in seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turn(commands):
    """Calls the commands in turn. Returns the times and processor times of each command, in milliseconds."""
    calls = [[call(command) for command in commands] for _ in range(CALLS + 1)][1:]
    return {key: [[1000 * turn[command][index] for turn in calls] for command in range(len(commands))]
            for index, key in enumerate(("wall", "cpu"))}


def status_beside_gphoto2(daemon):
    """Returns the costs of each format of the status, together with the costs of gphoto2 in the same turns."""
    costs = root.call(in_turn, [*(status(daemon, "--format", name) for name in FORMATS), GPHOTO2_VERSION])
    return pair_with_last(costs, ("status", "waybar"))


def pair_with_last(costs, names):
    """Returns the costs of each command, by name, together with the costs of the last command."""
    return {name: {key: [values[number], values[-1]] for key, values in costs.items()} for number, name in enumerate(names)}


def status(daemon, *options):
    return [BIN / "framefast", "status", "--socket", daemon.socket, *options]


def show_cli():
    with fleet(1) as daemon, contextlib.ExitStack() as ends:
        commands = {
            "framefast status --format tmux": status(daemon, "--format", "tmux"),
            "framefast status": status(daemon),
            "gphoto2 --version": GPHOTO2_VERSION,
            "gphoto2 --auto-detect": ["gphoto2", "--auto-detect"],
        }
        if shutil.which("tmux"):
            tmux = ["tmux", "-L", f"bench-{os.getpid()}", "-f", "/dev/null"]
            subprocess.run(tmux + ["new-session", "-d", "cat"], check=True, close_fds=True)
            ends.callback(subprocess.run, tmux + ["kill-server"])
            commands["tmux display"] = tmux + ["display", "-p", "#{pane_id}"]
        costs = in_turn(list(commands.values()))
        rows = []
        for number, name in enumerate(commands):
            wall, cpu = costs["wall"][number], costs["cpu"][number]
            rows.append([name, f"{median(wall):.1f} ms", f"{median(cpu):.1f} ms",
                         *(spread([ours / max(theirs, 0.001) for ours, theirs in zip(costs[key][0], costs[key][number])])
                           for key in ("wall", "cpu"))])
        print("\none call")
        print(table(["command", "time", "processor", "status --format tmux / command: time", "processor"], rows))
        follower = subprocess.Popen(status(daemon, "--follow"), stdout=subprocess.DEVNULL)
        ends.callback(follower.wait)
        ends.callback(follower.terminate)
        time.sleep(2)  # the start is not measured
        before = cpu_seconds(follower.pid)
        time.sleep(20)  # the measurement
        following = 1000 * (cpu_seconds(follower.pid) - before)
        print(f"  status --follow, 20 s in which nothing changes: {following:.0f} ms of the processor", flush=True)
        return {"calls": dict(zip(commands, zip(costs["wall"], costs["cpu"]))), "follow_ms": following}
