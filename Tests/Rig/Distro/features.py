"""The contract of one camera. Each function in `FEATURES` checks a feature, and raises `Failed` if it does not work."""

import dataclasses
import os
import signal

import reworded
from camera import Camera
from chroot import Failed, Root
from makers import Maker
from service import NAME, Service
from waiting import until

SHOTS_ON_BODY, SHOTS_BY_ORDER = 3, 2
INTERVAL_SHOTS, STACK_SHOTS = 5, 2
BULB_SECONDS = 1
# The time between the start and stop commands of a bulb exposure varies by some milliseconds.
_BULB_TOLERANCE_SECONDS = 0.1
_FRAME = "/tmp/frame.jpg"
# The values of a setting that are not numbers.
_WORDS = ("auto", "bulb", "time")


@dataclasses.dataclass
class Bed:
    """A simulated camera and the service that uses it."""

    root: Root
    maker: Maker
    camera: Camera
    service: Service
    # The version of libgphoto2 in the root.
    library: str


def tap(bed: Bed) -> None:
    """When the camera is ready, the packet tap has seen requests in libgphoto2's log."""
    bed.service.until_ready()
    if not bed.service.requests():
        raise Failed("the packet tap has seen no request, although the camera is ready")


def photos(bed: Bed) -> None:
    """Photos from the body and from remote triggers are saved with their exact bytes."""
    bed.camera.say(f"shoot {SHOTS_ON_BODY}")
    bed.service.until_saved(bed.camera.taken())
    for _ in range(SHOTS_BY_ORDER):
        bed.service.cli("shoot", "--camera", NAME)
    taken = bed.camera.taken()
    # Each shot is a RAW file and a JPEG.
    if len(taken) != 2 * (SHOTS_ON_BODY + SHOTS_BY_ORDER):
        raise Failed(f"the camera made {len(taken)} files in {SHOTS_ON_BODY + SHOTS_BY_ORDER} shots")
    bed.service.until_saved(taken)


def settings(bed: Bed) -> None:
    """Exposure settings can be read and changed, and the body has the new value."""
    if bed.maker.exposure_dials:
        bed.camera.say(f"dial {bed.maker.exposure_dials}")
        until("the dials to be known", lambda: _setting(bed, "aperture")["writable"] != "no")
    if bed.maker.sets_mode:
        for word in ("P", "M"):
            _change(bed, "mode", word)
    for key in ("aperture", "shutter", "iso"):
        _change(bed, key, another(_setting(bed, key)))


def _setting(bed: Bed, key: str) -> dict:
    found = bed.service.json("get", NAME, key, "--choices", statuses=(0, 1))["settings"]
    if not found:
        raise Failed(f"the camera has no setting '{key}'")
    return found[0]


def another(setting: dict) -> str:
    """Returns an offered value next to the current value.

    A neighbor of the current value is safe. The ends of a list are long exposures, or apertures that the lens does not have.

    Raises `Failed` if the camera offers no such value.
    """
    choices = [choice for choice in setting["choices"] if choice == setting["value"] or choice not in _WORDS]
    if setting["value"] in choices and len(choices) > 1:
        at = choices.index(setting["value"])
        return choices[at + 1] if at + 1 < len(choices) else choices[at - 1]
    raise Failed(f"the camera offers no value of '{setting['key']}' next to {setting['value']}: {setting['choices']}")


def _change(bed: Bed, key: str, value: str) -> None:
    before = bed.camera.controls()
    bed.service.cli("set", NAME, f"{key}={value}")
    if (now := _setting(bed, key)["value"]) != value:
        raise Failed(f"{key} was set to {value}, and the camera reports {now}")
    if bed.camera.controls() == before:
        raise Failed(f"{key} was set to {value}, and the body did not change")


def live_view(bed: Bed) -> None:
    """Live view returns complete frames."""
    for _ in range(2):
        bed.service.cli("live", NAME, "--save", _FRAME)
        frame = (bed.root.path / _FRAME.lstrip("/")).read_bytes()
        if not frame.startswith(b"\xff\xd8") or not frame.endswith(b"\xff\xd9"):
            raise Failed(f"a frame of {len(frame)} bytes is not a complete JPEG")


def interval(bed: Bed) -> None:
    """An interval reports each of its photos as taken or missed, and the taken photos are saved."""
    before = len(bed.camera.taken())
    # The exit status is 1 if the interval missed a photo, which happens on a busy computer.
    bed.service.cli("interval", NAME, "--every", "1s", "--count", INTERVAL_SHOTS, statuses=(0, 1))
    shots = shots_of(bed.service.json("interval", NAME, statuses=(0, 1)))
    taken = bed.camera.taken()
    if len(taken) != before + 2 * shots:
        raise Failed(f"the camera made {len(taken) - before} files in {shots} shots of an interval")
    bed.service.until_saved(taken)


def shots_of(interval: dict) -> int:
    """Returns the number of photos that an interval took, as `framefast interval` reports it.

    Raises `Failed` if the interval took fewer than two photos, or does not report every photo as taken or missed.
    """
    shot = interval["shot"]
    missed, refused = (sum(one["last"] - one["first"] + 1 for one in interval[key]) for key in ("missed", "refused"))
    if interval["state"] != "ended" or refused or shot < 2 or shot + missed != INTERVAL_SHOTS:
        account = f"{shot} of {INTERVAL_SHOTS} photos taken, {missed} missed, {refused} refused"
        raise Failed(f"the interval is {interval['state']}: {account}; {interval['reason']}")
    return shot


def bulb(bed: Bed) -> None:
    """A long exposure opens the shutter for the requested time, and its photo is saved."""
    if not bed.maker.bulb_dials:
        bed.service.cli("bulb", NAME, f"{BULB_SECONDS}s")
        raise Failed("the command succeeded, although the body supports no long exposures")
    before = bed.camera.shutter()
    bed.camera.say(f"dial {bed.maker.bulb_dials}")
    try:
        bed.service.cli("bulb", NAME, f"{BULB_SECONDS}s")
        after = bed.camera.shutter()
        if after["opened_ns"] in (None, before["opened_ns"]):
            raise Failed("the command succeeded, and the shutter was not opened")
        if after["open"] or after["closed_ns"] is None:
            raise Failed("the command ended, and the shutter is still open")
        seconds = (after["closed_ns"] - after["opened_ns"]) / 1e9
        if seconds < BULB_SECONDS - _BULB_TOLERANCE_SECONDS:
            raise Failed(f"the shutter was open for {seconds:.3f} s instead of {BULB_SECONDS} s")
        bed.service.until_saved(bed.camera.taken())
    finally:
        bed.camera.say(f"dial {bed.maker.normal_dials}")


def focus_stack(bed: Bed) -> None:
    """A focus stack takes a photo at each focus position and leaves the shutter button released."""
    before = len(bed.camera.taken())
    bed.service.cli("stack", NAME, "--count", STACK_SHOTS, "--size", "small")
    if not bed.maker.moves_focus:
        raise Failed("the command succeeded, although the driver cannot move the focus of this body")
    taken = bed.camera.taken()
    if len(taken) != before + 2 * STACK_SHOTS:
        raise Failed(f"the camera made {len(taken) - before} files in a focus stack of {STACK_SHOTS} shots")
    # Only an EOS has a button that the client presses and releases.
    state = bed.camera.shutter()
    if state["open"] or state.get("button", "up") != "up":
        raise Failed(f"the command ended, and the shutter button is still pressed: {state}")
    bed.service.until_saved(taken)


def reconnect(bed: Bed) -> None:
    """After the worker is killed, a new worker connects to the camera and saves photos."""
    killed = bed.service.workers()
    if len(killed) != 1:
        raise Failed(f"the service has {len(killed)} workers for one camera")
    os.kill(killed[0], signal.SIGKILL)
    until("a new worker", lambda: set(bed.service.workers()) - set(killed))
    # The service may still report the state of the killed worker.
    until("the packet tap of the new worker", bed.service.requests)
    bed.service.until_ready()
    bed.camera.say("shoot")
    bed.service.until_saved(bed.camera.taken())


def doctor(bed: Bed) -> None:
    """The doctor identifies the library and the camera, and finds nothing to repair."""
    checks = bed.service.json("doctor", statuses=(0, 4))["checks"]
    problems = [f"{one['title']}: {one['sentence']}" for one in checks if one["verdict"] in ("warning", "danger")]
    if problems:
        raise Failed("; ".join(problems))
    for id, words in (("libgphoto2", f"libgphoto2 {bed.library} is installed."), ("camera", " is connected at ptpip:127.0.0.1:")):
        said = [one["sentence"] for one in checks if one["id"] == id]
        if len(said) != 1 or words not in said[0]:
            raise Failed(f"the doctor reports for {id}: {said}")


def reworded_log(bed: Bed) -> None:
    """If the packet log has unknown words, the service reports one condition (photos only) and still saves photos.

    This is the last feature, because the service keeps the changed library.
    """
    bed.service.restart(reworded.install(bed.root))
    bed.service.until_ready()
    conditions = bed.service.json("status", statuses=(0, 4))["conditions"]
    found = [one for one in conditions if one["about"] == "camera"]
    if [one["code"] for one in found] != ["photos-only"] or f"libgphoto2 {bed.library}" not in found[0]["sentence"]:
        raise Failed(f"the service reports these conditions of the camera: {found}")
    bed.camera.say("shoot")
    bed.service.until_saved(bed.camera.taken())
    bed.service.cli("shoot", "--camera", NAME)
    bed.service.until_saved(bed.camera.taken())
    try:
        bed.service.cli("get", NAME, "iso")
    except Failed as refusal:
        if "libgphoto2" not in str(refusal):
            raise
    else:
        raise Failed("a setting was read, although the worker does not see the packets")


# The features in the order in which they run. The names are the columns of the table.
FEATURES = {
    "tap": tap, "photos": photos, "settings": settings, "live view": live_view, "interval": interval, "bulb": bulb,
    "focus stack": focus_stack, "reconnect": reconnect, "doctor": doctor,
    "reworded log": reworded_log,
}
