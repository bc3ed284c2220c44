"""Captures while paired devices follow the web page, compared with captures without devices.

Each device follows the events, and gets a picture of each new photo, as the web page does. The devices run on the same
computer, so their work slows the captures, too.
"""
import contextlib, http.client, json, os, pathlib, socket, tempfile, threading, time

from .goals import PAGES_RATIO_LEAST
from .machine import free_port, median, ratio, spread, wait_for
from .programs import Daemon, Simulator

DEVICES = 15
BURST = 20
TURNS = 6  # an even number, so each state comes first equally often
# RAW files with an embedded JPEG, from which the service makes the pictures.
PHOTOS = ["--raw-only", "--size", "25MB", "--pictures", "real,1600x1066"]
LINKS = {"loopback": [], "40 MB/s": ["--rate", "40MB"]}
WITH, WITHOUT = f"{DEVICES} devices", "no device"


class Device:
    """A device with the web page, which follows the events while it is open."""

    def __init__(self, port, code, name):
        """Pairs the device."""
        self.port, self.headers, self.shots = port, {"Origin": f"http://127.0.0.1:{port}"}, set()
        connection = self.connection()
        body = json.dumps({"code": code, "name": name})
        connection.request("POST", "/v1/web/session", body, {**self.headers, "Content-Type": "application/json"})
        reply = connection.getresponse()
        if reply.status >= 300:
            raise SystemExit(f"bench: cannot pair a device: {reply.status} {reply.read().decode()}")
        self.headers["Cookie"] = reply.getheader("Set-Cookie").split(";")[0]
        connection.close()

    def connection(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def open(self):
        self.events, self.pictures = self.connection(), self.connection()
        self.events.request("GET", "/v1/events", headers=self.headers)
        self.thread = threading.Thread(target=self.follow, args=(self.events.getresponse(),), daemon=True)
        self.thread.start()

    def follow(self, stream):
        # `close` ends the connections during a read.
        with contextlib.suppress(OSError, ValueError, http.client.HTTPException):
            for line in stream:
                event = json.loads(line[5:]) if line.startswith(b"data:") else {}
                shot = event.get("shot") or {}
                if shot.get("revision") and shot["id"] not in self.shots:
                    path = f"/v1/shots/{shot['id']}/512?v={shot['revision']}"
                    self.pictures.request("GET", path, headers=self.headers)
                    reply = self.pictures.getresponse()
                    if reply.read() and reply.status == 200:
                        self.shots.add(shot["id"])

    def close(self):
        self.events.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join()
        self.events.close()
        self.pictures.close()


class Bench:
    """A service with a camera and paired devices."""

    def __init__(self, scratch, cache, link):
        self.cache, self.ends = cache, contextlib.ExitStack()
        try:
            self.camera = Simulator(scratch, ["--maker", "canon", *PHOTOS, *link])
            self.ends.callback(self.camera.end)
            port = free_port()
            self.daemon = Daemon(scratch, [self.camera.port], ["[web]", f'listen = "127.0.0.1:{port}"'])
            self.ends.callback(self.daemon.end)
            self.daemon.wait_until_ready()
            self.daemon.post("/v1/sessions", {"name": "Pages"})
            code = self.daemon.post("/v1/web/codes", {"role": "client", "uses": DEVICES})["code"]
            self.devices = [Device(port, code, f"Tablet {number + 1}") for number in range(DEVICES)]
        except BaseException:
            self.ends.close()
            raise

    def shoot(self, count, devices):
        """Takes photos, and waits until they are saved and each device has their pictures."""
        photos, shots = self.daemon.saved() + count, [len(device.shots) + count for device in devices]
        self.camera.shoot(count)
        wait_for(f"{count} saved photos", lambda: self.daemon.saved() >= photos, 120)
        wait_for("the pictures of all devices", lambda: all(
            len(device.shots) >= wanted for device, wanted in zip(devices, shots)), 120)

    def rate(self, state):
        """Returns the photos per second of a burst, from the first announcement to the last save."""
        devices = self.devices if state == WITH else []
        self.cache.fill()
        for device in devices:
            device.open()
        self.shoot(1, devices)
        start = time.time()
        self.shoot(BURST, devices)
        first, last = self.daemon.transfer_period(start)
        for device in devices:
            device.close()
        return BURST / (last - first)


def show(cache):
    results = {}
    for link, options in LINKS.items():
        with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
            bench = Bench(pathlib.Path(folder), cache, options)
            rates = {WITH: [], WITHOUT: []}
            with bench.ends:
                for turn in range(TURNS):
                    for state in [WITH, WITHOUT] if turn % 2 else [WITHOUT, WITH]:
                        rates[state].append(bench.rate(state))
        results[link] = {"with_devices": rates[WITH], "without": rates[WITHOUT]}
        print(f"\nbursts of {BURST} x 25 MB, {link} (load {os.getloadavg()[0]:.1f})")
        for state, values in rates.items():
            print(f"  {state:<12} {spread(values, '.1f')} photos/s")
        print(f"  {ratio(median(rates[WITH]), median(rates[WITHOUT]))} of the rate without devices (goal: at least {PAGES_RATIO_LEAST})")
    return results
