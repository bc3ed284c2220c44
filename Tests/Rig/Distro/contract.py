"""The contract suite in one root: checks of the whole root, then each feature of each maker."""

import pathlib
import re
import time

import features
from camera import Camera
from chroot import Failed, Root
from makers import MAKERS
from service import Service

UNIT = "/usr/lib/systemd/system/framefastd.service"
# In tenths, the unit of `systemd-analyze security --threshold`. The gate has the same limit.
EXPOSURE_TENTHS_MAX = 20
PASS, FAIL = "pass", "fail"
# Checks of the whole root have this name instead of a maker.
SYSTEM = "system"


def cell(maker: str, feature: str, check) -> dict:
    """Runs a check and returns its result."""
    began, word, reason = time.monotonic(), PASS, ""
    try:
        check()
    except Exception as failure:
        word = FAIL
        reason = str(failure) if isinstance(failure, Failed) else f"{type(failure).__name__}: {failure}"
    print(f"{maker:<9} {feature:<10} {word}{': ' if reason else ''}{reason}", flush=True)
    return result(maker, feature, word, reason, time.monotonic() - began)


def result(maker: str, feature: str, word: str, reason: str = "", seconds: float = 0) -> dict:
    """Returns a cell of the table."""
    return {"maker": maker, "feature": feature, "word": word, "reason": reason, "seconds": round(seconds, 1)}


def not_installed(reason: str) -> dict:
    """Returns the results of a release on which the package cannot be installed. `reason` is the output of apt."""
    causes = [line.strip() for line in reason.splitlines() if "not installable" in line or line.startswith("E: ")]
    return {"versions": {}, "exposure": None, "cells": [result(SYSTEM, "install", FAIL, "\n".join([*causes[:1], reason]))]}


def versions(root: Root) -> dict[str, str]:
    """Returns the versions of the packages that determine the features of the service."""
    said = root.run(["dpkg-query", "--show", "--showformat", "${Package} ${Version}\\n"])
    installed = dict(line.split() for line in said.splitlines())
    library = next(version for name, version in installed.items() if re.fullmatch(r"libgphoto2-6(t64)?", name))
    return {
        "library": library.partition("-")[0].partition("+")[0], "libgphoto2": library, "libc6": installed["libc6"],
        "systemd": installed["systemd"], "framefast": installed["framefast"]}


def exposure(root: Root) -> float:
    """Returns the exposure of the unit as the root's systemd computes it, from 0 (confined) to 10.

    Raises `Failed` if the exposure is above the limit.
    """
    said = root.run([
        "systemd-analyze", "security", "--offline=yes", f"--threshold={EXPOSURE_TENTHS_MAX}", "--no-pager", UNIT], statuses=(0, 1))
    found = re.search(r"Overall exposure level for framefastd\.service: (\d+\.\d+)", said)
    if not found:
        raise Failed(f"systemd-analyze does not report the exposure of the service: {said[-500:]}")
    if 10 * float(found[1]) > EXPOSURE_TENTHS_MAX:
        raise Failed(f"the exposure of the service is {found[1]} of 10, and the limit is {EXPOSURE_TENTHS_MAX / 10}")
    return float(found[1])


def run(root: Root, logs: pathlib.Path) -> dict:
    """Runs all checks and returns the results of one release.

    - logs: The folder for the output of the programs, outside the root.
    """
    logs.mkdir(parents=True, exist_ok=True)
    found: dict = {"versions": versions(root), "exposure": None}
    print("  ".join(f"{name} {version}" for name, version in found["versions"].items()), flush=True)

    def sandbox() -> None:
        found["exposure"] = exposure(root)

    found["cells"] = [result(SYSTEM, "install", PASS), cell(SYSTEM, "sandbox", sandbox)]
    for maker in MAKERS.values():
        found["cells"] += cells(root, maker, found["versions"]["library"], logs)
    return found


def cells(root: Root, maker, library: str, logs: pathlib.Path) -> list[dict]:
    """Returns the results of one maker, from a separate camera and service."""
    camera = service = bed = None
    results, problem = [], ""
    try:
        camera = Camera(root, maker.simulator, logs / f"{maker.name}-camera.log")
        service = Service(root, camera.address, logs / f"{maker.name}-service.log")
        bed = features.Bed(root, maker, camera, service, library)
    except Exception as failure:
        problem = f"{failure}"
    for name, check in features.FEATURES.items():
        def one() -> None:
            if problem:
                raise Failed(f"not run: {problem}")
            if name != "tap":
                bed.service.until_ready()
            check(bed)

        results.append(cell(maker.name, name, one))
        if name == "tap" and results[-1]["word"] == FAIL:
            problem = problem or "the camera was not ready"

    if service:
        results.append(cell(maker.name, "end", service.stop))
    if camera:
        camera.stop()
    return results
