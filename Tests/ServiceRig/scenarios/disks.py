"""Photos on disks with foreign file systems: missing features, and disks that are pulled."""
import contextlib, dataclasses
from rig.cameras import Camera

ONLY_HERE = "/etc/framefast/conf.d/disk.toml"
IMAGE_MIB = 64
OWNER = "uid=$(id -u framefast),gid=$(id -g framefast),umask=027"


@dataclasses.dataclass
class Disk:
    """A file system on an image, mounted like the disk of a user."""
    kind: str
    make: str
    mount: str

    @property
    def image(self):
        return f"/root/{self.kind}.img"

    @property
    def place(self):
        return f"/srv/{self.kind}"

    @property
    def captures(self):
        return f"{self.place}/captures"


DISKS = [
    Disk("vfat", "mkfs.vfat", f"mount -t vfat -o {OWNER}"),
    Disk("exfat", "mkfs.exfat", f"mount -t exfat -o {OWNER}"),
    # This file system has neither RENAME_NOREPLACE nor hard links.
    Disk("exfat-fuse", "mkfs.exfat", f"mount.exfat-fuse -o allow_other,{OWNER}"),
    # This file system has hard links but no RENAME_NOREPLACE.
    Disk("ntfs-3g", "mkfs.ntfs --quick --force --quiet", f"ntfs-3g -o allow_other,{OWNER}"),
]


def foreign_disks(bed):
    """saves photos once on four foreign file systems, despite a kill and a pulled disk"""
    for disk in DISKS:
        check_disk(bed, disk)
    bed.report.add_figure(", ".join(disk.kind for disk in DISKS))


def check_disk(bed, disk):
    guest, service = bed.guest, bed.service
    device = guest.run(f"truncate -s {IMAGE_MIB}M {disk.image} && losetup --find --show {disk.image}").strip()
    guest.run(f"{disk.make} {device}; mkdir -p {disk.place}; chmod 755 {disk.place}")
    letters = disk.kind.replace("-", "")
    try:
        mount(bed, disk, device)
        guest.run(f"mkdir -p {disk.captures}")
        # Two cameras whose photos have equal names.
        guest.run(f"printf '[capture]\\ndirectory = \"{disk.captures}\"\\ntemplate = \"{{original}}.{{ext}}\"\\nmin_free = \"4 MiB\"\\n' > {ONLY_HERE}; "
                  "systemctl restart framefastd")
        with contextlib.ExitStack() as stack:
            cameras = [stack.enter_context(Camera(guest, f"{letters}{number}", "--maker", "nikon", "--seed", str(number)))
                       for number in (1, 2)]
            for camera in cameras:
                service.until_camera(camera.name)
            for camera in cameras:
                camera.shoot(3)
            check_all_saved(bed, cameras, disk)

            guest.run("kill -KILL $(systemctl show -P MainPID framefastd)")
            for camera in cameras:
                camera.shoot(3)
            check_all_saved(bed, cameras, disk)

            # Pulls the disk during use. Only a lazy umount allows this.
            guest.run(f"umount --lazy {disk.place}")
            for camera in cameras:
                camera.shoot(2)
            said = service.until_condition("photos-away")["sentence"]
            below = guest.run(f"find {disk.place} -type f").strip()
            assert not below, f"{disk.kind}: photos lie below the mount point: {below}"
            mount(bed, disk, device)
            check_all_saved(bed, cameras, disk)
            service.until_no_condition("photos-away")
        bed.report.add_figure(f"{disk.kind}: {said}")
    finally:
        guest.run(f"rm -f {ONLY_HERE}; systemctl restart framefastd; umount --lazy {disk.place}; losetup --detach {device}; rm -f {disk.image}", status=None)
    service.until(lambda status: status["state"] == "running", "the service does not come back")


def mount(bed, disk, device):
    # The kernel releases a pulled disk when the last program has closed its files.
    bed.guest.until(f"{disk.mount} {device} {disk.place}", f"{disk.kind} cannot be mounted")


def check_all_saved(bed, cameras, disk):
    """Checks that every photo of the cameras is saved once, on this disk."""
    wanted = {digest for camera in cameras for digest in camera.photos()}
    records = bed.service.until_saved(wanted)
    saved = bed.service.check_files(records, disk.captures)
    assert sorted(saved.values()) == sorted(wanted), f"{disk.kind}: {len(saved)} files of {len(wanted)} photos"
