"""The computer: its clock and processes, and functions that wait for processes."""
import contextlib, os, pathlib, platform, re, socket, statistics, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The folder of the files that the benchmarks keep between two runs.
SCRATCH = ROOT / ".build/package"
# The release build, with the flags of scripts/release-flags.
BIN = ROOT / ".build/package/release"
TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid, with_ended_children=False):
    """Returns the user and system time of a process, in seconds, for all threads and optionally all ended children."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:15 if with_ended_children else 13]) / TICK


def family_cpu_seconds(pid):
    """Returns the user and system time of a process and its descendants, in seconds."""
    return cpu_seconds(pid, with_ended_children=True) + sum(family_cpu_seconds(child) for child in children(pid))


def memory_kib(pid, what):
    """Returns a value of /proc/PID/status in KiB, for example VmRSS."""
    return int(re.search(rf"{what}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


def own_kib(pid):
    """Returns the proportional memory (PSS) of a process, in KiB."""
    return int(re.search(r"Pss:\s+(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text())[1])


def wakeups(pid):
    """Returns the number of voluntary context switches of a process, which is the number of its wakeups."""
    text = "".join(task.read_text() for task in pathlib.Path(f"/proc/{pid}/task").glob("*/status"))
    return sum(int(count) for count in re.findall(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.MULTILINE))


def children(pid):
    pids = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # the thread may have ended
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
    """Calls `look` until it returns a true value, and returns this value. Exits after the time limit."""
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


def spread(values, form=".2f"):
    """Returns the median with the range from the smallest to the largest value."""
    return f"{median(values):{form}} ({min(values):{form}}–{max(values):{form}})" if values else "–"


def table(head, rows):
    """Returns a Markdown table for the terminal and README.md."""
    rows = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]])


def description():
    """Returns a short description of this computer."""
    model = re.search(r"model name\s*:\s*(.+)", pathlib.Path("/proc/cpuinfo").read_text())
    memory = int(re.search(r"MemTotal:\s+(\d+)", pathlib.Path("/proc/meminfo").read_text())[1])
    return f"{os.cpu_count()} cores {model[1].strip() if model else platform.machine()}, {memory / 1e6:.0f} GB, Linux {platform.release()}"


def commit():
    """Returns the measured commit, with a plus if files have uncommitted changes."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    return git("rev-parse", "--short", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def sha256_rate():
    """Returns the bytes per second that one core hashes. The worker hashes each photo, so this is the limit of its speed."""
    import hashlib
    block, start = bytes(64_000_000), time.process_time()
    hashlib.sha256(block).digest()
    return len(block) / (time.process_time() - start)
