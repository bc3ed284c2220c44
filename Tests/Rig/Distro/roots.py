"""The root file system of a release. debootstrap creates a base root, and each run uses a new copy of the base root."""

import hashlib
import itertools
import os
import pathlib
import shutil
import sys
import time

from store import STORE, Cannot, archive, retried, run
from suites import Suite

# A base root is created again after this time, because Debian testing changes daily.
BASE_SECONDS_MAX = 7 * 24 * 3600
_SCRIPTS = pathlib.Path("/usr/share/debootstrap/scripts")
_INSIDE = pathlib.Path(__file__).with_name("inside.py")


class Roots:
    """The roots of one release below the store."""

    def __init__(self, suite: Suite, store: pathlib.Path = STORE) -> None:
        self.suite = suite
        self.folder = store / suite.name
        self.base, self.root = self.folder / "base", self.folder / "root"
        self.archives, self.logs = self.folder / "archives", self.folder / "logs"
        self._stamp = self.folder / "base.recipe"

    def is_fresh(self, recipe: str, now: float) -> bool:
        """Returns whether the base has this recipe and is not outdated.

        - recipe: A checksum of the release, its archive and the settings of apt.
        - now: The current time, in seconds since 1970.
        """
        try:
            age = now - self._stamp.stat().st_mtime
            return self.base.is_dir() and self._stamp.read_text() == recipe and abs(age) < BASE_SECONDS_MAX
        except OSError:
            return False

    def make(self, say=print) -> pathlib.Path:
        """Creates a new root from the base. Creates the base first if it is missing, outdated or has another recipe.

        Raises `Unreachable` if the archive cannot be reached.
        """
        address, lines = archive.mirror(archive.index_targets()), archive.settings(archive.dump())
        recipe = hashlib.sha256(f"{self.suite.name} {address} {lines}".encode()).hexdigest()
        if not self.is_fresh(recipe, time.time()):
            say(f"Creating a root of {self.suite.title} ({self.suite.name}) …")
            self._stamp.unlink(missing_ok=True)
            retried(lambda: self._bootstrap(address, lines), f"download {self.suite.title}", say)
            self._stamp.write_text(recipe)
        remove(self.root)
        run("cp", "--archive", "--reflink=auto", self.base, self.root)
        return self.root

    def _bootstrap(self, address: str, lines: list[str]) -> None:
        fresh = self.folder / "base.part"
        remove(fresh)
        remove(self.base)
        fresh.mkdir(parents=True)
        # An older debootstrap has no script for a newer release. The script for sid works for the newer release.
        script = _SCRIPTS / self.suite.name
        run(
            "debootstrap", "--variant=minbase", self.suite.name, fresh, address, script if script.exists() else _SCRIPTS / "sid",
            env={**os.environ, **archive.proxies(lines)})
        (fresh / "etc/apt/apt.conf.d/90distro-test").write_text("\n".join(['Acquire::Languages "none";', *lines]) + "\n")
        # The root need not survive a power failure.
        (fresh / "etc/dpkg/dpkg.cfg.d/90distro-test").write_text("force-unsafe-io\n")
        inside("update", fresh)
        fresh.rename(self.base)

    def install(self, package: pathlib.Path, say=print) -> None:
        """Installs a package with its dependencies in the root with apt.

        Raises `Unreachable` if the archive cannot be reached, `Cannot` if the package cannot be installed.
        """
        self.archives.mkdir(exist_ok=True)
        shutil.copy(package, self.root / "var/tmp/framefast.deb")
        attempts = itertools.count()

        def attempt() -> None:
            # The package lists of the base may contain versions that the archive has replaced.
            if next(attempts):
                inside("update", self.root)
            inside("install", self.root, self.archives)

        retried(attempt, f"install the package on {self.suite.title}", say)


def inside(*words, network: bool = True, **options) -> str:
    """Runs inside.py with private mounts and processes, which end with the program.

    - network: Whether the program has the network of this machine, or only a loopback interface.
    """
    own = ["--mount", "--pid", "--kill-child", *([] if network else ["--net"])]
    return run("unshare", *own, sys.executable, "-B", _INSIDE, *words, **options)


def remove(folder: pathlib.Path) -> None:
    """Removes a root.

    Raises `Cannot` if a file system is mounted below the root, because its files would be removed, too.
    """
    place = str(folder.resolve())
    points = [line.split()[4] for line in pathlib.Path("/proc/self/mountinfo").read_text().splitlines()]
    if any(point == place or point.startswith(f"{place}/") for point in points):
        raise Cannot(f"something is mounted below {place}: unmount it, then try again")
    if folder.exists():
        shutil.rmtree(folder)
