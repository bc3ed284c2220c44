"""Commands in the guest, over one persistent ssh connection."""
import os, shlex, subprocess, time
from .machine import die_with_parent
from .place import Cannot

COMMAND_SECONDS = 300


class Failed(Exception):
    """A command in the guest that ended with an unexpected status."""

    def __init__(self, command, status, said):
        super().__init__(f"‘{command}’ ended with {status}: {said.strip()[-1500:]}")
        self.status, self.said = status, said


class Shell:
    def __init__(self, image, folder, port):
        self.folder = folder
        self.socket = f"{folder}/ssh"
        self.options = ["-q", "-F", "none", "-i", str(image.key), "-p", str(port), "-o", f"ControlPath={self.socket}",
                        "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR",
                        "-o", "ServerAliveInterval=30", "-o", "StreamLocalBindUnlink=yes"]
        self.master = None

    def open(self, patience=120):
        """Connects to the guest, whose ssh server is ready."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            self.close()
            self.master = subprocess.Popen(["ssh", *self.options, "-M", "-N", "root@127.0.0.1"], stdin=subprocess.DEVNULL,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
            while self.master.poll() is None and time.monotonic() < deadline:
                if os.path.exists(self.socket):
                    return
                time.sleep(0.05)
        raise Cannot("ssh into the guest does not work, although its server answers: the key may belong to another image. Delete the image in FRAMEFAST_RIG_CACHE (~/.cache/framefast/service-rig)")

    def close(self):
        if self.master:
            self.master.kill()
            self.master.wait()
            self.master = None
        if os.path.exists(self.socket):
            os.unlink(self.socket)

    def words(self, command):
        return ["ssh", *self.options, "root@127.0.0.1", command]

    def run(self, command, status=0, input=None, seconds=COMMAND_SECONDS):
        """Runs a shell command in the guest, and returns its output, including errors.

        status: the required exit status, or None for any."""
        data = input if input is None or isinstance(input, bytes) else input.encode()
        done = subprocess.run(self.words(f"{{ {command}\n}} 2>&1"), input=data, stdin=None if data is not None else subprocess.DEVNULL,
                              capture_output=True, timeout=seconds)
        said = done.stdout.decode(errors="replace")
        if status is not None and done.returncode != status:
            raise Failed(command, done.returncode, said)
        return said

    def status(self, command):
        """Returns the exit status of a shell command."""
        return subprocess.run(self.words(command), stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS).returncode

    def forward(self, port, target):
        """Forwards a port of the guest's loopback interface to a port of this computer, until the ssh connection ends."""
        self.add_forward("-R", f"127.0.0.1:{port}:127.0.0.1:{target}")

    def reach(self, target):
        """Forwards a Unix socket of this computer to an address of the guest, for example `127.0.0.1:9480`.

        The forwarding ends with the ssh connection. Returns the path of the socket."""
        path = f"{self.folder}/{target.replace(':', '-')}"
        self.add_forward("-L", f"{path}:{target}")
        return path

    def add_forward(self, direction, ends):
        words = ["ssh", *self.options, "-O", "forward", direction, ends, "root@127.0.0.1"]
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_SECONDS)
        if done.returncode:
            raise Cannot(f"cannot forward {ends} through ssh: {done.stderr.decode().strip()}")

    def put(self, source, target):
        with open(source, "rb") as file:
            done = subprocess.run(self.words(f"cat > {shlex.quote(target)}"), stdin=file, capture_output=True)
        if done.returncode:
            raise Cannot(f"cannot copy {source} into the guest: {done.stderr.decode()}")
