"""The program behind `scripts/test`: parses the arguments and runs the gate.

Exit status: 0 green, 1 red, 2 wrong arguments, 70 a test hung, 75 a failure of the network or apt.
"""

import contextlib
import os
import signal
import subprocess
import sys

import machine
import night
import parts
import preparation
from gate import Gate, run_gate, run_night, run_some
from parts import ROOT
from preparation import Stop

_TEMPLATE = """usage: scripts/test                      everything: format, build, tests of values, programs and servers
       scripts/test --quick              without programs and servers
       scripts/test --area NAME          one area
       scripts/test --filter REGEX       the tests whose id matches, like 'swift test'
       scripts/test --repeat N ...       repeats these tests N times; stops at the first failure
       scripts/test --servers            only the tests with real upload servers
       scripts/test --all                everything, with complete sweeps
       scripts/test --night [STAGE ...]  everything three times, measurements, benchmarks, sanitizers, fuzzing; hours
       scripts/test --soak MINUTES       random sequences of faults
       scripts/test --sanitize thread|address [REGEX]
areas: {areas}
stages of the night: {stages}
"""
USAGE = _TEMPLATE.format(areas=", ".join(sorted(parts.AREAS)), stages=", ".join(night.STAGES))


def usage(sentence: str) -> Stop:
    """Prints the usage and returns the error for wrong arguments."""
    print(USAGE, file=sys.stderr)
    return Stop(2, sentence)


def command(words: list[str], environment: dict[str, str]):
    """Parses the arguments.

    - Returns: Whether the run waits for low CPU pressure, and the function that runs it on a gate.
    """
    repeat = 1
    if words[:1] == ["--repeat"]:
        if len(words) < 2 or not words[1].isdigit() or int(words[1]) < 1:
            raise usage("--repeat needs a number of runs.")
        repeat, words = int(words[1]), words[2:]
        if not words or words[0].split("=")[0] not in ("--area", "--filter", "--servers"):
            raise usage("--repeat needs tests: --area NAME, --filter REGEX or --servers.")
    match words:
        case []:
            return True, run_gate
        case ["--quick"]:
            return True, lambda gate: run_gate(gate, programs=None)
        case ["--all"]:
            environment["FRAMEFAST_TEST_ALL"] = "1"
            return True, lambda gate: run_gate(gate, parts.sweeps())
        case ["--night", *stages] if set(stages) <= set(night.STAGES):
            return True, lambda gate: run_night(gate, tuple(stages) or night.STAGES)
        case ["--night", *_]:
            raise usage("--night needs names of stages, or none for all.")
        case ["--servers"]:
            return False, lambda gate: run_some(gate, parts.servers(), repeat=repeat)
        case ["--area", name] if name in parts.AREAS:
            return False, lambda gate: run_some(gate, parts.area(name), repeat=repeat)
        case ["--area", *_]:
            raise usage("--area needs the name of an area.")
        case ["--soak", minutes] if minutes.isdigit():
            environment["FRAMEFAST_SOAK_MINUTES"] = minutes
            part = parts.Part("Random faults", filters=(r"\.CampaignTests/",), width=1)
            return False, lambda gate: run_some(gate, part)
        case ["--soak", *_]:
            raise usage("--soak needs a number of minutes.")
        case ["--sanitize", *rest]:
            return False, lambda gate: _sanitize(gate, rest)
        case ["--help" | "-h"]:
            print(USAGE)
            raise Stop(0)
        case _:
            part = parts.Part("Chosen tests", hang_seconds=600)
            return False, lambda gate: run_some(gate, part, tuple(words), repeat)


def _sanitize(gate: Gate, rest: list[str]) -> int:
    gate.prepare()
    gate.wait_for_servers()
    return subprocess.run(["scripts/test-sanitized", *rest], cwd=ROOT, env=gate.environment).returncode


def seed_of(words: list[str], environment: dict[str, str]) -> int:
    """Returns the seed of the run: the given seed, else a new seed at night or the gate's seed."""
    given = environment.get("FRAMEFAST_TEST_SEED", "")
    if given.isdigit():
        return int(given)
    return night.fresh_seed() if "--night" in words else parts.GATE_SEED


def main(words: list[str]) -> int:
    """Runs `scripts/test` with these arguments."""
    sys.stdout.reconfigure(line_buffering=True, errors="replace")
    # The handler ends the tests if the build server ends the gate or the terminal closes.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    environment = dict(os.environ)
    try:
        waits, run = command(words, environment)
        seed = seed_of(words, environment)
        print(f"Seed {seed} (FRAMEFAST_TEST_SEED={seed} repeats this run)")
        # A gate that a test starts must not wait for the outer gate.
        lock = machine.lock() if "FRAMEFAST_GATE" not in environment else None
        if waits and environment.get("FRAMEFAST_TEST_NO_WAIT") != "1":
            machine.wait_until_calm("avg60", machine.CALM_WAIT_SECONDS)
        with contextlib.closing(Gate(environment, seed)) as gate:
            status = run(gate)
        if lock is not None:
            os.close(lock)
        return status
    except Stop as stop:
        if str(stop):
            print(f"{'' if stop.status == preparation.INFRASTRUCTURE else 'test: '}{stop}", file=sys.stderr)
        return stop.status
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
