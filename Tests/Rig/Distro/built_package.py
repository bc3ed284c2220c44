"""The Debian package of this checkout."""

import datetime
import pathlib
import subprocess

from store import ROOT, Cannot, run

FOLDER = ROOT / "packaging/out"
# A .deb starts with 8 bytes of magic, the member name `debian-binary` in 16 bytes, and its time in 12 bytes.
_MAGIC, _TIME = b"!<arch>\ndebian-binary", slice(24, 36)


def seconds(package: pathlib.Path) -> int:
    """Returns the time of the commit that a package was built from, in seconds since 1970.

    Raises `Cannot` if the file is not a package.
    """
    head = package.read_bytes()[:64] if package.is_file() else b""
    if not head.startswith(_MAGIC):
        raise Cannot(f"{package} is not a Debian package")
    return int(head[_TIME])


def newest(folder: pathlib.Path, architecture: str) -> pathlib.Path | None:
    """Returns the package that was built last, or `None` if the folder has no package."""
    found = sorted(folder.glob(f"framefast_*_{architecture}.deb"), key=lambda path: path.stat().st_mtime)
    return found[-1] if found else None


def package(given: pathlib.Path | None, say=print) -> pathlib.Path:
    """Returns the given package, or the package of the current commit. Builds a missing package.

    Raises `Cannot` if the build fails or the given file is not a package.
    """
    if given:
        seconds(given)
        return given.resolve()
    architecture = run("dpkg", "--print-architecture").strip()
    found = newest(FOLDER, architecture)
    if found and seconds(found) == _commit_seconds():
        return found
    say("Building the package, which takes some minutes …")
    if subprocess.run([ROOT / "scripts/package"], cwd=ROOT).returncode:
        raise Cannot("cannot build the package: see the lines above")
    return newest(FOLDER, architecture)


def origin(package: pathlib.Path) -> str:
    """Returns a description of the package's origin: the current commit, or the time of another commit."""
    if seconds(package) == _commit_seconds():
        return f"commit {run('git', '-C', ROOT, 'describe', '--always', '--dirty').strip()}"
    time = datetime.datetime.fromtimestamp(seconds(package), datetime.timezone.utc)
    return f"a commit of {time:%Y-%m-%d %H:%M} UTC"


def _commit_seconds() -> int:
    return int(run("git", "-C", ROOT, "log", "-1", "--format=%ct"))
