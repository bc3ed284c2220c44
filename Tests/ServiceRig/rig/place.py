"""The folders of the rig on this computer, and functions that run programs."""
import contextlib, fcntl, os, pathlib, subprocess, time

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The guests, packages and results of this checkout.
STORE = ROOT / ".build" / "service-rig"
# Base images, shared by all checkouts.
CACHE = pathlib.Path(os.environ.get("FRAMEFAST_RIG_CACHE")
                     or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "framefast" / "service-rig")

ATTEMPTS = 3
# The pause before the second attempt, in seconds. It grows with each attempt.
PAUSE_SECONDS = 5
# Messages that apt, mmdebstrap and debootstrap print when a mirror or the network fails.
NETWORK_WORDS = ("Could not resolve", "Temporary failure", "Could not connect", "Connection failed", "Connection timed out", "Unable to connect",
                 "Failed to fetch", "Hash Sum mismatch", "Connection reset", "Network is unreachable", "503  Service", "502  Bad Gateway",
                 "Failed getting release file", "Couldn't download", "Invalid Release file")


class Cannot(Exception):
    """An error that stops the rig, with a sentence for the user."""

    status = 1


class Unreachable(Cannot):
    """A failure of the network or a mirror, independent of the code."""

    status = 75


def run(*command, **options):
    """Runs a program of this computer to its end, and returns its output. Raises: Cannot with the output if it fails."""
    options.setdefault("capture_output", True)
    options.setdefault("text", True)
    try:
        done = subprocess.run([str(word) for word in command], **options)
    except FileNotFoundError:
        raise Cannot(f"cannot find {command[0]}: run scripts/prepare --rig, which installs what the rig needs") from None
    if done.returncode:
        said = f"{done.stdout or ''}{done.stderr or ''}".strip().splitlines()
        raise Cannot(f"{pathlib.Path(str(command[0])).name} failed ({done.returncode}): " + "\n".join(said[-20:]))
    return done.stdout


def retried(attempt, what, say=print, pause=time.sleep):
    """Calls `attempt` up to three times while the network fails.

    Raises: Unreachable after the last attempt. Other failures are raised at once."""
    for number in range(1, ATTEMPTS + 1):
        try:
            return attempt()
        except Cannot as failure:
            if not any(word in str(failure) for word in NETWORK_WORDS):
                raise
            if number == ATTEMPTS:
                raise Unreachable(f"cannot {what} in {ATTEMPTS} attempts: check the network and the lines below, then try again.\n{failure}") from None
            say(f"The network failed (attempt {number} of {ATTEMPTS} to {what}); trying again …")
            pause(PAUSE_SECONDS * number)


@contextlib.contextmanager
def locked(path, say=print):
    """Holds a lock file that prevents two rigs from building the same files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another service rig is building this image. Waiting …")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
