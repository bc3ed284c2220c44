"""The parts of the gate: which tests run in which part, and which tests belong to an area.

A filter is a regular expression over a test's id, for example
`CLITests.ProgramTests/`status exits with 0`()/ProgramTests.swift:18:6`.
"""

import dataclasses
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# The default seed of a run. The night uses new seeds.
GATE_SEED = 20251121

# Tests that start programs, use real servers or need devices. All other tests are tests of values.
PROGRAMS = (
    r"^EndToEndTests\.",
    r"^BrowserTests\.",
    r"^CameraWorkerTests\.",
    r"^PictureWorkerTests\.DescriptorProgramTests/",
    r"^USBHotplugTests\.",
    r"^UploadDestinationsTests\.(LoopbackServerTests|Rclone\w*Tests|SFTP(Fault|Refusal|Destination)Tests"
    r"|CommandDestinationTests)/",
    r"^PackagingTests\.(DocumentedCommandTests|ReleaseTests|RepositoryTests|SmallICUTests|UnitTests)/",
    r"^ManualTests\.",
    r"^CLITests\.(ProgramTests|DoctorTests|LogsTests|SettingsProgramTests|UploadProgramTests|WatchProgramTests"
    r"|WatchLiveProgramTests|ConnectProgramTests|ConnectFilterTests|ShortCommandTests|StatusExampleTests|StatusLineTests"
    r"|FollowerProgramTests|OperationWaitTests|LiveScreenTests|PictureProgramTests|SessionPresetProgramTests|WebProgramTests)/",
    r"^DaemonTests\.(ServiceFolderTests|SleepInhibitorTests)/",
    r"^CameraSimulatorTests\.(\w*StockTests|StockDriverTests)/",
    r"^NetworkCostTests\.MeterAdviceTests/",
    r"^(ChildProcessesTests|HooksTests)\.",
    r"^SimulationTests\.",
)

SERVERS = r"^UploadDestinationsTests\.LoopbackServerTests/"

# Folders under Tests for `scripts/test --area NAME`. A target's folder selects all tests of the target; a folder inside
# a target selects the tests in its files.
AREAS = {
    "api": ("API",),
    "architecture": ("ArchitectureTests",),
    "automation": ("Automation",),
    "browser": ("Programs/BrowserTests",),
    "cameras": ("Camera", "Programs/EndToEndTests/Cameras"),
    "capture": ("Capture", "Programs/EndToEndTests/Captures"),
    "cli": ("CLI",),
    "daemon": ("Daemon", "Programs/EndToEndTests/Service"),
    "faults": ("Programs/EndToEndTests/Faults", "Programs/EndToEndTests/Campaign", "FuzzTests"),
    "ledger": ("Ledger",),
    "linux": ("Linux",),
    "model": ("Model",),
    "packaging": ("Programs/PackagingTests", "Programs/ManualTests"),
    "pictures": ("Pictures",),
    "rig": ("Rig",),
    "simulator": ("Simulator",),
    "uploads": ("Upload", "Programs/EndToEndTests/Uploads"),
}


def width(each: int = 2) -> int:
    """Returns the number of test cases that run at the same time, from the number for each processor."""
    return each * (os.cpu_count() or 1)


# The number of test cases for each processor. Tests that start programs wait more than they compute. In addition,
# each such test takes the number of tokens in its trait `.programs(N)`, and the number of tokens is limited.
PROGRAMS_WIDTH = 9


@dataclass(frozen=True)
class Part:
    """A run of `swift test`, and the rules for its result."""

    name: str
    filters: tuple[str, ...] = ()
    skips: tuple[str, ...] = ()
    # Whether a failed test runs once more, alone.
    second_look: bool = False
    # Test cases at the same time; 1 runs them one by one.
    width: int = field(default_factory=width)
    # Seconds of lived time (see `LivedClock`) without a test that starts or finishes; 0 turns the hang guard off.
    hang_seconds: float = 120
    # Seconds of wall-clock time for the whole part; 0 sets no limit.
    limit_seconds: float = 0

    @property
    def slug(self) -> str:
        """The part's name for file names, for example `programs-and-servers`."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


def values() -> Part:
    """Returns the tests of values: no process, no server, no device. They are never repeated."""
    return Part("Values", skips=PROGRAMS, width=width(3), limit_seconds=30 * 60)


def programs() -> Part:
    """Returns the tests with programs, servers and devices. A failed test runs a second time, alone."""
    return Part("Programs and servers", filters=PROGRAMS, second_look=True, width=width(PROGRAMS_WIDTH), limit_seconds=45 * 60)


def sweeps() -> Part:
    """Returns the part of `programs()` with longer limits, for sweeps over all fault points instead of a sample."""
    return dataclasses.replace(programs(), hang_seconds=900, limit_seconds=0)


def servers() -> Part:
    """Returns the tests against real upload servers."""
    return Part("Upload servers", filters=(SERVERS,))


def area(name: str) -> Part:
    """Returns the tests of one area.

    Raises `KeyError` if the table has no such area.
    """
    return Part(f"Area {name}", filters=tuple(filters_of_area(name)))


def filters_of_area(name: str) -> list[str]:
    """Returns the filters of an area, generated from its folders in the table."""
    found: list[str] = []
    for folder in AREAS[name]:
        path = ROOT / "Tests" / folder
        targets = [p.name for p in [path, *sorted(path.iterdir())] if p.is_dir() and p.name.endswith("Tests")]
        above = [p for p in path.parents if p.is_relative_to(ROOT / "Tests") and p != ROOT / "Tests"]
        inside = next((p.name for p in above if p.name.endswith("Tests")), None)
        if inside:
            names = sorted(p.stem for p in path.rglob("*.swift"))
            found.append(rf"^{inside}\..*/({'|'.join(map(re.escape, names))})\.swift:")
        else:
            found += [rf"^{target}\." for target in targets]
    return found
