"""A wrong answer in the camera's USB menu, and the right one."""
from rig.cameras import Camera
from .bed import connected, saved_of


def changes(bed, camera, word):
    """In the wrong mode it is said what to do; in the right one it connects by itself."""
    with camera:
        condition = bed.service.until_condition("wrong-mode")
        bed.report.note(condition["sentence"])
        assert condition.get("next_step") or condition.get("nextStep"), "no next step"
        assert word in condition["sentence"], condition
        camera.say("mode ptp")
        bed.service.until_camera(camera.name)
        bed.service.until_no_condition("wrong-mode")
        camera.shoot()
        bed.service.until_saved(camera.photos())


def sony_mode(bed):
    """a Sony in MTP mode is told to change, and connects by itself when it does"""
    camera = Camera(bed.guest, "sony1", "--maker", "sony", "--usb-mode", "mtp")
    changes(bed, camera, "Sony")


def canon_mode(bed):
    """a Canon as a card reader is told to change, and connects by itself when it does"""
    camera = Camera(bed.guest, "canon2", "--maker", "canon", "--usb-mode", "storage")
    changes(bed, camera, "Canon")


def sony_two_arrays(bed):
    """a Sony that names its release in the second list of its extension is captured from; one that names it nowhere is told to change"""
    with connected(bed, Camera(bed.guest, "sony2", "--maker", "sony", "--sony-release", "second-list")) as camera:
        camera.shoot(3)
        bed.service.check_files(bed.service.until_saved(camera.photos()))
    with Camera(bed.guest, "sony3", "--maker", "sony", "--sony-release", "nowhere"):
        condition = bed.service.until_condition("wrong-mode")
        bed.report.note(condition["sentence"])
        assert "Sony" in condition["sentence"], condition
    bed.service.until_no_condition("wrong-mode")


LEFT = "photos-left-in-camera"


def sony_memory(bed):
    """a Sony that is pulled with photos in its memory: they are counted, with what to do, until the card is shown"""
    with Camera(bed.guest, "sony4", "--maker", "sony", "--rate", "500KB", size="1MB") as camera:
        bed.service.until_camera("sony4")
        camera.say("burst 8 0")
        bed.service.until(lambda _: saved_of(bed, camera.photos()) >= 1, "no photo arrives")
        camera.say("unplug")
        bed.service.until_camera("sony4", state="gone")
        camera.say("plug")
        condition = bed.service.until_condition(LEFT)
        bed.report.note(condition["sentence"])
        told = next(int(word) for word in condition["sentence"].split() if word.isdigit())
        # What had come over is saved by the next session. The camera's last word may be one ahead of what came.
        bed.service.until(lambda _: 8 <= saved_of(bed, camera.photos()) + told <= 9,
                          f"{told} are told of, and the others are not saved")
        saved = saved_of(bed, camera.photos())
        assert "card reader" in (condition.get("next_step") or ""), condition
        bed.service.until_camera("sony4")
        camera.shoot()
        bed.service.until(lambda _: saved_of(bed, camera.photos()) == saved + 1, "a photo from then on does not come")
        camera.say("mode mtp")
        bed.service.until_no_condition(LEFT)
