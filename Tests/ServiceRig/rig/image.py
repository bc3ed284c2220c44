"""The guest's disk: Debian 12 with what FrameFast needs and the cameras need, built once for each recipe."""
import hashlib, inspect, os, pathlib, shutil, tempfile
from . import kernel
from .place import STORE, Cannot, run

PACKAGES = """
    linux-image-amd64 systemd systemd-sysv libpam-systemd udev dbus dbus-user-session openssh-server openssh-client
    kmod iproute2 procps adduser sudo ca-certificates sqlite3 netcat-openbsd
    gphoto2 libgphoto2-6 libgphoto2-port12 libusb-1.0-0 libcurl4 libsqlite3-0
    gvfs gvfs-backends gvfs-daemons libglib2.0-bin
    dosfstools exfatprogs exfat-fuse ntfs-3g
""".split()

# Each line runs in the new root.
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
echo vhci-hcd > /etc/modules-load.d/rig.conf
mkdir -p /etc/systemd/journald.conf.d && printf '[Journal]\\nStorage=persistent\\nSyncIntervalSec=1s\\n' > /etc/systemd/journald.conf.d/rig.conf
"""

SSHD = "UseDNS no\nPermitRootLogin yes\nPasswordAuthentication no\nUsePAM yes\nMaxSessions 100\n"
DISK_BYTES = 8 << 30  # sparse; the service keeps 2 GB free


class Image:
    """The files of a built guest."""

    def __init__(self, folder):
        self.folder = folder
        self.disk, self.vmlinux, self.initrd, self.key = (
            folder / name for name in ("disk.img", "vmlinux", "initrd.cpio", "key"))


def recipe():
    text = f"{PACKAGES}{SETUP}{SSHD}{DISK_BYTES}{inspect.getsource(kernel)}"
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def image(say):
    """The image of today's recipe; built when it is not there."""
    folder = STORE / f"image-{recipe()}"
    if not (folder / "disk.img").exists():
        say("Building the guest's image (some minutes, once) …")
        STORE.mkdir(parents=True, exist_ok=True)
        fresh = pathlib.Path(tempfile.mkdtemp(prefix="building-", dir=STORE))
        try:
            build(fresh)
            shutil.rmtree(folder, ignore_errors=True)
            fresh.rename(folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        for old in STORE.glob("image-*"):
            if old != folder:
                shutil.rmtree(old, ignore_errors=True)
    return Image(folder)


def build(folder):
    if os.geteuid():
        raise Cannot("building the guest's image needs root: run it with sudo")
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "service-rig", "-f", folder / "key")
    setup = folder / "setup"
    setup.write_text("set -e\n" + SETUP)
    root = folder / "root"
    hooks = [f'cp "{setup}" "$1/setup"', "chroot \"$1\" sh /setup", 'rm "$1/setup"',
             f'cp "{folder}/key.pub" "$1/root/.ssh/authorized_keys"',
             f"printf '{SSHD}' > \"$1/etc/ssh/sshd_config.d/rig.conf\""]
    run("mmdebstrap", "--variant=apt", f"--include={','.join(PACKAGES)}", "--aptopt=Apt::Install-Recommends \"false\"",
        "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
        "--dpkgopt=path-include=/usr/share/doc/framefast*",
        *[f"--customize-hook={hook}" for hook in hooks], "bookworm", root)
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
