"""Cameras in a wrong USB mode, and then in the right mode."""
from rig.cameras import Camera
from .bed import connected, saved_count


def check_mode_change(bed, camera, word):
    """Checks that the service suggests the next step in the wrong mode, and connects the camera in the right mode."""
    with camera:
        condition = bed.service.until_condition("wrong-mode")
        bed.report.add_figure(condition["sentence"])
        assert condition.get("next_step") or condition.get("nextStep"), "no next step"
        assert word in condition["sentence"], condition
        camera.command("mode ptp")
        bed.service.until_camera(camera.name)
        bed.service.until_no_condition("wrong-mode")
        camera.shoot()
        bed.service.until_saved(camera.photos())


def sony_mode(bed):
    """guides a Sony in MTP mode, and connects the camera in PTP mode"""
    camera = Camera(bed.guest, "sony1", "--maker", "sony", "--usb-mode", "mtp")
    check_mode_change(bed, camera, "Sony")


def canon_mode(bed):
    """guides a Canon in card-reader mode, and connects the camera in PTP mode"""
    camera = Camera(bed.guest, "canon2", "--maker", "canon", "--usb-mode", "storage")
    check_mode_change(bed, camera, "Canon")


def sony_two_arrays(bed):
    """finds a Sony's release operation in the second list, and guides a Sony without this operation"""
    with connected(bed, Camera(bed.guest, "sony2", "--maker", "sony", "--sony-release", "second-list")) as camera:
        camera.shoot(3)
        bed.service.check_files(bed.service.until_saved(camera.photos()))
    with Camera(bed.guest, "sony3", "--maker", "sony", "--sony-release", "nowhere"):
        condition = bed.service.until_condition("wrong-mode")
        bed.report.add_figure(condition["sentence"])
        assert "Sony" in condition["sentence"], condition
    bed.service.until_no_condition("wrong-mode")


LEFT = "photos-left-in-camera"


def sony_memory(bed):
    """counts the photos left in an unplugged Sony until its card is listed"""
    with Camera(bed.guest, "sony4", "--maker", "sony", "--rate", "500KB", size="1MB") as camera:
        bed.service.until_camera("sony4")
        camera.command("burst 8 0")
        bed.service.until(lambda _: saved_count(bed, camera.photos()) >= 1, "no photo arrives")
        camera.command("unplug")
        bed.service.until_camera("sony4", state="gone")
        camera.command("plug")
        condition = bed.service.until_condition(LEFT)
        bed.report.add_figure(condition["sentence"])
        told = next(int(word) for word in condition["sentence"].split() if word.isdigit())
        # The photos that were transferred before the unplugging are saved. The camera's last count may be too
        # high by one.
        bed.service.until(lambda _: 8 <= saved_count(bed, camera.photos()) + told <= 9,
                          f"{told} are reported as left in the camera, and the others are not saved")
        saved = saved_count(bed, camera.photos())
        assert "card reader" in (condition.get("next_step") or ""), condition
        bed.service.until_camera("sony4")
        camera.shoot()
        bed.service.until(lambda _: saved_count(bed, camera.photos()) == saved + 1, "a photo in the right mode is not saved")
        camera.command("mode mtp")
        bed.service.until_no_condition(LEFT)
