"""The guest's disk image: a Debian release with the dependencies of FrameFast and the cameras, built once for each recipe."""
import hashlib, inspect, os, pathlib, shutil, tempfile, time
from . import kernel
from .place import CACHE, Cannot, locked, retried, run

# The script that runs in the root file system of the image.
SETUP = """
passwd -d root
echo rig > /etc/hostname
echo '/dev/vda / ext4 rw,relatime 0 1' > /etc/fstab
useradd --create-home --shell /bin/bash visitor
useradd --create-home --shell /bin/bash --groups plugdev desk
mkdir -p /var/lib/systemd/linger && touch /var/lib/systemd/linger/desk
chmod 0700 /home/visitor /home/desk && echo secret > /home/visitor/letter && echo secret > /root/letter
mkdir -p /root/.ssh && chmod 0700 /root/.ssh
rm -f /etc/ssh/ssh_host_*_key* && ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key
systemctl mask systemd-timesyncd.service apt-daily.timer apt-daily-upgrade.timer man-db.timer e2scrub_all.timer fstrim.timer dpkg-db-backup.timer
systemctl mask systemd-networkd-wait-online.service networking.service getty@tty1.service systemd-random-seed.service e2scrub_reap.service
systemctl disable ssh.socket 2>/dev/null; systemctl enable ssh.service
mkdir -p /etc/systemd/system/ssh.service.d
printf '[Service]\\nExecStartPost=/bin/sh -c "echo rig: ssh answers > /dev/ttyS0"\\n' > /etc/systemd/system/ssh.service.d/rig.conf
mkdir -p /etc/systemd/journald.conf.d && printf '[Journal]\\nStorage=persistent\\nSyncIntervalSec=1s\\n' > /etc/systemd/journald.conf.d/rig.conf
"""

SSHD = "UseDNS no\nPermitRootLogin yes\nPasswordAuthentication no\nUsePAM yes\nMaxSessions 100\n"
DISK_BYTES = 8 << 30  # sparse; the service keeps 2 GB free


# An image that was not used for this time is removed.
UNUSED_SECONDS = 30 * 24 * 3600


class Image:
    """The files of a built image."""

    def __init__(self, folder, suite, kvm=False):
        self.folder, self.suite, self.kvm = folder, suite, kvm
        self.disk, self.vmlinux, self.initrd, self.key = (
            folder / name for name in ("disk.img", "vmlinux", "initrd.cpio", "key"))


def recipe(suite):
    """Returns a hash of the suite, `SETUP`, `SSHD`, `DISK_BYTES` and the sources of `build` and `kernel`."""
    text = f"{suite}{suite.packages}{SETUP}{SSHD}{DISK_BYTES}{inspect.getsource(build)}{inspect.getsource(kernel)}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def folder(suite):
    """Returns the folder of the image of the current recipe, built or not."""
    return CACHE / f"image-{suite.name}-{recipe(suite)}"


def is_there(suite):
    return (folder(suite) / "disk.img").exists()


def image(suite, say, kvm=False):
    """Returns the image of the current recipe. Builds a missing image under a temporary name, and renames the complete image."""
    place = folder(suite)
    with locked(CACHE / f"lock-{suite.name}", say):
        if not is_there(suite):
            say(f"Building the image of {suite.title} (some minutes, once) …")
            fresh = pathlib.Path(tempfile.mkdtemp(prefix=f"building-{suite.name}-", dir=CACHE))
            try:
                build(suite, fresh, say)
                shutil.rmtree(place, ignore_errors=True)
                fresh.rename(place)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)
        os.utime(place)
        for old in CACHE.glob(f"image-{suite.name}-*"):
            if old != place and time.time() - old.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(old, ignore_errors=True)
    return Image(place, suite, kvm)


def build(suite, folder, say):
    if os.geteuid():
        raise Cannot("building the guest's image needs root: run it with sudo")
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "service-rig", "-f", folder / "key")
    setup = folder / "setup"
    setup.write_text("set -e\n" + SETUP)
    root = folder / "root"
    hooks = [f'cp "{setup}" "$1/setup"', "chroot \"$1\" sh /setup", 'rm "$1/setup"',
             f'cp "{folder}/key.pub" "$1/root/.ssh/authorized_keys"',
             f"printf '{SSHD}' > \"$1/etc/ssh/sshd_config.d/rig.conf\""]

    def bootstrap():
        shutil.rmtree(root, ignore_errors=True)
        run("mmdebstrap", "--variant=apt", f"--include={','.join(suite.packages)}", "--aptopt=Apt::Install-Recommends \"false\"",
            "--aptopt=Acquire::Retries \"5\"",
            "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
            "--dpkgopt=path-include=/usr/share/doc/framefast*",
            *[f"--customize-hook={hook}" for hook in hooks], suite.name, root)

    retried(bootstrap, f"download {suite.title}", say)
    (folder / "vmlinux").write_bytes(kernel.uncompressed(next((root / "boot").glob("vmlinuz-*"))))
    kernel.initrd(next((root / "usr/lib/modules").iterdir()), folder / "initrd.cpio")
    for waste in (root / "boot").glob("initrd*"):
        waste.unlink()
    disk = folder / "disk.img"
    with disk.open("wb") as file:
        file.truncate(DISK_BYTES)
    run("mke2fs", "-q", "-t", "ext4", "-d", root, disk)
    shutil.rmtree(root)
    setup.unlink()
