"""One job in a root, with private mounts and processes that end with the job. roots.py starts this program.

  inside.py update ROOT                 downloads the package lists
  inside.py install ROOT ARCHIVES       installs /var/tmp/framefast.deb; ARCHIVES keeps the downloads of apt
  inside.py contract ROOT LOGS RESULT   runs the contract suite and writes its results; in a separate network namespace
"""

import json
import pathlib
import sys

import chroot
import contract

# The packages that the root needs in addition to the dependencies of the package: systemd for the contract suite,
# gphoto2 for `scripts/bench --root`.
TOOLS = ("systemd", "gphoto2")
# The time limit for apt with a slow archive, in seconds.
_APT_SECONDS_MAX = 3600
_APT = ("apt-get", "--quiet", "--assume-yes", "--no-install-recommends")


def update(root: chroot.Root) -> None:
    """Downloads the package lists."""
    root.run([*_APT, "update"], seconds=_APT_SECONDS_MAX)


def install(root: chroot.Root, archives: pathlib.Path) -> None:
    """Installs the package and the tools."""
    chroot.mount("--bind", archives, root.path / "var/cache/apt/archives")
    root.run([*_APT, "install", "/var/tmp/framefast.deb", *TOOLS], seconds=_APT_SECONDS_MAX)
    root.run([*_APT, "autoclean"])


def main(words: list[str]) -> int:
    """Runs one job in a root."""
    job, root, paths = words[0], chroot.Root(pathlib.Path(words[1])), [pathlib.Path(word) for word in words[2:]]
    root.mount()
    try:
        match job:
            case "update":
                update(root)
            case "install":
                install(root, *paths)
            case "contract":
                chroot.raise_loopback()
                logs, result = paths
                result.write_text(json.dumps(contract.run(root, logs), indent=1, ensure_ascii=False), encoding="utf-8")
    except chroot.Failed as failure:
        print(failure, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
