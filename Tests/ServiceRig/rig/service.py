"""framefastd in the guest: its status, its ledger and its files."""
import json, re, shlex, time

STATE = "/var/lib/framefast"
CAPTURES = f"{STATE}/captures"
LEDGER = f"{STATE}/ledger.sqlite"
METRICS_REQUEST = r"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


class Service:
    def __init__(self, guest):
        self.guest = guest

    def ask(self, *words):
        """Runs the command line and returns its JSON output."""
        return json.loads(self.guest.run("framefast --json " + " ".join(map(shlex.quote, words)), status=None).strip() or "null")

    def status(self):
        return self.ask("status")

    def main_pid(self):
        return int(self.guest.run("systemctl show -P MainPID framefastd"))

    def until(self, look, what, seconds=120):
        """Polls the status until `look` returns a true value, and returns that value."""
        deadline = time.monotonic() + seconds * 2
        while True:
            status = self.status()
            if status and "state" in status and (found := look(status)):
                return found
            if time.monotonic() > deadline:
                cameras = [(c["name"], c["state"], c.get("mode")) for c in (status or {}).get("cameras", [])]
                conditions = [c["sentence"] for c in (status or {}).get("conditions", [])]
                raise AssertionError(f"{what} (waited {seconds * 2} s); cameras {cameras}, conditions {conditions}")
            time.sleep(0.5)

    def until_camera(self, serial, state="ready", seconds=120):
        def look(status):
            return next((c for c in status["cameras"] if (c["serial"] or "").upper() == serial.upper() and c["state"] == state), None)
        return self.until(look, f"the camera {serial} is not {state}", seconds)

    def until_condition(self, code, seconds=120):
        return self.until(lambda status: next((c for c in status["conditions"] if c["code"] == code), None),
                          f"no condition {code}", seconds)

    def until_no_condition(self, code, seconds=120):
        self.until(lambda status: all(c["code"] != code for c in status["conditions"]), f"the condition {code} stays", seconds)

    def records(self):
        """Returns the ledger's rows, by the number of the capture."""
        said = self.guest.run(f"sqlite3 -json {LEDGER} 'SELECT id, name, state, path, bytes, sha256 FROM capture'").strip()
        return {row["id"]: row for row in json.loads(said or "[]")}

    def until_saved(self, wanted, seconds=240):
        """Waits until all these photos (by SHA-256) are saved, and returns the records."""
        wanted = set(wanted)
        deadline = time.monotonic() + seconds * 2
        while True:
            records = self.records()
            saved = {row["sha256"] for row in records.values() if row["state"] == "saved"}
            if wanted <= saved:
                return records
            if time.monotonic() > deadline:
                states = sorted({row["state"] for row in records.values()})
                raise AssertionError(f"[loss] {len(wanted - saved)} of {len(wanted)} photos are not saved after {seconds * 2} s (states {states})")
            time.sleep(0.5)

    def check_files(self, records, captures=CAPTURES):
        """Checks that every saved record of this folder has its exact bytes on disk, and that no other file has a final name there."""
        lines = self.guest.run(f"find {captures} -path '*/.framefast' -prune -o -type f -exec sha256sum {{}} +").splitlines()
        on_disk = {line[66:]: line[:64] for line in lines}
        saved = {row["path"]: row["sha256"] for row in records.values()
                 if row["state"] == "saved" and row["path"].startswith(f"{captures}/")}
        assert on_disk == saved, f"files and records differ: {set(on_disk.items()) ^ set(saved.items())}"
        return saved

    def metric(self, name, **labels):
        """Returns the sum of a metric's samples with these labels. The service counts from its start."""
        said = self.guest.run(f"printf '{METRICS_REQUEST}' | nc -U /run/framefast/framefast.sock").replace("\r", "")
        wanted = [f'{label}="{value}"' for label, value in labels.items()]
        samples = re.findall(rf"^{name}(?:{{([^}}]*)}})? (\S+)$", said, re.M)
        return sum(float(value) for own, value in samples if all(pair in own.split(",") for pair in wanted))

    def journal(self, lines=30):
        return self.guest.run(f"journalctl -q --no-pager -u framefastd -n {lines}", status=None)
