"""Cameras that are hard to distinguish, and cards that take long to list."""
import collections, contextlib
from rig.cameras import Camera
from rig.service import LEDGER
from .bed import saved_count

# Serial numbers that bodies report: a default shared by a batch, zeros of a body without a number, and an
# empty string.
SERIALS = ("12345678", "00000000000000", "")
SHOTS = 5
# Four workers that start at the same time keep the guest's two processors busy for a while.
READY_SECONDS = 300
CARD = 3000
# The time limit for all photos of the card, and the pause between two polls. The guest saves a few photos a second.
CARD_SECONDS, LOOK_SECONDS = 1800, 10


def equal_serials(bed):
    """saves photos of four cameras with equal serial numbers once, even after a restart"""
    for number, serial in enumerate(SERIALS):
        with contextlib.ExitStack() as stack:
            # The photos have the same names, sizes and seconds, but different bytes.
            cameras = [stack.enter_context(Camera(bed.guest, f"twin{number}{letter}", "--maker", maker, "--seed", str(seed), serial=serial))
                       for seed, (letter, maker) in enumerate([("a", "canon"), ("b", "canon"), ("c", "canon"), ("d", "canon")], start=1)]
            until_ready(bed, len(cameras))
            for _ in range(SHOTS):
                release_shutters(bed, cameras)
            check_saved_once(bed, cameras, SHOTS, f"serial ‘{serial}’")
            bed.guest.run("systemctl restart framefastd")
            until_ready(bed, len(cameras))
            release_shutters(bed, cameras)
            check_saved_once(bed, cameras, SHOTS + 1, f"serial ‘{serial}’, after a restart")
        bed.service.until(lambda status: all(c["state"] == "gone" for c in status["cameras"]), "the cameras do not leave")
    bed.report.add_figure(f"{len(SERIALS)} × {len(cameras)} cameras, {SHOTS + 1} releases of each")


def until_ready(bed, count):
    bed.service.until(lambda status: sum(c["state"] == "ready" for c in status["cameras"]) == count, f"not all {count} cameras are ready", READY_SECONDS)


def release_shutters(bed, cameras):
    """Releases all shutters at the same time."""
    before = {camera.name: len(camera.photos()) for camera in cameras}
    bed.guest.run("".join(f"printf 'shoot 1\\n' | nc -N -U {camera.socket} >/dev/null & " for camera in cameras) + "wait")
    for camera in cameras:
        assert len(camera.photos()) == before[camera.name] + 1, f"{camera.name} did not shoot"


def check_saved_once(bed, cameras, shots, what):
    """Checks that every photo of all cameras is saved once, as a record and as a file."""
    wanted = collections.Counter(digest for camera in cameras for digest in camera.photos())
    assert len(wanted) == shots * len(cameras), f"{what}: the cameras made {len(wanted)} different photos"
    records = bed.service.until_saved(wanted)
    bed.service.check_files(records)
    saved = collections.Counter(row["sha256"] for row in records.values() if row["sha256"] in wanted)
    twice = [digest for digest, count in saved.items() if count != 1]
    assert not twice, f"[loss] {what}: {len(twice)} photos are there more than once"


def long_listing(bed):
    """saves a new shot before the 3,000 photos of a card, without a hung worker"""
    started = bed.guest.run("date +%s").strip()
    before = sum(row["state"] == "saved" for row in bed.service.records().values())
    with Camera(bed.guest, "full1", "--maker", "nikon", "--existing", str(CARD), size="20KB") as camera:
        bed.service.until_camera("full1", seconds=300)
        camera.shoot()
        everything = camera.photos()
        assert len(everything) == CARD + 1, f"{len(everything)} photos are on the card"
        # The camera lists the newest photo last.
        newest = list(everything)[-1]
        bed.service.until_saved([newest], seconds=300)
        waiting = CARD + 1 - saved_count(bed, everything)
        bed.report.add_figure(f"{waiting} photos of the card were waiting when the new shot was saved")
        assert waiting > CARD / 10, "the new shot was saved after the card's photos"
        # Polls rarely: in the guest, counting all records takes as long as saving a photo.
        bed.guest.until(f"sleep {LOOK_SECONDS}; [ $(sqlite3 {LEDGER} \"SELECT count(*) FROM capture WHERE state = 'saved'\") -ge {before + CARD + 1} ]",
                        "the card's photos are not saved", seconds=CARD_SECONDS)
        records = bed.service.until_saved(everything)
        bed.service.check_files(records)
        assert saved_count(bed, everything) == CARD + 1, "a photo was saved twice"
        said = bed.guest.run(f"journalctl -q --no-pager -u framefastd --since @{started} | grep -c 'killed a hung worker'", status=None).strip()
        assert said == "0", f"{said} workers were ended as hung"
    bed.service.until(lambda status: all(c["state"] == "gone" for c in status["cameras"]), "the camera does not leave")
