"""The system service in the chroot of a release (`Root`), with the user, folders and socket of its unit."""

import hashlib
import json
import pathlib
import shutil
import signal
import subprocess

import photos
from chroot import Failed, Root
from waiting import until

NAME = "studio"
STATE, CAPTURES = "/var/lib/framefast", "/var/lib/framefast/captures"
_FOLDERS = {"STATE_DIRECTORY": STATE, "RUNTIME_DIRECTORY": "/run/framefast", "LOGS_DIRECTORY": "/var/log/framefast"}
_CONFIGURATION = "etc/framefast/conf.d/50-contract.toml"
_WORKER = "framefast-camera"


class Service:
    """A `framefastd` with one camera."""

    def __init__(self, root: Root, address: str, log: pathlib.Path) -> None:
        """Removes the files of earlier services, starts the service, and waits until it responds."""
        self.root, self._log = root, log
        # The program that the service starts for each camera, or `None` for the installed worker.
        self._worker_program: str | None = None
        log.unlink(missing_ok=True)
        self._restore_folders()
        (root.path / _CONFIGURATION).write_text(
            f'[capture]\nmin_free = "1 MB"\n[[camera]]\nname = "{NAME}"\naddress = "{address}"\n')
        self._start()

    def restart(self, worker_program: str) -> None:
        """Restarts the service with another program for the camera. The service keeps its files."""
        self.stop()
        self._worker_program = worker_program
        self._start()

    def _start(self) -> None:
        environment = {**_FOLDERS, "CONFIGURATION_DIRECTORY": "/etc/framefast"}
        if self._worker_program:
            environment["FRAMEFAST_CAMERA_PROGRAM"] = self._worker_program
        words = ["setpriv", "--reuid=framefast", "--regid=framefast", "--init-groups", "--inh-caps=-all", "--no-new-privs"]
        self.process = self.root.start(
            [*words, "--", "/usr/bin/framefastd"], self._log, umask=0o027, environment=environment)
        try:
            until("framefastd to respond", self.answers)
        except Failed:
            self.process.kill()
            self.process.wait()
            raise

    def _restore_folders(self) -> None:
        for path in _FOLDERS.values():
            shutil.rmtree(self.root.path / path.lstrip("/"), ignore_errors=True)
            self.root.run(["install", "-d", "-o", "framefast", "-g", "framefast", "-m", "0755", path])

    def answers(self) -> bool:
        """Returns whether the service responds. Raises `Failed` if it has ended."""
        if self.process.poll() is not None:
            raise Failed(f"framefastd ended with status {self.process.returncode}: {self.log()[-1500:]}")
        return bool(self.json("version")["daemon"])

    def log(self) -> str:
        """Returns the log of the service."""
        return self._log.read_text(errors="replace")

    def cli(self, *words, statuses=(0,)) -> str:
        """Runs `framefast` and returns its output.

        Raises `Failed` if the exit status is not in `statuses`.
        """
        return self.root.run(["/usr/bin/framefast", *words], statuses)

    def json(self, *words, statuses=(0,)) -> dict:
        """Returns the output of `framefast --json`.

        Raises `Failed` if the exit status is not in `statuses`, or if the output is not JSON.
        """
        text = self.cli("--json", *words, statuses=statuses)
        try:
            return json.loads(text)
        except ValueError:
            raise Failed(f"'framefast --json {' '.join(map(str, words))}' printed no JSON: {text[:200]}") from None

    def camera(self) -> dict:
        """Returns the camera in the form of `framefast cameras`."""
        return next(iter(self.json("cameras")["cameras"]), {})

    def until_ready(self) -> dict:
        """Waits until the camera is ready and idle, and returns it."""
        def idle_camera():
            camera = self.camera()
            operation = camera.get("operation") or {}
            return camera if camera.get("state") == "ready" and operation.get("state") != "running" else None

        try:
            return until("the camera to be ready", idle_camera)
        except Failed as failure:
            conditions = [one["sentence"] for one in self.json("status", statuses=(0, 4))["conditions"]]
            raise Failed(f"{failure}; it is {self.camera().get('state')}; conditions: {conditions}") from None

    def workers(self) -> list[int]:
        """Returns the process IDs of the camera workers."""
        return [pid for pid in children(self.root.path / "proc", self.process.pid) if self._program(pid) == _WORKER]

    def _program(self, pid: int) -> str:
        try:
            return (self.root.path / f"proc/{pid}/exe").readlink().name
        except OSError:
            return ""

    def requests(self) -> int:
        """Returns the number of requests in the call traces, which the packet taps of the camera workers write."""
        traces = (self.root.path / STATE.lstrip("/") / "cameras").glob("*/call-trace")
        # The file has two numbers of 32 bits, then the count (`CallTrace`).
        return sum(int.from_bytes(trace.read_bytes()[8:16], "little") for trace in traces)

    def files(self) -> dict[str, str]:
        """Returns the SHA-256 of each file with a final name, by its path in the chroot."""
        folder = self.root.path / CAPTURES.lstrip("/")
        found = [path for path in folder.rglob("*") if path.is_file() and ".framefast" not in path.parts]
        return {f"/{path.relative_to(self.root.path)}": hashlib.sha256(path.read_bytes()).hexdigest() for path in found}

    def until_saved(self, taken: list[str]) -> None:
        """Waits until exactly these photos are saved with their exact bytes.

        - taken: SHA-256 of each photo.
        """
        left: list[str] = []

        def are_saved() -> bool:
            records = self.json("captures", "list", "--all")["captures"]
            unfinished, wrong = photos.differences(taken, records, self.files())
            if wrong:
                raise Failed(f"[loss] {'; '.join(wrong)}")
            left[:] = unfinished
            return not unfinished

        try:
            until("the photos", are_saved)
        except Failed as failure:
            raise Failed(f"[loss] {'; '.join(left)}" if left else str(failure)) from None

    def stop(self) -> None:
        """Ends the service as systemd does. Raises `Failed` if the service keeps running or its exit status is not 0."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failed("framefastd does not end") from None
        if status:
            raise Failed(f"framefastd ended with status {status}: {self.log()[-1500:]}")


def children(proc: pathlib.Path, parent: int) -> list[int]:
    """Returns the running children of a process."""
    found = []
    for path in proc.glob("[0-9]*/stat"):
        try:
            # The name in parentheses may contain any characters.
            state, above = path.read_text(errors="replace").rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(above) == parent and state != "Z":
            found.append(int(path.parent.name))
    return sorted(found)
