"""What framefastd and one call of framefast cost when nothing happens."""
import os, pathlib, resource, shutil, statistics, subprocess, tempfile, time

from .machine import BIN, children, cpu_seconds, memory_kib, wait_for
from .programs import Daemon, Simulator


def show_idle():
    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder:
        room = pathlib.Path(folder)
        cameras = [Simulator(room, ["--serial", f"IDLE{i}"], name=f"sim{i}") for i in range(4)]
        daemon = Daemon(room, [camera.port for camera in cameras])
        wait_for("4 ready cameras", lambda: sum(c["state"] == "ready" for c in daemon.get("/v1/cameras")["cameras"]) == 4)
        time.sleep(5)  # start-up is not idling
        workers, seconds = children(daemon.process.pid), 30
        before = cpu_seconds(daemon.process.pid), sum(map(cpu_seconds, workers))
        time.sleep(seconds)  # the measured time
        after = cpu_seconds(daemon.process.pid), sum(map(cpu_seconds, workers))
        print(f"\nidle with 4 cameras, over {seconds} s")
        print(f"  framefastd  {memory_kib(daemon.process.pid, 'VmRSS') / 1024:5.1f} MB resident"
              f"  {100 * (after[0] - before[0]) / seconds:.2f} % of a core")
        print(f"  workers     {[round(memory_kib(w, 'VmRSS') / 1024, 1) for w in workers]} MB resident"
              f"  {100 * (after[1] - before[1]) / seconds:.2f} % of a core in all")
        daemon.end()
        for camera in cameras:
            camera.end()


def show_cli():
    def cost(command):
        walls, cpus = [], []
        for _ in range(31):
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            walls.append(time.monotonic() - start)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            cpus.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return 1000 * statistics.median(walls), 1000 * statistics.median(cpus)

    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder:
        room = pathlib.Path(folder)
        camera = Simulator(room, [])
        daemon = Daemon(room, [camera.port])
        status = [BIN / "framefast", "status", "--socket", daemon.socket]
        calls = {
            "framefast status": cost(status),
            "framefast status --format tmux": cost(status + ["--format", "tmux"]),
            "gphoto2 --auto-detect": cost(["gphoto2", "--auto-detect"]),
        }
        if shutil.which("tmux"):
            tmux = ["tmux", "-L", f"bench-{os.getpid()}", "-f", "/dev/null"]
            subprocess.run(tmux + ["new-session", "-d", "cat"], check=True, close_fds=True)
            calls["tmux display"] = cost(tmux + ["display", "-p", "#{pane_id}"])
            subprocess.run(tmux + ["kill-server"])
        ours = calls["framefast status --format tmux"]
        print("\none call                             wall       CPU   status --format tmux takes, of it")
        for name, (wall, cpu) in calls.items():
            print(f"  {name:<32} {wall:5.1f} ms  {cpu:5.1f} ms  {ours[0] / wall:.2f} of the time, {ours[1] / cpu:.2f} of the CPU")
        follower = subprocess.Popen(status + ["--follow"], stdout=subprocess.DEVNULL)
        time.sleep(2)  # start-up is not following
        before = cpu_seconds(follower.pid)
        time.sleep(20)  # the measured time
        print(f"  status --follow, 20 s in which nothing changes: {1000 * (cpu_seconds(follower.pid) - before):.0f} ms CPU")
        follower.terminate()
        follower.wait()
        daemon.end()
        camera.end()
