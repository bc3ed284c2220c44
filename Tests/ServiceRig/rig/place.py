"""Where things are on this computer, and running its programs."""
import pathlib, subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
STORE = ROOT / ".build" / "service-rig"


class Cannot(Exception):
    """Something that keeps the rig from going on, in words for a person."""


def run(*command, **options):
    """Runs a program of this computer to its end; what it said is in the exception when it fails."""
    options.setdefault("capture_output", True)
    options.setdefault("text", True)
    done = subprocess.run([str(word) for word in command], **options)
    if done.returncode:
        said = f"{done.stdout or ''}{done.stderr or ''}".strip().splitlines()
        raise Cannot(f"{pathlib.Path(str(command[0])).name} failed ({done.returncode}): " + "\n".join(said[-20:]))
    return done.stdout
