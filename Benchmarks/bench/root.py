"""The root directory of the measured programs: this computer's, or a root of another Debian release.

`scripts/distro-test` makes such roots. The measured programs are framefastd with its workers, framefast, gphoto2 and the
raw reader. The simulators, the delay lines and the measuring code always have this computer's root directory. Both sides
have the same network, processes, temporary files and release build.
"""
import concurrent.futures, contextlib, multiprocessing, os, pathlib, sys, sysconfig, tempfile

from .machine import BIN, ROOT

sys.path.append(str(ROOT / "Tests/Rig/Distro"))
import chroot  # noqa: E402
import store  # noqa: E402

# The parts whose programs can run in another root. The other parts need programs that a root does not have.
PARTS = ("A", "B", "C", "far", "links", "P", "triggers", "idle")
PRIVATE_MOUNTS = "BENCH_HAS_PRIVATE_MOUNTS"

_here = pathlib.Path("/")
_lock = contextlib.ExitStack()


def use(folder):
    """Makes a folder the root directory of the programs that start from now on.

    Restarts this program with private mounts, which other programs do not see, and which end with this program.
    """
    global _here
    folder = folder.resolve()
    if problem := problem_of(folder):
        raise SystemExit(f"bench: cannot use {folder}: {problem}")
    if PRIVATE_MOUNTS not in os.environ:
        os.execvpe("unshare", ["unshare", "--mount", *sys.orig_argv], {**os.environ, PRIVATE_MOUNTS: "1"})
    if folder.is_relative_to(store.STORE):
        try:
            _lock.enter_context(store.locked())
        except store.Cannot as trouble:
            raise SystemExit(f"bench: {trouble}") from None
    _here = folder


def problem_of(folder):
    """Returns the reason why a folder cannot be the root of the programs, or `None`."""
    if os.geteuid():
        return "changing the root directory needs root: run scripts/bench with sudo"
    if version_in(folder) and (folder / "usr/bin/gphoto2").exists():
        return None
    return "it has no libgphoto2 or no gphoto2. 'scripts/distro-test SUITE' makes .build/distro/SUITE/root with both"


def mount():
    """Mounts the file systems that the programs in the root need. The release build must exist."""
    if not is_other():
        return
    chroot.Root(_here).mount()
    for folder in shared():
        place = in_root(folder)
        place.mkdir(parents=True, exist_ok=True)
        chroot.mount("--bind", folder, place)


def shared():
    """Returns the folders that the programs in the root share with this computer, at the same paths."""
    scratch = filter(None, (tempfile.gettempdir(), os.environ.get("BENCH_DIR")))
    return [*dict.fromkeys(pathlib.Path(folder).absolute() for folder in scratch), BIN]


def in_root(folder):
    """Returns the path of a folder of the root, as this computer sees it."""
    return _here / folder.relative_to("/")


def version():
    """Returns the version of the programs' libgphoto2."""
    return version_in(_here) or "?"


def version_in(folder):
    """Returns the version of the libgphoto2 in a root, or `None` without a libgphoto2. Its folder of drivers has this name."""
    libraries = folder / "usr/lib" / (sysconfig.get_config_var("MULTIARCH") or "")
    found = sorted(driver.parent.name for driver in libraries.glob("libgphoto2/*/ptp2.so"))
    return found[-1] if found else None


def options(folder=None):
    """Returns the options of `subprocess` that start a program in the root, optionally in a working folder."""
    return {"preexec_fn": lambda: enter(folder or "/")} if is_other() else {"cwd": folder}


def enter(folder="/"):
    """Makes the root this process's root directory."""
    os.chroot(_here)
    os.chdir(folder)


def is_other():
    """Returns whether the programs have another root directory than this computer."""
    return _here != pathlib.Path("/")


def call(function, *arguments):
    """Calls a function in the root, and returns its result.

    Starting each program with `options` would take longer, because `preexec_fn` needs a copy of this process.
    """
    if not is_other():
        return function(*arguments)
    fork = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=fork, initializer=enter) as pool:
        return pool.submit(function, *arguments).result()
