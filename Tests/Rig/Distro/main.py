"""Tests the package on Debian releases, each in a separate root with the release's libgphoto2.

Exit status: 0 if each feature works or is a known gap, 1 if a check failed, 2 for wrong arguments, 75 for a network failure.
"""

import argparse
import hashlib
import json
import os
import pathlib
import signal
import sys

sys.dont_write_bytecode = True
import built_package  # noqa: E402
import contract  # noqa: E402
import gaps  # noqa: E402
import roots  # noqa: E402
import table  # noqa: E402
from store import RESULTS, ROOT, STORE, Cannot, Unreachable, locked, replace  # noqa: E402
from suites import SUITES, Suite  # noqa: E402

FORMAT = 1


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(
        prog="scripts/distro-test", description="The package on Debian releases, with simulated cameras on the network.")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"{', '.join(SUITES)} (all)")
    parser.add_argument(
        "--package", type=pathlib.Path, metavar="FILE", help="the package to install (default: built by scripts/package)")
    options = parser.parse_args(words)
    if unknown := [name for name in options.suites if name not in SUITES]:
        parser.error(f"no such release: {unknown[0]} ({', '.join(SUITES)})")
    options.suites = options.suites or list(SUITES)
    return options


def test(suite: Suite, package: pathlib.Path) -> dict:
    """Installs the package in a new root of a release and runs the contract suite there.

    Raises `Cannot` if the root cannot be made.
    """
    place = roots.Roots(suite)
    place.make()
    try:
        place.install(package)
    except Unreachable:
        raise
    except Cannot as trouble:
        return contract.not_installed(str(trouble))
    result = place.folder / "result.json"
    result.unlink(missing_ok=True)
    roots.inside("contract", place.root, place.logs, result, network=False, capture_output=False)
    return json.loads(result.read_text(encoding="utf-8"))


def keep(results: dict, suite: str, found: dict) -> None:
    """Writes the results so far to a file atomically. An interrupted run leaves a complete file."""
    results["suites"][suite] = found
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    replace(RESULTS, json.dumps(results, indent=1, ensure_ascii=False) + "\n")


def run(options: argparse.Namespace) -> int:
    """Tests the releases and returns the exit status."""
    if os.geteuid():
        raise Cannot("creating a root of another release needs root: run it with sudo")
    STORE.mkdir(parents=True, exist_ok=True)
    package = built_package.package(options.package)
    origin, known = built_package.origin(package), gaps.load()
    results = {
        "format": FORMAT, "origin": origin, "package": package.name, "suites": {},
        "sha256": hashlib.sha256(package.read_bytes()).hexdigest()}
    print(f"{package} ({origin})")
    for name in options.suites:
        print(f"== {name}")
        found = test(SUITES[name], package)
        closed = gaps.mark_known(found, known)
        keep(results, name, found)
        table.write(SUITES[name], found, origin)
        for sentence in closed:
            print(f"closed gap: {sentence}")
    for name, found in results["suites"].items():
        print(f"\n{table.text(SUITES[name], found)}")
    failed = sum(len(table.failures(found)) for found in results["suites"].values())
    print(f"\nFailures: {failed}. {RESULTS.relative_to(ROOT)} has the results, {table.DOCUMENT.relative_to(ROOT)} the tables.")
    return 1 if failed else 0


def main() -> int:
    """Runs `scripts/distro-test`."""
    sys.stdout.reconfigure(line_buffering=True, errors="replace")
    # The handler also ends the programs in the roots.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    options = arguments()
    try:
        with locked():
            return run(options)
    except Cannot as trouble:
        print(f"{'INFRASTRUCTURE: ' if trouble.status == 75 else ''}distro-test: {trouble}", file=sys.stderr)
        return trouble.status
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
