"""Chromium behind chromedriver (W3C WebDriver), with a page of its own."""
import json, subprocess, urllib.request

from .machine import free_port, wait_for

# Before any of the page's own scripts: when its first picture came, and when each photo that came later was seen.
WATCH = """
window.seen = {};
document.addEventListener('load', (event) => {
  const tile = event.target.closest('.tile');
  if (!tile) return;
  window.firstPicture ??= performance.now();
  window.lastPicture = performance.now();
  window.seen[tile.dataset.id] ??= Date.now();
}, true);
"""


class Browser:
    def __init__(self, room, size=(1280, 900)):
        port = free_port()
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}"
        self.profile = str(room / f"profile-{port}")
        wait_for("chromedriver", self.answers)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     f"--window-size={size[0]},{size[1]}", f"--user-data-dir={self.profile}"]
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "acceptInsecureCerts": True,
            "goog:chromeOptions": {"binary": "/usr/bin/chromium", "args": arguments}}}})
        self.address += f"/session/{session['sessionId']}"
        self.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)

    def answers(self):
        try:
            return self.call("GET", "/status")
        except OSError:
            return None

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.address + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def command(self, name, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def run(self, script):
        return self.call("POST", "/execute/sync", {"script": script, "args": []})

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def wait(self, what, script):
        return wait_for(what, lambda: self.run(script), 120)

    def enter(self, address):
        """Opens the page with a code, and gives a name."""
        self.open(address)
        self.wait("the form", "return document.querySelector('form.pair') !== null")
        self.run("document.querySelector('[name=name]').value = 'Mia'; document.querySelector('form button').click()")
        self.wait("the page", "return document.querySelector('form.pair') === null")

    def kill(self):
        """When the run breaks off: a driver that is only killed leaves its browser behind."""
        if self.driver.poll() is None:
            self.end()

    def end(self):
        self.call("DELETE", "")
        self.driver.terminate()
        self.driver.wait()
