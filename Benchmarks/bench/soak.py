"""A studio's day in fewer hours: outages, kills, full disks and wrong clocks; and what the service holds meanwhile."""
import collections, contextlib, hashlib, itertools, json, os, pathlib, random, signal, subprocess, sys, tempfile, time
import urllib.parse

from . import soak_plot, studio
from .machine import ROOT, SCRATCH, description, memory_kib, own_kib, programs_commit, table
from .notices import Receiver
from .programs import Daemon, Simulator
from .servers import Nginx
from .soak_judge import JUDGED_FROM, Verdict

CAMERAS = ["canon", "nikon", "canon", "generic"]
SEED = 20_261_024
SCENE_MAX = 10  # photos that a person takes in a row
SAMPLES_AN_HOUR = 15
DISK_BYTES = 192 << 20
FIGURES = ROOT / "Benchmarks/figures"

SETTLE_SECONDS_MAX = 300
# What people are told of by webhook.
AWAY = "destination-away"


class Studio:
    """The service, its cameras, the server and the disk, each of which can be in trouble."""

    def __init__(self, room):
        self.room, self.random = room, random.Random(SEED)
        self.wall, self.computer = studio.Clock(room, "wall"), studio.Clock(room, "computer")
        self.set_clocks(0)
        self.captures = room / "captures"
        self.captures.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", self.captures]
        self.has_disk = subprocess.run(mount, capture_output=True).returncode == 0
        if not self.has_disk:
            print("  the disk is never full: only root may mount one of its own")
        self.worker = room / "worker"
        # The service hands a worker none of its own environment.
        words = " ".join(f"{name}='{value}'" for name, value in self.computer.own.items())
        self.worker.write_text(f"#!/bin/sh\nexec env {words} {SCRATCH}/release/framefast-camera \"$@\"\n")
        self.worker.chmod(0o755)
        self.cameras = [Simulator(
            room, ["--maker", maker, "--size", "100KB-400KB", "--seed", str(number + 1), "--serial", f"SOAK-{number}",
                   "--truth", room / f"truth{number}"], name=f"sim{number}", environment=self.wall.environment)
            for number, maker in enumerate(CAMERAS)]
        self.server, self.outages, self.kills = Nginx(room, keeps_log=True), 0, 0
        # Outages that the service knew of when they ended.
        self.desk, self.known = Receiver(), 0
        self.start()

    def start(self):
        self.service = Daemon(
            self.room, [camera.port for camera in self.cameras],
            ["[storage]", 'keep = "until-delivered"', "[[destination]]", 'name = "studio"', 'kind = "http"',
             f'url = "http://127.0.0.1:{self.server.port}/{{name}}"', *self.desk.tables(AWAY)],
            environment={**self.computer.environment, "FRAMEFAST_CAMERA_PROGRAM": str(self.worker)})

    def ready(self):
        self.service.wait_until_ready(len(self.cameras))

    def set_clocks(self, hour, computer_is_ahead=0):
        self.wall.set(studio.moment(hour))
        self.computer.set(studio.moment(hour) + computer_is_ahead)

    def shoot(self, count):
        """Somebody takes a few photos in a row."""
        self.random.choice(self.cameras).say(f"burst {count} 0")

    def begin(self, fault, hour):
        if fault == "workers killed":
            self.shoot(SCENE_MAX)
            for worker in self.service.workers():
                os.kill(worker, signal.SIGKILL)
                self.kills += 1
        elif fault == "service killed":
            self.shoot(SCENE_MAX)
            time.sleep(self.random.uniform(0, 0.5))
            self.service.process.kill()
            self.service.process.wait()
            self.kills += 1
            self.start()
        elif fault == "restart":
            self.stop()
            self.start()
        elif fault == "server away":
            self.server.end()
            self.outages += 1
        elif fault == "server refuses":
            self.server.end()
            self.server = Nginx(self.room, self.server, refuses=True, keeps_log=True)
            self.outages += 1
        elif fault == "disk full" and self.has_disk:
            with (self.captures / "filler").open("wb") as filler, contextlib.suppress(OSError):
                for _ in itertools.repeat(None):
                    filler.write(bytes(1 << 16))
                    filler.flush()
        elif fault == "camera off":
            self.cameras[1].say("unplug")
        elif fault == "clock 3 h fast":
            self.computer.set(self.wall.now() + 3 * 3600)
        elif fault == "clock 20 min slow":
            self.computer.set(self.wall.now() - 20 * 60)

    def end_fault(self, fault, hour):
        if fault.startswith("server"):
            self.known += any(condition["code"] == AWAY for condition in self.service.get("/v1/conditions")["conditions"])
            if fault == "server refuses":
                self.server.end()
            self.server = Nginx(self.room, self.server, keeps_log=True)
        elif fault == "disk full" and self.has_disk:
            (self.captures / "filler").unlink()
        elif fault == "camera off":
            self.cameras[1].say("plug")
        elif fault.startswith("clock"):
            self.computer.set(self.wall.now())

    def stop(self):
        self.service.end()
        if self.service.process.returncode != 0:
            raise SystemExit(f"bench: the service ended with {self.service.process.returncode}")

    def truth(self):
        """SHA-256 of every photo that was taken."""
        return [json.loads(line)["sha256"] for number in range(len(self.cameras))
                for line in (self.room / f"truth{number}").read_text().splitlines()]

    def sample(self, began, hour):
        """What the programs hold now. The ledger is read, and let go of at once: a reader would keep its WAL."""
        service, workers = self.service.process.pid, self.service.workers()
        row = {"seconds": round(time.monotonic() - began, 1), "hour": round(hour, 3), "service": service,
               "workers": len(workers)}
        for name, pids in [("service", [service]), ("worker", workers)]:
            for what, read in HOLDINGS.items():
                values = [value for pid in pids if (value := attempt(read, pid)) is not None]
                # Of several workers, the one that holds most.
                row[f"{name}_{what}"] = max(values, default=None)
        state = self.room / "state"
        row["ledger_bytes"] = (state / "ledger.sqlite").stat().st_size
        row["wal_bytes"] = attempt(lambda file: file.stat().st_size, state / "ledger.sqlite-wal") or 0
        row["photos_bytes"] = sum(
            attempt(lambda f: f.stat().st_size, file) or 0 for file in self.captures.rglob("*") if file.name != "filler")
        saved, = self.service.read("SELECT count(*) FROM capture WHERE state = 'saved'")[0]
        delivered, different = self.service.read(
            "SELECT count(*), count(DISTINCT capture.sha256) FROM upload_job JOIN capture ON capture.id = capture_id"
            " WHERE upload_job.state = 'delivered'")[0]
        self.service.ledger.close()
        self.service.ledger = None
        row |= {"taken": len(self.truth()), "saved": saved, "delivered": delivered, "doubled": delivered - different}
        return row

    def tries(self):
        """What became of each try of each photo: in the server's log, and in the history."""
        logged, told = collections.defaultdict(list), collections.defaultdict(list)
        for line in self.server.answers.read_text().splitlines():
            method, address, status = line.split()
            name = urllib.parse.unquote(address).rsplit("/", 1)[-1]
            if method == "PUT" and not name.startswith(".framefast-"):
                logged[name].append(int(status))
        for name, outcome in self.service.read(
                "SELECT delivered_name, outcome FROM history JOIN upload_job USING (capture_id)"
                " WHERE history.kind = 'upload' ORDER BY history.id"):
            told[(name or "").rsplit("/", 1)[-1]].append(outcome)
        return logged, told

    def end(self):
        for one in [*self.cameras, self.server, self.desk]:
            one.end()
        if self.service.process.poll() is None:
            self.service.process.kill()
            self.service.process.wait()
        if self.has_disk:
            subprocess.run(["umount", "-l", self.captures], check=True)


def attempt(read, what):
    """A figure, or `None` of something that has just gone."""
    try:
        return read(what)
    except (OSError, TypeError):
        return None


HOLDINGS = {
    "rss_kib": lambda pid: memory_kib(pid, "VmRSS"), "pss_kib": own_kib,
    "handles": lambda pid: len(os.listdir(f"/proc/{pid}/fd")), "threads": lambda pid: memory_kib(pid, "Threads"),
}


def day(place, hour_seconds, samples):
    """Lives through the day. Each hour begins at its time on the wall, and takes so many seconds."""
    began = time.monotonic()
    for hour in range(studio.HOURS):
        start, faults = time.monotonic(), studio.FAULTS.get(hour, [])
        place.set_clocks(hour)
        print(f"  {studio.on_the_wall(hour):%a %H:%M %Z}  {studio.photos(hour)} photos"
              f"{'; ' if faults else ''}{', '.join(faults)}", flush=True)
        scenes, left = [], studio.photos(hour)
        while left > 0:
            count = min(left, place.random.randint(1, SCENE_MAX))
            scenes.append((place.random.uniform(0, hour_seconds), lambda count=count: place.shoot(count)))
            left -= count
        for fault in faults:
            # Who is killed beside another fault is killed in the middle of it.
            begins = hour_seconds / 2 if fault == "service killed" else hour_seconds / 4
            scenes.append((begins, lambda fault=fault: place.begin(fault, hour)))
            scenes.append((hour_seconds * 3 / 4, lambda fault=fault: place.end_fault(fault, hour)))
        for number in range(SAMPLES_AN_HOUR):
            at = hour_seconds * number / SAMPLES_AN_HOUR
            scenes.append((at, lambda at=at: samples(place.sample(began, hour + at / hour_seconds))))
        for at, happen in sorted(scenes, key=lambda scene: scene[0]):
            time.sleep(max(0, start + at - time.monotonic()))
            happen()
        time.sleep(max(0, start + hour_seconds - time.monotonic()))
    # The night is over: what is still on its way arrives.
    end = time.monotonic() + SETTLE_SECONDS_MAX
    while (row := place.sample(began, studio.HOURS))["delivered"] < row["taken"] and time.monotonic() < end:
        time.sleep(1)
    samples(row)


def show(hours, record):
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder, \
            contextlib.ExitStack() as ends:
        place = Studio(pathlib.Path(folder))
        ends.callback(place.end)
        place.ready()
        figures = FIGURES if record else SCRATCH / "soak"
        figures.mkdir(parents=True, exist_ok=True)
        rows, began = [], time.monotonic()
        with (figures / "soak.ndjson").open("w") as lines:
            def keep(row):
                rows.append(row)
                print(json.dumps(row), file=lines, flush=True)

            day(place, hours * 3600 / studio.HOURS, keep)
        minutes = (time.monotonic() - began) / 60
        taken = place.truth()
        stored = [hashlib.sha256(file.read_bytes()).hexdigest() for file in place.server.folder.rglob("*") if file.is_file()]
        place.stop()
        logged, told = place.tries()
        log = (place.room / "daemon.log").read_text()
    verdict = Verdict(rows)
    verdict.hold_lines()
    verdict.hold_photos(taken, stored)
    verdict.hold_history(logged, told)
    verdict.hold_notices(place.desk.of(AWAY), place.known)
    head = (f"{studio.HOURS} h of a studio's day in {minutes:.0f} minutes: {len(taken)} photos of {len(CAMERAS)} cameras,"
            f" {place.kills} programs killed, {place.outages} outages of the server; {verdict.lost} lost,"
            f" {verdict.doubled} doubled")
    print(f"\n{head}", *verdict.said, sep="\n")
    print(table(["", "median", "most", "growth", "may grow", ""], verdict.table), flush=True)
    source = f"{time.strftime('%Y-%m-%d')}, programs of {programs_commit()}, {description()}"
    (figures / "soak.svg").write_text(soak_plot.draw(rows, head, source, JUDGED_FROM))
    print(f"{figures / 'soak.ndjson'}, {figures / 'soak.svg'}")
    (SCRATCH / "soak.log").write_text(log)
    if verdict.wrong:
        sys.exit("bench: the day was not as it must be: " + "; ".join(verdict.wrong))
    return {"minutes": minutes, "photos": len(taken), "lost": verdict.lost, "doubled": verdict.doubled, "samples": rows}
