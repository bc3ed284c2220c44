"""A copy of the repository, in which the mutations are built."""

import contextlib
import fcntl
import os
import shutil
import signal
import subprocess
from pathlib import Path

from mutation import ROOT

FOLDER = ROOT / ".build-mutate"
# Selects the versions of the libraries. git ignores this file.
_VERSIONS = "Package.resolved"
# The time that a build may take to end after SIGTERM, in seconds.
_END_SECONDS = 10.0


class Cannot(Exception):
    """A step failed, with the reason and the next step as sentences."""


class Tree:
    """A copy of the repository with its build. The copy stays for the next run, whose first build is then short."""

    def __init__(self, folder: Path = FOLDER, root: Path = ROOT) -> None:
        """Creates the folder of the copy.

        - folder: The folder of the copy and the logs. git must ignore the folder.
        - root: The repository.
        """
        self._folder, self._root = folder, root
        self.path = folder / "tree"
        self.path.mkdir(parents=True, exist_ok=True)

    @contextlib.contextmanager
    def locked(self):
        """Excludes other runs until the end of the context.

        Raises `Cannot` if another run uses the copy.
        """
        with open(self._folder / "lock", "w", encoding="utf-8") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Cannot(f"Another run uses {self._folder}. Wait until it ends.") from None
            yield

    def log(self, name: str) -> Path:
        """Returns the path of the log of a build."""
        return self._folder / f"{name}.log"

    def update(self) -> None:
        """Copies the files of the repository that git does not ignore, also changed and new files. Copies
        `Package.resolved` only if the copy does not have it.

        An unchanged file keeps its modification time, so the build does not compile it again. The update also reverts a
        mutation that a killed run left behind.
        """
        wanted = self._names()
        if (self._root / _VERSIONS).is_file() and not (self.path / _VERSIONS).exists():
            wanted.append(_VERSIONS)
        for name in wanted:
            source, copy = self._root / name, self.path / name
            if copy.is_file() and copy.read_bytes() == source.read_bytes():
                continue
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            shutil.copymode(source, copy)
        for name in self._copied() - set(wanted) - {_VERSIONS}:
            (self.path / name).unlink()

    def _names(self) -> list[str]:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        found = subprocess.run(command, cwd=self._root, capture_output=True)
        if found.returncode:
            raise Cannot(f"git cannot list the files of {self._root}: {found.stderr.decode(errors='replace').strip()}")
        names = found.stdout.decode().split("\0")
        return [name for name in names if name and (self._root / name).is_file()]

    def _copied(self) -> set[str]:
        found = set()
        for folder, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if not name.startswith(".build")]
            found |= {os.path.relpath(os.path.join(folder, name), self.path) for name in files}
        return found

    def build(self, name: str) -> Path | None:
        """Builds the simulation in the copy, with the options of scripts/simulate.

        - name: The name of the log.
        - Returns: The program, or `None` if the build failed.
        """
        with open(self.log(name), "wb") as log, _program([self.path / "scripts/simulate", "--build"], log) as process:
            printed = process.stdout.read().decode().split("\n")
            if process.wait():
                return None
        return Path(printed[-2])

    def copy_program(self, program: Path, name: str) -> Path:
        """Copies a program, because the next build replaces it."""
        return Path(shutil.copy2(program, self._folder / name))


@contextlib.contextmanager
def _program(command: list, log):
    """Starts a program with its own process group, and ends the group at the end of the context."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, start_new_session=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
