"""An audit library that writes libgphoto2's packet log with words that the worker does not know."""

import subprocess

from chroot import Failed, Root
from store import ROOT

# The folder in the root. The service's user must be able to read it.
_FOLDER = "/tmp/reworded"
_SOURCE = ROOT / "Tests/Rig/RewordedLog/RewordedLog.c"
_WORKER = "/usr/libexec/framefast/framefast-camera"


def install(root: Root) -> str:
    """Compiles the library. Returns the path, in the root, of a worker that uses it as an audit library (LD_AUDIT).

    Raises `Failed` if the library does not compile.
    """
    folder = root.path / _FOLDER.lstrip("/")
    folder.mkdir(mode=0o755, exist_ok=True)
    words = ["clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-o", str(folder / "reworded.so"), str(_SOURCE)]
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failed("cannot find clang, which Swift contains: put Swift's bin folder on PATH") from None
    if done.returncode:
        raise Failed(f"cannot compile {_SOURCE.name}: {done.stderr.strip()[-500:]}")
    worker = folder / "framefast-camera"
    worker.write_text(f'#!/bin/sh\nexport LD_AUDIT={_FOLDER}/reworded.so\nexec {_WORKER} "$@"\n')
    worker.chmod(0o755)
    return f"{_FOLDER}/{worker.name}"
