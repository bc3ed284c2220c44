"""The service and the camera that is not there, started for one measurement."""
import json, re, socket, subprocess

from .machine import BIN, wait_for


class Simulator:
    def __init__(self, room, arguments, truth=False, name="sim"):
        self.log = room / f"{name}.log"
        self.truth_file = room / f"{name}.truth"
        command = [BIN / "framefast-simcam", "--listen", "127.0.0.1:0", "--wait-for-client", *arguments]
        if truth:
            command += ["--truth", self.truth_file]
        self.process = subprocess.Popen(command, stdout=self.log.open("w"), stderr=subprocess.STDOUT)
        found = wait_for("the simulator", lambda: re.search(r"listening on 127\.0\.0\.1:(\d+)", self.log.read_text()))
        self.port = int(found[1])

    def shutter_times(self):
        """Name on the card -> seconds since 1970 when the shutter was pressed."""
        lines = [json.loads(line) for line in self.truth_file.read_text().splitlines()]
        return {line["name"]: line["host_ms"] / 1000 for line in lines}

    def end(self):
        self.process.kill()
        self.process.wait()


class Daemon:
    """framefastd with cameras by port, and further lines of its configuration."""

    def __init__(self, room, cameras=(), tables=()):
        self.room, self.socket, config = room, room / "ff.sock", room / "ff.toml"
        lines = ["[capture]", f'directory = "{room}/captures"', 'min_free = "1 MiB"', "[log]", 'level = "warning"']
        for index, port in enumerate(cameras):
            lines += ["[[camera]]", f'name = "cam{index}"', f'address = "ptpip:127.0.0.1:{port}"']
        config.write_text("\n".join([*lines, *tables]) + "\n")
        self.socket.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [BIN / "framefastd", "--config", config, "--state-dir", room / "state", "--socket", self.socket],
            stdout=subprocess.DEVNULL, stderr=(room / "daemon.log").open("w"))
        wait_for("framefastd", self.listens, pause=0.002)

    def listens(self):
        if self.process.poll() is not None:
            raise SystemExit(f"bench: framefastd ended: {(self.room / 'daemon.log').read_text()}")
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(str(self.socket)) == 0

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body):
        return self.request("POST", path, json.dumps(body).encode())

    def request(self, method, path, body=b""):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.socket))
            head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
            connection.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
            answer = b""
            while data := connection.recv(1 << 20):
                answer += data
        head, body = answer.split(b"\r\n\r\n", 1)
        if b"chunked" in head.lower():
            chunks, rest = b"", body
            while rest:
                size, rest = rest.split(b"\r\n", 1)
                length = int(size, 16)
                chunks, rest = chunks + rest[:length], rest[length + 2:]
            body = chunks
        return json.loads(body)

    def end(self):
        self.process.terminate()
        self.process.wait()
