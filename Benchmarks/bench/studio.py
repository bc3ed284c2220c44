"""A studio's day: its hours, what goes wrong in them, and the clock on the wall."""
import datetime, mmap, os, struct, subprocess, time, zoneinfo

from .machine import ROOT

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")
# The Saturday before the night in which summer time ends: 03:00 is 02:00 again.
MORNING = datetime.datetime(2026, 10, 24, 8, tzinfo=ZONE)
HOURS = 24

# Photos an hour: sets until eight in the evening, a party until two, then a camera that takes the stars.
WORK, PARTY, NIGHT = 300, 150, 50
# What goes wrong, by the hour of the day. The service is not killed after the last restart, so that one life of it is
# long enough to grow.
FAULTS = {
    1: ["workers killed"],
    2: ["server away"],
    3: ["service killed"],
    4: ["disk full"],
    5: ["server away", "service killed"],
    6: ["restart"],
    7: ["server refuses"],
    8: ["camera off"],
    9: ["workers killed"],
    10: ["clock 3 h fast"],
    11: ["server refuses"],
    12: ["server away"],
    13: ["disk full"],
    14: ["clock 20 min slow"],
    15: ["workers killed", "camera off"],
    17: ["server away"],
    20: ["workers killed"],
    21: ["disk full", "server away"],
}
RESTARTED = 6


def photos(hour):
    return WORK if hour < 12 else PARTY if hour < 18 else NIGHT


def moment(hour):
    """Beginning of an hour of the day, in seconds since 1970."""
    return MORNING.timestamp() + 3600 * hour


def on_the_wall(hour):
    return datetime.datetime.fromtimestamp(moment(hour), ZONE)


class Clock:
    """The time of day of the programs that are started in its environment; the computer's own stays."""

    def __init__(self, room, name):
        library = room / "day-clock.so"
        if not library.exists():
            subprocess.run(["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", library,
                            ROOT / "Benchmarks/day-clock/clock.c"], check=True)
        path = room / f"{name}.clock"
        path.write_bytes(bytes(8))
        with path.open("r+b") as file:
            self.ahead = mmap.mmap(file.fileno(), 8)
        self.own = {"LD_PRELOAD": str(library), "DAY_CLOCK": str(path), "TZ": ZONE.key}
        self.environment = {**os.environ, **self.own}

    def set(self, seconds):
        """Sets it to a moment, in seconds since 1970; it goes on from there."""
        self.ahead[:] = struct.pack("q", int(1e9 * (seconds - time.time())))

    def now(self):
        return time.time() + struct.unpack("q", self.ahead)[0] / 1e9
