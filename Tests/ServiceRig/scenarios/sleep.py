"""The sleep of the computer."""
from rig.cameras import Camera
from rig.report import Skipped
from .bed import connected
from .boots import same_service

# The service reacts to a sleep of five seconds or more.
SLEEP_SECONDS = 20
# The clocks of the guest stop during a pause. After the pause, the rig sets the date, which jumps by this time.
PAUSE_SECONDS = 30
BEFORE, AWAY, AFTER = 2, 3, 2
SLEPT = "journalctl -q -u framefastd -o cat | grep 'the computer slept'"


def resumed(bed):
    """after a sleep, the same service opens the camera and fetches missed photos

    The camera is unplugged during the sleep, because the virtual USB bus refuses to sleep with a device. On a real computer,
    the bus also loses its power."""
    guest, service = bed.guest, bed.service
    if "deep" not in guest.run("cat /sys/power/mem_sleep 2>/dev/null", status=None):
        raise Skipped("the guest's kernel cannot suspend to memory")
    with same_service(bed), connected(bed, Camera(guest, "slept1", "--maker", "canon")) as camera:
        # The lock of the session prevents a normal sleep. `systemctl suspend -i` ignores the lock.
        service.ask("session", "start", "Night")
        camera.shoot(BEFORE)
        service.until_saved(camera.photos())
        camera.command("unplug")
        service.until_camera(camera.name, state="gone")
        camera.shoot(AWAY)
        assert len(camera.photos()) == BEFORE + AWAY, "the unplugged camera did not shoot"
        guest.suspend(SLEEP_SECONDS)
        bed.report.add_figure(guest.until(SLEPT, "the service did not notice the sleep").strip().splitlines()[-1])
        camera.command("plug")
        service.until_camera(camera.name)
        camera.shoot(AFTER)
        check_saved(bed, camera)
        session = service.status()["session"]
        assert session, "the session ended with the sleep"
        service.ask("session", "stop")


def paused(bed):
    """the same worker saves photos after a pause and a jump of the date"""
    with same_service(bed), connected(bed, Camera(bed.guest, "paused1", "--maker", "nikon")) as camera:
        camera.shoot(BEFORE)
        bed.service.until_saved(camera.photos())
        worker = workers(bed)
        bed.guest.pause(PAUSE_SECONDS)
        bed.service.until_camera(camera.name)
        camera.shoot(AFTER)
        check_saved(bed, camera)
        assert workers(bed) == worker, "the worker was started again"


def workers(bed):
    """Returns the process ids of the camera workers."""
    return bed.guest.run("pgrep -u framefast -f libexec/framefast/framefast-camera", status=None).split()


def check_saved(bed, camera):
    """Checks that each photo of a camera is saved once, as a record and as a file."""
    photos = camera.photos()
    records = bed.service.until_saved(photos)
    saved = [row["sha256"] for row in records.values() if row["state"] == "saved" and row["sha256"] in photos]
    assert len(saved) == len(photos), f"[loss] {len(photos)} photos were taken, and {len(saved)} are saved"
    bed.service.check_files(records)
