"""The web page of the installed service, from this computer through the guest's ssh server."""
import ipaddress, re, shlex
from rig.browser import Browser, jpeg_size
from rig.cameras import Camera
from rig.documents import Document
from rig.newcomer import DOCUMENTS
from rig.service import STATE
from .bed import connected
from .installed import hardened
from .isolation import filters

ONLY_HERE = "/etc/framefast/conf.d/rig.toml"
DOCUMENT, HEADING = "docs/web.md", "Turn the page on"
WORKER = "/usr/libexec/framefast/framefast-picture"
PORT = 9480
# The sentence of the doctor and of the log, by the value of `listen`.
SENTENCES = {
    "127.0.0.1:9480": "Only this computer can reach the web page, at http://127.0.0.1:9480.",
    "lan": "Devices in the private networks of this computer can reach the web page at port 9480 with TLS, and see photos only after they are paired.",
}
DEVICE = "Tablet"
PICTURE = (1200, 800)
SMALL = (512, 341)


def web_computer(bed):
    """the page shows a photo, stores a rating and refuses a revoked device"""
    check_page(bed, "127.0.0.1:9480", picture_camera(bed, "page1", "canon"))


def web_lan(bed):
    """the page in the local network uses TLS, and the service stays confined"""
    def check_service():
        hardened(bed)
        key = bed.guest.run(f"stat -c '%U:%G %a' {STATE}/web {STATE}/web/key.pem").split("\n")
        assert key[:2] == ["framefast:framefast 700", "framefast:framefast 600"], f"the key of the page and its folder are {key}"

    check_page(bed, "lan", picture_camera(bed, "page2", "nikon"), check_service)


def picture_camera(bed, name, maker):
    """Returns a camera whose photos can be decoded."""
    width, height = PICTURE
    return Camera(bed.guest, name, "--maker", maker, "--pictures", f"real,{width}x{height}")


def check_page(bed, listen, camera, check_service=lambda: None):
    """Turns the page on as its document describes, and uses the page with one photo."""
    guest, service = bed.guest, bed.service
    document = Document(guest.run(f"cat {DOCUMENTS}/{DOCUMENT}"))
    try:
        guest.run(f"cat > {ONLY_HERE}", input=settings(document, listen))
        guest.run(document.line("sudo systemctl restart"))
        check_reach(bed, listen)
        check_service()
        with connected(bed, camera):
            service.ask("session", "start", f"Page {listen}")
            browser = pair(bed, listen)
            camera.shoot()
            service.until_saved(camera.photos())
            shot = check_pictures(browser)
            check_worker(bed)
            check_rating(bed, browser, shot)
            assert not service.ask("web", "revoke", DEVICE)["devices"], "the revoked device is still listed"
            assert browser.get("/v1/shots").status == 401, "a revoked device can list the photos"
            service.ask("session", "stop")
    finally:
        guest.run(f"rm -f {ONLY_HERE}; systemctl restart framefastd", status=None)
        guest.until("framefast version", "the service does not answer")


def settings(document, listen):
    """Returns the settings for a value of `listen`, from the document of the page."""
    blocks = ["\n".join(block) + "\n" for block in document.blocks("toml", HEADING)]
    found = [block for block in blocks if f'listen = "{listen}"' in block]
    assert len(found) == 1, f"{DOCUMENT} has {len(found)} blocks with listen = \"{listen}\" below '{HEADING}'"
    return found[0]


def check_reach(bed, listen):
    """Checks that the doctor and the log name the devices that can reach the page, and that the service listens only for them."""
    guest, sentence = bed.guest, SENTENCES[listen]
    said = guest.run("framefast doctor --plain", status=None)
    assert sentence in said, f"‘{sentence}’ is not in what the doctor says: {said}"
    guest.until(f"journalctl -q -u framefastd -o cat | grep -F {shlex.quote(sentence)}", "the log does not name the devices that can reach the page")
    url = bed.service.until(lambda _: page_url(bed, listen), "the page is not served")
    places = listeners(guest.run(f"ss -Hlnt 'sport = :{PORT}'"))
    bed.report.add_figure(f"{url}, listening at {', '.join(map(str, places))}")
    assert places and all(is_allowed(place, listen) for place in places), f"with listen = \"{listen}\", the service listens at {places}"


def page_url(bed, listen):
    """Returns the URL of the page, or None before the service listens at its final address."""
    url = (bed.service.ask("web", "devices") or {}).get("url")
    return None if listen == "lan" and url and "//127." in url else url


def listeners(said):
    """Returns the addresses of listening sockets, from the output of `ss -Hlnt`."""
    return [ipaddress.ip_address(line.split()[3].rpartition(":")[0].strip("[]").partition("%")[0].replace("*", "::"))
            for line in said.splitlines() if line.strip()]


def is_allowed(address, listen):
    """Returns whether the service may listen at an address."""
    return address.is_loopback or listen == "lan" and address.is_private and not address.is_unspecified


def pair(bed, listen):
    """Pairs a client's browser with a new code. Checks the access of the browser before and after pairing."""
    code = bed.service.ask("web", "pair", "--role", "client")
    assert "code" in code, f"`web pair` answers {code}"
    url = code["url"].partition("/#")[0]
    browser = Browser(bed.guest.shell.reach(url.partition("//")[2]), url, code["fingerprint"])
    page = browser.get("/")
    assert page.status == 200 and b"<html" in page.body.lower(), f"the page answers {page}"
    assert browser.get("/v1/shots").status == 401, "a device that is not paired can list the photos"
    paired = browser.post("/v1/web/session", {"code": code["code"], "name": DEVICE})
    assert paired.status == 201, f"pairing answers {paired}"
    assert browser.get("/v1/status").status == 403, "a client can see the status"
    return browser


def check_pictures(browser):
    """Checks the pictures of the only shot, and returns its number."""
    shots = browser.get("/v1/shots").json["ids"]
    assert len(shots) == 1, f"the client sees the shots {shots}"
    for name, size in (("512", SMALL), ("screen", PICTURE)):
        picture = browser.get(f"/v1/shots/{shots[0]}/{name}")
        assert picture.status == 200 and picture.kind == "image/jpeg", f"the picture {name} answers {picture.status}: {picture.body[:300]!r}"
        assert jpeg_size(picture.body) == size, f"the picture {name} has {jpeg_size(picture.body)} pixels"
    return shots[0]


def check_worker(bed):
    """Checks that the picture worker runs in its own sandbox, inside the sandbox of the service."""
    worker = bed.guest.until(f"pgrep -u framefast -f {WORKER}", "no picture worker runs").split()[0]
    ours, its = (filters(bed, pid) for pid in (bed.service.main_pid(), worker))
    bed.report.add_figure(f"filters of system calls: service {ours}, picture worker {its}")
    assert its > ours, "the picture worker has no filter of system calls"
    said = bed.guest.run(f"cat /proc/{worker}/status")
    assert re.search(r"^NoNewPrivs:\s+1$", said, re.M) and re.search(r"^CapEff:\s+0+$", said, re.M), "the picture worker has privileges"


def check_rating(bed, browser, shot):
    """Rates a shot on the page, and checks the rating on the command line."""
    rated = browser.post(f"/v1/shots/{shot}/rating", {"stars": 5})
    assert rated.status == 200, f"the rating answers {rated}"
    listed = bed.service.ask("captures", "--ratings")["shots"]
    opinions = [(by["author"], by["role"], by["stars"]) for entry in listed if entry["id"] == shot for by in entry["opinions"]]
    assert opinions == [(DEVICE, "client", 5)], f"`captures --ratings` lists {opinions}"
