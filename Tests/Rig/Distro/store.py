"""The files of the distribution test, and the functions that it shares with the service rig."""

import contextlib
import fcntl
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The folder for roots, downloads, logs and results.
STORE = ROOT / ".build/distro"
RESULTS = STORE / "results.json"

# The service rig provides the functions for running programs, repeating failed downloads, and apt's archive.
sys.path.append(str(ROOT / "Tests/ServiceRig"))
from rig import archive  # noqa: E402, F401
from rig.place import Cannot, Unreachable, retried, run  # noqa: E402, F401
from rig.results import replace  # noqa: E402, F401


@contextlib.contextmanager
def locked(folder: pathlib.Path = STORE):
    """Holds the lock of the roots.

    Raises `Cannot` if another run of this checkout holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Cannot("another scripts/distro-test runs in this checkout: wait for its end, then try again") from None
        yield
