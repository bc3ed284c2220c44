"""Ten services of one fleet on this computer: how soon one knows of another, and whether an event is lost."""
import contextlib, json, pathlib, random, shutil, signal, socket, subprocess, tempfile, time

from .machine import ROOT, median, percentile, table, wait_for
from .programs import Daemon, Simulator

HOSTS = 10
CAMERAS = 10
CHANGES = 20
GONE = 5
SHOTS = 20
LEAD_MS = 2_000
KILLS = 50
SEED = 20_261_126
PHOTOS = 200
SERVERS = ROOT / ".build/test-servers/debian/usr"


class Broker:
    """mosquitto, which writes down what it has promised each second."""

    def __init__(self, room):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.config = room / "mosquitto.conf"
        self.config.write_text(
            f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous true\npersistence true\n"
            f"persistence_location {room}/\nautosave_on_changes true\nautosave_interval 1\nmax_queued_messages 0\n")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [SERVERS / "sbin/mosquitto", "-c", self.config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for("mosquitto", self.listens, pause=0.01)

    def listens(self):
        with socket.socket() as connection:
            return connection.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self):
        self.process.kill()
        self.process.wait()


class Host(Daemon):
    """A service with its cameras, as one computer of the fleet."""

    def __init__(self, room, name, broker):
        self.name, self.simulators = name, []
        room.mkdir(exist_ok=True)
        for number in range(CAMERAS):
            self.simulators.append(Simulator(
                room, ["--maker", ("canon", "nikon")[number % 2], "--serial", f"{name}-{number}", "--size", "50KB"],
                name=f"sim{number}"))
        names = ", ".join(f'"cam{number}"' for number in range(CAMERAS))
        self.start = lambda: Daemon.__init__(self, room, [one.port for one in self.simulators], [
            "[[group]]", 'name = "ring"', f"cameras = [{names}]", "[fleet]", f'broker = "mqtt://127.0.0.1:{broker.port}"',
            f'name = "{name}"', 'accept = ["shoot"]', 'clock_error_max = "1 min"'])
        self.start()

    def fleet(self):
        return {host["name"]: host for host in self.get("/v1/fleet")["hosts"]}

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.ledger = None


def show_fleet(cache):
    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder, contextlib.ExitStack() as ends:
        room = pathlib.Path(folder)
        broker = Broker(room)
        ends.callback(lambda: broker.kill())
        hosts = []
        for number in range(HOSTS):
            hosts.append(Host(room / f"h{number}", f"host-{number}", broker))
            ends.callback(hosts[-1].end)
            for one in hosts[-1].simulators:
                ends.callback(one.end)
        for host in hosts:
            host.wait_until_ready(CAMERAS)
        watcher = hosts[0]
        wait_for("everybody to be known", lambda: sum(
            len(host["cameras"]) for host in watcher.fleet().values()) == HOSTS * CAMERAS, 60)
        cache.fill()

        changes = []
        for number in range(CHANGES):
            host = hosts[1 + number % (HOSTS - 1)]
            before = watcher.fleet()[host.name]["status"]["shots"]
            host.simulators[number % CAMERAS].shoot(1)
            wait_for("the photo", lambda: host.saved() > before)
            start = time.monotonic()
            wait_for("the change", lambda: watcher.fleet()[host.name]["status"]["shots"] > before, 30, pause=0.02)
            changes.append(time.monotonic() - start)
        gone = []
        for number in range(GONE):
            host = hosts[1 + number]
            host.kill()
            start = time.monotonic()
            wait_for("its end", lambda: watcher.fleet()[host.name]["state"] == "offline", 60, pause=0.02)
            gone.append(time.monotonic() - start)
            host.start()
            host.wait_until_ready(CAMERAS)
            wait_for("its return", lambda: watcher.fleet()[host.name]["state"] == "online", 60)
        spreads, fired = [], 0
        for _ in range(SHOTS):
            shot = watcher.post("/v1/fleet/groups/ring/shoot", {"in_ms": LEAD_MS})
            late = [camera["lateness_ms"] for host in shot["hosts"] if host["shot"] for camera in host["shot"]["cameras"]]
            spreads.append(max(late) - min(late))
            fired += shot["fired"]
            time.sleep(1)
        answers = []
        for _ in range(31):
            start = time.monotonic()
            watcher.get("/v1/fleet")
            answers.append(1000 * (time.monotonic() - start))
        lost = kills(room, broker, hosts)
        rows = [
            [f"a change on one of {HOSTS} computers is seen on another: p50, p95, most",
             f"{median(changes):.2f}, {percentile(changes, 0.95):.2f}, {max(changes):.2f} s"],
            ["one that is killed is seen to be gone: p50, most", f"{median(gone):.1f}, {max(gone):.1f} s"],
            [f"{SHOTS} shots of {HOSTS * CAMERAS} cameras on {HOSTS} computers: released", f"{fired} of {SHOTS * HOSTS * CAMERAS}"],
            ["their orders, first to last: p50, p95, most",
             f"{median(spreads):.1f}, {percentile(spreads, 0.95):.1f}, {max(spreads):.1f} ms"],
            ["the whole fleet, asked for", f"{median(answers):.1f} ms"],
            [f"events of photos over {KILLS} kills: photos, events, doubles, lost",
             f"{lost['photos']}, {lost['events']}, {lost['doubles']}, {lost['lost']}"]]
    print(table(["fleet", ""], rows), flush=True)
    return {"changes_s": changes, "gone_s": gone, "spreads_ms": spreads, "fired": fired, "fleet_ms": answers, **lost}


def show_broker(rounds, cache):
    """Photos of one camera that go to a folder as well: without a fleet, and with a broker that is not there, hangs or works."""
    with tempfile.TemporaryDirectory(prefix="framefast-bench-") as folder:
        room = pathlib.Path(folder)
        broker = Broker(room)
        try:
            with socket.socket() as nobody:
                nobody.bind(("127.0.0.1", 0))
                lines = {"no fleet": [], "dead": nobody.getsockname()[1], "hangs": broker.port, "works": broker.port}
                figures = {name: [] for name in lines}
                for turn in range(rounds + 1):
                    for name, port in lines.items():
                        tables = port and ["[fleet]", f'broker = "mqtt://127.0.0.1:{port}"', f'name = "{name}"']
                        figure = photos(room / f"{turn}-{name.replace(' ', '-')}", tables or [], broker, name == "hangs")
                        if turn:  # the first turn warms up
                            figures[name].append(figure)
                cache.fill()
        finally:
            broker.process.send_signal(signal.SIGCONT)
            broker.kill()
    rows = [[name, *(f"{median(rate[kind] for rate in rates):.1f}" for kind in (0, 1)),
             *(f"{median(rate[kind] / plain[kind] for rate, plain in zip(rates, figures['no fleet'])):.2f}" for kind in (0, 1))]
            for name, rates in figures.items()]
    print(table(["broker", "photos/s saved", "delivered", "÷ no fleet", "÷ no fleet"], rows), flush=True)
    return figures


def photos(room, tables, broker, hangs):
    """Photos saved, and photos delivered, in a second."""
    room.mkdir()
    (room / "nas").mkdir()
    camera = Simulator(room, ["--maker", "canon", "--size", "1MB"])
    daemon = Daemon(room, [camera.port], ["[[destination]]", 'name = "nas"', 'kind = "directory"', f'path = "{room}/nas"', *tables])
    try:
        daemon.wait_until_ready()
        if tables and hangs:
            wait_for("the broker", lambda: daemon.get("/v1/fleet")["broker"]["state"] == "connected", 30)
            broker.process.send_signal(signal.SIGSTOP)
        start = time.time()
        camera.shoot(PHOTOS)
        count = "SELECT count(*) FROM upload_job WHERE state = 'delivered'"
        wait_for("all photos", lambda: daemon.read(count)[0][0] == PHOTOS, 120)
        delivered = daemon.read("SELECT max(delivered_at) FROM upload_job")[0][0]
        return PHOTOS / (daemon.last_saved() - start), PHOTOS / (delivered - start)
    finally:
        broker.process.send_signal(signal.SIGCONT)
        daemon.end()
        camera.end()
        shutil.rmtree(room)


def kills(room, broker, hosts):
    """Photos while services and the broker are killed at random: what a reader has who leaves out what it has already."""
    log = (room / "events.log").open("w")
    reader = subprocess.Popen(
        [SERVERS / "bin/mosquitto_sub", "-p", str(broker.port), "-V", "5", "-c", "-x", "3600", "-i", "reader", "-q", "1",
         "-t", "framefast/v1/host/+/event"], stdout=log, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1)
        chance = random.Random(SEED)
        before = {host.name: host.read("SELECT coalesce(max(id), 0) FROM capture")[0][0] for host in hosts}
        for kill in range(KILLS):
            for host in chance.sample(hosts, 3):
                chance.choice(host.simulators).shoot(2)
            time.sleep(chance.uniform(0, 1))
            if kill % 5 == 4:
                broker.kill()
                time.sleep(chance.uniform(0, 1))
                broker.start()
            else:
                host = chance.choice(hosts)
                host.kill()
                host.start()
        for host in hosts:
            host.wait_until_ready(CAMERAS)
        taken = {host.name: None for host in hosts}

        def quiet():
            now = {host.name: host.saved() for host in hosts}
            if now != taken:
                taken.update(now)
                time.sleep(3)
                return False
            return all(host.get("/v1/fleet")["broker"]["waiting"] == 0 for host in hosts)

        wait_for("all photos and events", quiet, 180)
        time.sleep(3)
    finally:
        reader.terminate()
        reader.wait()
        log.close()
    events = [json.loads(line) for line in (room / "events.log").read_text().splitlines()]
    saved = [event for event in events if event["kind"] == "saved"]
    known = {(event["host"], event["facts"]["capture"]) for event in saved}
    photos = {(host.name, row[0]) for host in hosts for row in host.read(
        "SELECT id FROM capture WHERE state = 'saved' AND id > ?", before[host.name])}
    numbers = [(event["host"], event["boot"], event["seq"]) for event in events]
    return {"photos": len(photos), "events": len(saved), "doubles": len(numbers) - len(set(numbers)),
            "lost": len(photos - known)}
