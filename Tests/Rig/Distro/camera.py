"""A simulated camera that runs in the chroot (`Root`) of a Debian release, and uses the network of that chroot."""

import json
import pathlib
import re
import subprocess

import chroot
from chroot import Failed, Root
from waiting import until

_FOLDER = "/tmp/cameras"
# Every shot is a RAW file and a JPEG.
_OPTIONS = ("--pairs", "--size", "60KB-200KB")


class Camera:
    """A running `framefast-simcam`."""

    def __init__(self, root: Root, maker: str, log: pathlib.Path) -> None:
        """Starts a camera and waits until it listens.

        - maker: The name of the maker for `framefast-simcam --maker`.
        """
        self._root, self._control, self._truth = root, f"{_FOLDER}/{maker}.ctl", f"{_FOLDER}/{maker}.truth"
        (root.path / _FOLDER.lstrip("/")).mkdir(parents=True, exist_ok=True)
        words = [
            "/usr/bin/framefast-simcam", "--listen", "127.0.0.1:0", "--maker", maker, "--serial", f"DISTRO-{maker}",
            "--control", self._control, "--truth", self._truth, *_OPTIONS]
        log.unlink(missing_ok=True)
        # The simulator appends to this file.
        (root.path / self._truth.lstrip("/")).unlink(missing_ok=True)
        self.process = root.start(words, log)

        def listening():
            if self.process.poll() is not None:
                raise Failed(f"the simulated camera ended: {log.read_text(errors='replace')[-500:]}")
            return re.search(r"listening on 127\.0\.0\.1:(\d+)", log.read_text(errors="replace"))

        self.address = f"ptpip:127.0.0.1:{until('the simulated camera to listen', listening)[1]}"

    def say(self, line: str) -> str:
        """Sends a command to the control socket and returns the reply.

        Raises `Failed` if the answer is an error.
        """
        answer = b""
        with chroot.connect(self._root, self._control) as connection:
            connection.settimeout(60)
            connection.sendall(f"{line}\n".encode())
            while not re.search(rb"^(ok|error).*\n\Z", answer, re.MULTILINE):
                part = connection.recv(1 << 20)
                if not part:
                    raise Failed(f"the simulated camera closes its socket at '{line}'")
                answer += part
        if answer.startswith(b"error"):
            raise Failed(f"the simulated camera: {answer.decode().strip()}")
        return answer.decode().removeprefix("ok").strip()

    def taken(self) -> list[str]:
        """Returns the SHA-256 of each created file, including files that were deleted from the card."""
        # The camera writes the truth file in the background. It replies to `stats` when the file is complete.
        self.say("stats")
        lines = (self._root.path / self._truth.lstrip("/")).read_text().splitlines()
        return [json.loads(line)["sha256"] for line in lines]

    def controls(self) -> dict[str, int]:
        """Returns the settings of the body as numbers, by property."""
        return json.loads(self.say("controls"))

    def shutter(self) -> dict:
        """Returns the state of the shutter: `open`, `opened_ns` and `closed_ns`. An EOS also has `button`."""
        return json.loads(self.say("bulb-state"))

    def stop(self) -> None:
        """Ends the camera."""
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
