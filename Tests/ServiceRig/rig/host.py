"""Checks the computer that the rig runs on."""
import os, pathlib, shutil
from .place import CACHE, STORE
from .failures import Host

PROGRAMS = ["qemu-system-x86_64", "qemu-img", "mmdebstrap", "mke2fs", "e2fsck", "debugfs", "cpio", "ssh", "ssh-keygen", "zstd", "dpkg-deb"]


def check():
    """Returns the missing programs, and this computer's root rights, disk space, memory and access to KVM."""
    # Administration programs may not be on the user's PATH.
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if not shutil.which(name, path=path)]
    if not pathlib.Path("/bin/busybox").exists():
        missing.append("busybox")
    return Host(missing, os.geteuid() == 0, {str(place): shutil.disk_usage(existing(place)).free for place in (CACHE, STORE)},
                available(pathlib.Path("/proc/meminfo").read_text()), opens("/dev/kvm"))


def existing(place):
    """Returns the folder, or its nearest existing parent."""
    return next(folder for folder in (place, *place.parents) if folder.exists())


def available(meminfo):
    """Returns the bytes of memory that programs can still allocate, from the text of /proc/meminfo."""
    lines = dict(line.split(":", 1) for line in meminfo.splitlines() if ":" in line)
    return int(lines["MemAvailable"].split()[0]) * 1024


def opens(device):
    try:
        os.close(os.open(device, os.O_RDWR))
        return True
    except OSError:
        return False
