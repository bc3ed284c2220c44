"""The computer: its clock, its processes, and waiting for them."""
import os, pathlib, re, socket, statistics, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRATCH = ROOT / ".build-release"
BIN = SCRATCH / "release"
TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid, with_ended_children=False):
    """User and system time of a process in seconds; its threads included, its children when they have ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15 if with_ended_children else 13]) / TICK


def family_cpu_seconds(pid):
    """The same of a process and everything that it started."""
    return cpu_seconds(pid, with_ended_children=True) + sum(family_cpu_seconds(child) for child in children(pid))


def memory_kib(pid, what):
    return int(re.search(rf"{what}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


def children(pid):
    pids = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        pids += [int(p) for p in (task / "children").read_text().split()]
    return pids


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def accepts(port):
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def wait_for(what, look, seconds=30, pause=0.01):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = look()
        if value:
            return value
        time.sleep(pause)
    sys.exit(f"bench: waited {seconds} s for {what}")


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))]


def median(values):
    return statistics.median(values or [0])


def ratio(left, right):
    return f"{left / right:.2f}" if left and right else "-"


def sha256_rate():
    """Bytes a second that one core of this machine hashes: the floor under framefastd's time for each byte."""
    import hashlib
    block, start = bytes(64_000_000), time.process_time()
    hashlib.sha256(block).digest()
    return len(block) / (time.process_time() - start)
