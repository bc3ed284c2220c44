"""Photos of a camera on a USB cable."""
import base64, hashlib
from rig.cameras import Camera, QEMUCamera
from rig.service import CAPTURES
from .bed import connected

# The serial number that QEMU's device reports in PTP, whatever its USB serial number.
QEMU_SERIAL = "0123456789abcdef" * 2
REPLUGS = 20
# The configuration file that only `qemu_mtp` uses.
ONLY_HERE = "/etc/framefast/conf.d/rig.toml"
# QEMU's device has a phone's product number. The service ignores phones unless they are listed.
ALLOW_QEMU = f"printf '[usb]\\nphones = [\"QEMUMTP1\"]\\n' > {ONLY_HERE}"


def check_photos(bed, camera, count=5):
    """Checks that photos arrive with their bytes, owned by the service."""
    camera.shoot(count)
    records = bed.service.until_saved(camera.photos())
    bed.service.check_files(records)
    owners = bed.guest.run(f"find {CAPTURES} -path '*/.framefast' -prune -o -type f -printf '%u:%g %m\\n' | sort -u").split("\n")
    bed.report.add_figure("files: " + ", ".join(filter(None, owners)))
    assert [owner for owner in owners if owner] == ["framefast:framefast 640"]


def canon(bed):
    """saves photos of a plugged-in Canon with the right owner"""
    with connected(bed, Camera(bed.guest, "canon1", "--maker", "canon", "--pairs")) as camera:
        check_photos(bed, camera)


def nikon(bed):
    """saves photos of a plugged-in Nikon"""
    with connected(bed, Camera(bed.guest, "nikon1", "--maker", "nikon")) as camera:
        check_photos(bed, camera)


def generic(bed):
    """saves photos of a camera of an unknown maker"""
    with connected(bed, Camera(bed.guest, "generic1")) as camera:
        check_photos(bed, camera)


def qemu_mtp(bed):
    """saves photos of QEMU's own MTP device, an independent implementation"""
    photo = intact_photo(bed)
    folder = bed.folder / "mtp"
    bed.guest.run(f"{ALLOW_QEMU} && systemctl restart framefastd")
    try:
        with QEMUCamera(bed.guest, folder):
            bed.service.until_camera(QEMU_SERIAL)
            wanted = set()
            for number in range(3):
                wanted.add(take_photo(bed, folder, number, photo))
            bed.service.until_saved(wanted)
    finally:
        bed.guest.run(f"rm {ONLY_HERE}; systemctl restart framefastd")


def take_photo(bed, folder, number, photo):
    """Takes a photo with QEMU's device, and returns its SHA-256. A file renamed into the folder is complete from the start."""
    data = photo + bytes([number])
    (bed.folder / "coming").write_bytes(data)
    (bed.folder / "coming").rename(folder / f"SHOT{number}.JPG")
    return hashlib.sha256(data).hexdigest()


def intact_photo(bed):
    """Returns an intact photo from a simulated camera's card."""
    bed.guest.run("systemctl stop framefastd")
    with Camera(bed.guest, "sample1") as camera:
        camera.shoot()
        return base64.b64decode(bed.guest.run("base64 /root/cards/sample1/*/*.JPG"))


def replug(bed):
    """reconnects each time a camera is unplugged and plugged in again, and saves the photos taken while it was unplugged"""
    with connected(bed, Camera(bed.guest, "replug1", "--maker", "nikon")) as camera:
        pid = bed.service.main_pid()
        for _ in range(REPLUGS):
            camera.command("unplug")
            camera.shoot()
            camera.command("plug")
            bed.service.until_camera("replug1")
        records = bed.service.until_saved(camera.photos())
        bed.service.check_files(records)
        assert len(camera.photos()) == REPLUGS
        assert bed.service.main_pid() == pid, "the daemon was restarted"
