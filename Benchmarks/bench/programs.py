"""The service, a simulated camera and gphoto2, started for one measurement."""
import ctypes, hashlib, json, os, re, signal, socket, sqlite3, struct, subprocess, threading, time

from . import root
from .machine import BIN, children, cpu_seconds, wait_for

READY_SECONDS_MAX = 120


class Simulator:
    def __init__(self, scratch, arguments, name="sim"):
        self.log = scratch / f"{name}.log"
        self.control = scratch / f"{name}.ctl"
        command = [
            BIN / "framefast-simcam", "--listen", "127.0.0.1:0", "--wait-for-client", "--control", self.control, *arguments]
        self.process = subprocess.Popen(command, stdout=self.log.open("w"), stderr=subprocess.STDOUT)
        found = wait_for("the simulator", lambda: re.search(r"listening on 127\.0\.0\.1:(\d+)", self.log.read_text()))
        self.port = int(found[1])

    def say(self, line):
        """Sends a command to the control socket and returns the reply."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.control))
            connection.sendall(f"{line}\n".encode())
            answer = b""
            while not re.search(rb"^(ok|error).*\n\Z", answer, re.MULTILINE):
                answer += connection.recv(1 << 20)
        if answer.startswith(b"error"):
            raise SystemExit(f"bench: the simulator: {answer.decode().strip()}")
        return answer.decode().removeprefix("ok").strip()

    def shoot(self, photos):
        """Takes photos as fast as possible. Returns `False` if a client has locked the body's shutter."""
        return int(self.say(f"burst {photos} 0")) == photos

    def statistics(self):
        return json.loads(self.say("stats"))

    def requests(self):
        """Returns the number of requests so far."""
        return sum(self.statistics()["requests"].values())

    def end(self):
        self.process.kill()
        self.process.wait()


class Daemon:
    """A running framefastd with network cameras."""

    def __init__(self, scratch, cameras=(), tables=(), log_level="warning"):
        """Starts the program, and waits until its socket accepts connections.

        - cameras: The ports of the cameras on 127.0.0.1.
        - tables: Additional lines of the configuration file.
        """
        self.scratch, self.socket, config = scratch, scratch / "ff.sock", scratch / "ff.toml"
        lines = ["[capture]", f'directory = "{scratch}/captures"', 'min_free = "1 MiB"', "[log]", f'level = "{log_level}"']
        for index, port in enumerate(cameras):
            lines += ["[[camera]]", f'name = "cam{index}"', f'address = "ptpip:127.0.0.1:{port}"']
        config.write_text("\n".join([*lines, *tables]) + "\n")
        self.socket.unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [BIN / "framefastd", "--config", config, "--state-dir", scratch / "state", "--socket", self.socket],
            stdout=subprocess.DEVNULL, stderr=(scratch / "daemon.log").open("a"), **root.options())
        wait_for("framefastd", self.listens, pause=0.002)
        self.ledger = None

    def listens(self):
        if self.process.poll() is not None:
            raise SystemExit(f"bench: framefastd ended: {(self.scratch / 'daemon.log').read_text()}")
        with socket.socket(socket.AF_UNIX) as connection:
            return connection.connect_ex(str(self.socket)) == 0

    def wait_until_ready(self, cameras=1):
        wait_for(f"{cameras} ready cameras", lambda: cameras == sum(
            camera["state"] == "ready" for camera in self.get("/v1/cameras")["cameras"]), READY_SECONDS_MAX, pause=0.1)

    def workers(self):
        return children(self.process.pid)

    def cpu_seconds(self):
        """Returns the user and system time of the service and its workers, in seconds."""
        return cpu_seconds(self.process.pid) + sum(map(cpu_seconds, self.workers()))

    def read(self, query, *values):
        """Returns rows of the ledger. During a measurement, requests to the service would cost it time."""
        if self.ledger is None:
            self.ledger = sqlite3.connect(self.scratch / "state/ledger.sqlite")
        return self.ledger.execute(query, values).fetchall()

    def saved(self):
        """Returns the number of saved photos, which are hashed, checked, fsynced, renamed and recorded."""
        return self.read("SELECT count(*) FROM capture WHERE state = 'saved'")[0][0]

    def hashes_of_files(self):
        """Returns the SHA-256 of each file in the folder of photos, without the service's own folder."""
        files = [path for path in (self.scratch / "captures").rglob("*") if path.is_file() and ".framefast" not in path.parts]
        hashes = []
        for path in files:
            with path.open("rb") as file:
                hashes.append(hashlib.file_digest(file, "sha256").hexdigest())
        return hashes

    def latencies(self, since):
        """Returns the milliseconds from announcement to save of each photo that was announced at or after `since`."""
        return [1000 * seconds for seconds, in self.read(
            "SELECT saved_at - detected_at FROM capture WHERE state = 'saved' AND detected_at >= ? ORDER BY id", since)]

    def latencies_of_burst(self, since):
        """Returns the milliseconds from the first announcement at or after `since` to the save of each photo since then.

        One poll finds all photos of a burst, or some of them. The time of the first announcement does not depend on this.
        """
        return [1000 * seconds for seconds, in self.read(
            "SELECT saved_at - min(detected_at) OVER () FROM capture WHERE state = 'saved' AND detected_at >= ? ORDER BY id",
            since)]

    def transfer_period(self, since):
        """Returns the times of the first announcement at or after `since`, and of the last save of a photo announced since then."""
        return self.read(
            "SELECT min(detected_at), max(saved_at) FROM capture WHERE state = 'saved' AND detected_at >= ?", since)[0]

    def last_saved(self):
        """Returns the time of the last saved photo, in seconds since 1970."""
        return self.read("SELECT max(saved_at) FROM capture")[0][0]

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body=None):
        return self.request("POST", path, b"" if body is None else json.dumps(body).encode())

    def patch(self, path, body):
        return self.request("PATCH", path, json.dumps(body).encode())

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
        if self.ledger:
            self.ledger.close()
        self.process.terminate()
        self.process.wait()


class GPhoto2:
    """'gphoto2 --capture-tethered', which is stopped (SIGSTOP) while the other program is measured.

    `--keep` leaves the photos on the camera, as framefastd does. Without this option, gphoto2 deletes each photo.
    """

    def __init__(self, scratch, port):
        self.folder = scratch / "gphoto2"
        self.folder.mkdir()
        self.watch = FolderWatch(self.folder)
        self.process = subprocess.Popen(
            ["gphoto2", "--quiet", "--port", f"ptpip:127.0.0.1:{port}:{port}", "--filename", "%f.%C", "--force-overwrite",
             "--keep", "--capture-tethered"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(scratch)}, **root.options(self.folder))

    def cpu_seconds(self):
        return cpu_seconds(self.process.pid)

    def suspend(self):
        self.process.send_signal(signal.SIGSTOP)
        # The kernel must not write this program's data during the measurement of the next program.
        for file in self.watch.take_new():
            descriptor = os.open(self.folder / file, os.O_RDONLY)
            os.fsync(descriptor)
            os.close(descriptor)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def end(self):
        self.process.kill()
        self.process.wait()


class FolderWatch:
    """Records the time at which each file in a folder is closed after writing or moved in (inotify)."""

    def __init__(self, folder):
        libc = ctypes.CDLL(None, use_errno=True)
        self.descriptor = libc.inotify_init1(0)
        libc.inotify_add_watch(self.descriptor, os.fsencode(folder), 0x8 | 0x80)  # IN_CLOSE_WRITE | IN_MOVED_TO
        self.times, self.taken = {}, set()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while data := os.read(self.descriptor, 65536):
            now, offset = time.time(), 0
            while offset < len(data):
                _, _, _, length = struct.unpack_from("iIII", data, offset)
                name = data[offset + 16:offset + 16 + length].rstrip(b"\0").decode(errors="replace")
                if not name.startswith("tmpfile"):  # gphoto2's temporary file, which it renames when the file is complete
                    self.times[name] = now
                offset += 16 + length

    def take_new(self):
        """Returns the new names since the last call."""
        new = set(self.times) - self.taken
        self.taken |= new
        return new
