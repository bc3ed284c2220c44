"""Installs the requirements of a run before its tests: packages, servers, libraries.

A failure of the network or apt ends with status 75, a defect in a file of the repository with status 1.
"""

import contextlib
import os
import re
import signal
import subprocess
import time

from parts import ROOT

INFRASTRUCTURE = 75
# The messages of `swift package resolve` for conflicting or missing versions, and for network failures.
_WRONG_MANIFEST = re.compile(r"could not be resolved|\bdepends on\b")
_NETWORK = re.compile(r"Could not resolve host|unable to access|Failed to (clone|connect)|timed out", re.IGNORECASE)


class Stop(Exception):
    """Ends the gate with an exit status."""

    def __init__(self, status: int, sentence: str = "") -> None:
        super().__init__(sentence)
        self.status = status


def install(environment: dict[str, str], run=subprocess.run) -> None:
    """Installs packages.

    Raises `Stop` with the status of the script: 75 if the network or apt is the cause.
    """
    status = run(["scripts/prepare", "--tests"], cwd=ROOT, env=environment).returncode
    if status:
        raise Stop(status)


class Servers:
    """The installation of the servers for tests. It mostly waits for the network, so it runs during the build."""

    def __init__(self, environment: dict[str, str], command: tuple[str, ...] = ("scripts/prepare-test-servers",)) -> None:
        """Starts the installation."""
        # sudo must not ask for a password, because it has no terminal.
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)

    def wait(self) -> None:
        """Waits until the installation ends.

        Raises `Stop` with the status of the script: 75 if the network or apt is the cause.
        """
        if status := self._process.wait():
            raise Stop(status)

    def close(self) -> None:
        """Cancels an incomplete installation. The next run repeats it."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait()


def resolve(environment: dict[str, str], run=subprocess.run, sleep=time.sleep) -> None:
    """Fetches the libraries that Package.swift names, in up to three attempts.

    Raises `Stop`: with 75 if a library cannot be fetched, with 1 if Package.swift itself is wrong.
    """
    output = ""
    for attempt in range(1, 4):
        done = run(
            ["swift", "package", "resolve"], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )
        if done.returncode == 0:
            return
        output = done.stdout
        if run(["swift", "package", "dump-package"], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL).returncode:
            raise Stop(1, "Package.swift cannot be read: see the lines above")
        if _WRONG_MANIFEST.search(output) and not _NETWORK.search(output):
            print(output)
            raise Stop(1, "Package.swift requires versions that do not exist or conflict: see the lines above")
        if attempt < 3:
            sleep(attempt * 5)
    print(output)
    raise Stop(
        INFRASTRUCTURE,
        "INFRASTRUCTURE: cannot fetch the libraries of Package.swift in three attempts: check the network, then try again.",
    )
