"""The page for a studio: how soon it is there with many shots, and what it costs the captures."""
import atexit, http.client, json, os, pathlib, socket, ssl, tempfile, threading, time

from .browser import Browser
from .machine import free_port, median, own_kib, percentile, ratio, wait_for
from .programs import Daemon, Simulator

SHOTS = 10_000
LOADS = 5
PAGES, BROWSERS = 15, 2
NEW_SHOTS = 10
TURNS, BURST = 6, 20
COLD = 100
CABLE = "40MB"  # a second: USB 2
SCROLL_SECONDS = 12

SCROLL = """
window.frames_ms = null;
const frames = [], start = performance.now();
let last = start;
function frame(now) {
  frames.push(now - last);
  last = now;
  const share = (now - start) / %d;
  scrollTo(0, share * (document.documentElement.scrollHeight - innerHeight));
  if (share < 1) requestAnimationFrame(frame); else window.frames_ms = frames.slice(1);
}
requestAnimationFrame(frame);
""" % (SCROLL_SECONDS * 1000)


def renderer_mib(profile):
    """The largest renderer of a browser: the page's. Of what it shares with others of the browser, its share."""
    sizes = []
    for process in pathlib.Path("/proc").iterdir():
        try:
            line = (process / "cmdline").read_bytes().decode(errors="replace")
            if process.name.isdigit() and "--type=renderer" in line and is_below(process, profile):
                sizes.append(own_kib(int(process.name)) / 1024)
        except OSError:
            continue
    return max(sizes)


def is_below(process, profile):
    """Whether the browser above a process has this profile."""
    for _ in range(4):
        line = (process / "cmdline").read_bytes().decode(errors="replace")
        if f"--user-data-dir={profile}" in line:
            return True
        status = (process / "status").read_text()
        parent = next(row.split()[1] for row in status.splitlines() if row.startswith("PPid"))
        process = pathlib.Path("/proc") / parent
    return False


class Looker:
    """A page without a browser: reads its stream, and each new shot's picture, as fast as they come. From an address of its own,
    as each device has one: the service takes so many connections of one."""

    def __init__(self, number, port, code):
        self.source, self.port = (f"127.0.1.{number + 1}", 0), port
        self.context, self.cookie, self.seen = ssl._create_unverified_context(), "", {}
        answer = self.ask(self.connect(), "/pair", json.dumps({"code": code, "name": "Mia"}))
        if answer.status != 200:
            raise SystemExit(f"bench: a page was not let in: {answer.read().decode()}")
        self.cookie = answer.headers["Set-Cookie"].split(";")[0]
        self.connection = self.connect()
        self.stream = self.ask(self.connection, "/v1/events")
        threading.Thread(target=self.read, daemon=True).start()

    def connect(self):
        return http.client.HTTPSConnection(
            "127.0.0.1", self.port, timeout=600, context=self.context, source_address=self.source)

    def ask(self, connection, path, body=None):
        headers = {"Origin": f"https://127.0.0.1:{self.port}", "Content-Type": "application/json", "Cookie": self.cookie}
        connection.request("GET" if body is None else "POST", path, body, headers)
        return connection.getresponse()

    def read(self):
        # It would be another computer: here it has what the service leaves.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        pictures = self.connect()
        try:
            while line := self.stream.readline():
                if line.startswith(b"data:") and b'"shot":{' in line:
                    for shot in json.loads(line[5:])["shot"]["id"]:
                        self.ask(pictures, f"/v1/shots/{shot}/512").read()
                        self.seen.setdefault(shot, 1000 * time.time())
        except (OSError, http.client.HTTPException):
            pass  # it was ended

    def end(self):
        self.connection.sock.shutdown(socket.SHUT_RDWR)


def show(cache):
    cache.fill()
    port = free_port()
    address = f"https://127.0.0.1:{port}"
    with tempfile.TemporaryDirectory(prefix="framefast-bench-", dir=os.environ.get("BENCH_DIR")) as folder:
        room = pathlib.Path(folder)
        small = Simulator(room, ["--maker", "canon", "--size", "20KB"], name="small")
        large = Simulator(room, ["--maker", "canon", "--size", "8MB", "--serial", "LARGE"], name="large")
        cable = Simulator(
            room, ["--maker", "canon", "--size", "8MB", "--serial", "CABLE", "--rate", CABLE], name="cable")
        daemon = Daemon(room, [small.port, large.port, cable.port], ["[web]", f'listen = "127.0.0.1:{port}"'])
        daemon.wait_until_ready(3)
        small.shoot(SHOTS)
        wait_for("the photos", lambda: daemon.saved() >= SHOTS, 600)

        def code():
            return daemon.post("/v1/web/pair", {"role": "owner"})

        figures = {}
        browser = Browser(room)
        atexit.register(browser.kill)
        browser.enter(code()["url"])
        figures |= cold(browser)
        figures |= loads(browser, address)
        figures |= scrolling(browser)
        figures["renderer_mib"] = renderer_mib(browser.profile)
        browser.end()
        print(f"  the page's renderer: {figures['renderer_mib']:.0f} MB", flush=True)
        figures |= arrivals(room, daemon, small, port, code)
        figures["burst_rates"] = {
            name: captures(name, daemon, camera, port, code)
            for name, camera in [("as fast as this computer", large), (f"over {CABLE}/s", cable)]}
        daemon.end()
        small.end()
        large.end()
        cable.end()
    return figures


def cold(browser):
    """Pictures that nobody has looked at yet."""
    start = time.monotonic()
    browser.run(f"""
        window.pictures = 0;
        (async () => {{
          const {{ id, version }} = await (await fetch('/v1/shots')).json();
          for (let index = id.length - {COLD}; index < id.length; index += 1) {{
            await (await fetch(`/v1/shots/${{id[index]}}/512?v=${{version[index]}}`)).blob();
            window.pictures += 1;
          }}
        }})()""")
    browser.wait("the pictures", f"return window.pictures === {COLD}")
    rate = COLD / (time.monotonic() - start)
    print(f"  pictures that nobody has looked at yet: {rate:.0f} a second", flush=True)
    return {"cold_pictures_per_second": rate}


def loads(browser, address):
    first, all_ = [], []
    for _ in range(LOADS):
        browser.open("about:blank")
        browser.open(address + "/")
        browser.wait("pictures", "const tiles = [...document.querySelectorAll('.tile')]; return tiles.length > 10 &&"
                     " tiles.every((tile) => tile.querySelector('img')?.naturalWidth > 0)")
        first.append(browser.run("return window.firstPicture"))
        all_.append(browser.run("return window.lastPicture"))
    print(f"  {SHOTS:,} shots: the first picture after {median(first):.0f} ms ({min(first):.0f}–{max(first):.0f}), all that are"
          f" seen after {median(all_):.0f} ms ({max(all_):.0f} at most)", flush=True)
    return {"first_picture_ms": first, "all_pictures_ms": all_}


def scrolling(browser):
    browser.run(SCROLL)
    time.sleep(SCROLL_SECONDS)
    frames = browser.wait("the end", "return window.frames_ms ?? null")
    nodes = browser.run("return document.querySelectorAll('*').length")
    print(f"  through all of them in {SCROLL_SECONDS} s: a frame takes {median(frames):.0f} ms, p95 {percentile(frames, .95):.0f},"
          f" {max(frames):.0f} at most; {nodes} elements", flush=True)
    return {"frames_ms": frames}


def arrivals(room, daemon, camera, port, code):
    """From 'saved' until the last of many pages has the picture: some in a browser, which this computer has cores for."""
    lookers = [Looker(number, port, code()["code"]) for number in range(PAGES - BROWSERS)]
    browsers = [Browser(room, (500, 700)) for _ in range(BROWSERS)]
    for page in browsers:
        atexit.register(page.kill)
        page.enter(code()["url"])
        page.wait("pictures", "return window.firstPicture !== undefined")
    last = []
    for _ in range(NEW_SHOTS):
        before = daemon.saved()
        camera.shoot(1)
        wait_for("the photo", lambda: daemon.saved() > before)
        [(shot, saved)] = daemon.read("SELECT id, saved_at FROM capture ORDER BY id DESC LIMIT 1")
        seen = [page.wait("the new one", f"return window.seen[{shot}] ?? null") for page in browsers]
        seen += [wait_for("the new one", lambda: looker.seen.get(shot)) for looker in lookers]
        last.append(max(seen) - 1000 * saved)
    for page in browsers + lookers:
        page.end()
    print(f"  a new photo on {PAGES} pages, {BROWSERS} of them in Chromium: the last has it {median(last):.0f} ms after it was"
          f" saved ({max(last):.0f} at most)", flush=True)
    return {"last_page_ms": last}


def captures(name, daemon, camera, port, code):
    """Bursts without anybody who looks, and with those who fetch each picture, in turn."""
    rates = {"without": [], "with": []}

    def burst():
        before, start = daemon.saved(), time.time()
        camera.shoot(BURST)
        wait_for("the burst", lambda: daemon.saved() >= before + BURST, 120, pause=0.02)
        return BURST / (daemon.last_saved() - start)

    burst()
    for _ in range(TURNS):
        rates["without"].append(burst())
        lookers = [Looker(number, port, code()["code"]) for number in range(PAGES)]
        time.sleep(1)
        rates["with"].append(burst())
        for looker in lookers:
            looker.end()
        time.sleep(1)
    print(f"  bursts of {BURST} x 8 MB, {name}: {median(rates['with']):.1f} photos/s with {PAGES} who look,"
          f" {median(rates['without']):.1f} without: {ratio(median(rates['with']), median(rates['without']))} times", flush=True)
    return rates
