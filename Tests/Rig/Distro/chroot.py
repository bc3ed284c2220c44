"""Programs in the root of a release. inside.py calls this module with private mount, PID and maybe network namespaces."""

import fcntl
import os
import pathlib
import socket
import struct
import subprocess

ENVIRONMENT = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", "TERM": "dumb",
}
# The device nodes that programs expect, without the cameras of this machine.
_NODES = ("null", "zero", "full", "random", "urandom", "tty")
# The time limit of a program, in seconds. It only prevents a test that never finishes.
SECONDS_MAX = 600


class Failed(Exception):
    """A check that failed, or a program with an unexpected exit status."""


class Root:
    """A directory that is the root directory of the programs in it."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path.resolve()

    def mount(self) -> None:
        """Mounts the file systems that programs expect. Without /sys, programs find no USB."""
        mount("-t", "proc", "proc", self.path / "proc")
        for name in ("dev", "run"):
            mount("-t", "tmpfs", "-o", "mode=0755", "tmpfs", self.path / name)
        for name in _NODES:
            (self.path / "dev" / name).touch()
            mount("--bind", f"/dev/{name}", self.path / "dev" / name)
        for name, target in (("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
            (self.path / "dev" / name).symlink_to(target)
        (self.path / "dev/shm").mkdir(mode=0o1777)

    def words(self, words) -> list[str]:
        """Returns the command line that runs these words in the root."""
        return ["chroot", str(self.path), *map(str, words)]

    def run(self, words, statuses=(0,), seconds: float = SECONDS_MAX) -> str:
        """Runs a program to its end and returns its standard output.

        - statuses: The expected exit statuses.

        Raises `Failed` for another exit status, or if the program exceeds its time limit.
        """
        line = " ".join(map(str, words))
        try:
            done = subprocess.run(
                self.words(words), env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Failed(f"'{line}' does not end in {seconds:.0f} s") from None
        output, errors = (text.decode(errors="replace").strip() for text in (done.stdout, done.stderr))
        if done.returncode not in statuses:
            said = "\n".join(f"{errors}\n{output}".strip().splitlines()[-20:])
            raise Failed(f"'{line}' ended with status {done.returncode}: {said}")
        return output

    def start(self, words, log: pathlib.Path, **options) -> subprocess.Popen:
        """Starts a program. Its output is appended to a file outside the root."""
        with log.open("ab") as output:
            return subprocess.Popen(
                self.words(words), env={**ENVIRONMENT, **options.pop("environment", {})}, stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, **options)


def mount(*words) -> None:
    """Mounts a file system."""
    subprocess.run(["mount", *map(str, words)], check=True)


def raise_loopback() -> None:
    """Makes 127.0.0.1 reachable in a new network namespace."""
    get_flags, set_flags, up = 0x8913, 0x8914, 0x1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, get_flags, request))[1]
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", flags | up))


def connect(root: Root, path: str) -> socket.socket:
    """Connects to a Unix socket in the root, even if its full path is too long for a socket address."""
    connection = socket.socket(socket.AF_UNIX)
    folder = os.open(root.path / path.lstrip("/").rpartition("/")[0], os.O_RDONLY | os.O_DIRECTORY)
    try:
        connection.connect(f"/proc/self/fd/{folder}/{path.rpartition('/')[2]}")
    except OSError:
        connection.close()
        raise
    finally:
        os.close(folder)
    return connection
