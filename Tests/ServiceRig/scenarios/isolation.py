"""The limits of the service, and of users who may not control it."""
import re
from rig.cameras import Camera
from rig.report import Skipped
from .bed import connected

WORKER = "/usr/libexec/framefast/framefast-camera"


def isolation(bed):
    """the service's user cannot read /root or home folders, cannot write system files, and has no capabilities"""
    inside = f"nsenter -t {bed.service.main_pid()} -m setpriv --reuid framefast --regid framefast --clear-groups"
    for path in ("/root", "/root/letter", "/home/visitor", "/home/visitor/letter", "/etc/shadow"):
        assert bed.guest.status(f"{inside} cat {path}") != 0, f"{path} can be read"
        assert bed.guest.status(f"{inside} ls {path}/") != 0, f"{path} can be listed"
    for path in ("/etc/passwd", "/usr/bin/framefastd", "/usr/local/x", "/home/x"):
        assert bed.guest.status(f"{inside} sh -c 'echo x >> {path}'") != 0, f"{path} can be written"
    said = bed.guest.run(f"cat /proc/{bed.service.main_pid()}/status")
    assert re.search(r"^CapEff:\s+0+$", said, re.M), "the service has privileges"
    assert re.search(r"^NoNewPrivs:\s+1$", said, re.M) and re.search(r"^Seccomp:\s+2$", said, re.M)


def worker_isolation(bed):
    """a USB worker has no network, no other files and no other device"""
    with connected(bed, Camera(bed.guest, "jail1", "--maker", "canon")):
        worker = bed.guest.until(f"pgrep -u framefast -f {WORKER}", "no worker runs").split()[0]
        ours, its = (filters(bed, pid) for pid in (bed.service.main_pid(), worker))
        bed.report.add_figure(f"filters of system calls: service {ours}, worker {its}")
        if its <= ours:
            raise Skipped("this package's workers have no sandbox")
        # Another process of the worker's program confines itself like the worker, with the worker's arguments and home
        # folder. It then tries each access from inside its own sandbox.
        said = bed.guest.run(f"tr '\\0' '\\n' < /proc/{worker}/environ | grep ^HOME= > /run/home; "
                             f"tr '\\0' '\\n' < /proc/{worker}/cmdline | tail -n +2 > /run/arguments; "
                             f"xargs -d '\\n' -a /run/arguments runuser -u framefast -- env $(cat /run/home) {WORKER} --show-confinement", status=None)
        for line in said.strip().splitlines():
            if "the device" not in line or "should be" in line:
                bed.report.add_figure(line)
        assert "a network socket: refused" in said and "should be" not in said, "the worker is not confined"


def filters(bed, pid):
    """Returns the number of seccomp filters of a process."""
    return int(bed.guest.run(f"sed -n 's/^Seccomp_filters:[[:space:]]*//p' /proc/{pid}/status"))


def strangers(bed):
    """a user outside the group may not control the service"""
    said = bed.guest.run("runuser -u visitor -- framefast session start Mine", status=None)
    assert bed.guest.status("runuser -u visitor -- framefast session start Mine") != 0, "a user outside the group can start a session"
    assert bed.guest.status("runuser -u visitor -- framefast shoot") != 0, "a user outside the group can release the shutter"
    bed.report.add_figure(said.strip().split("\n")[0])
    assert "framefast" in said and bed.service.status()["session"] is None
    assert bed.guest.status("runuser -u visitor -- ls /var/lib/framefast") != 0, "a user outside the group can list the photos"
