"""Consistency of status, doctor, get and the event stream."""
import contextlib, json
from rig.cameras import Camera
from rig.people import Program
from .bed import connected

# Exit status of doctor when something needs attention.
ATTENTION = 4
MAKERS = ("canon", "nikon", "sony", "fuji", "generic")
# Settings that the status shows, and the number of tested values of each.
KEYS, VALUES_MAX = ("aperture", "iso", "shutter"), 4
SHOWN_SECONDS = 20
# The file with the event stream, and its unit.
STREAM, STREAM_UNIT = "/run/rig-events", "rig-events"
# Values that are not plain exposure times.
NO_TIMES = (None, "auto", "bulb", "time")


def doctor_conditions(bed):
    """doctor lists every condition of the status, including those of connected cameras

    Seen on 34c558d: status "4 photos are damaged", doctor "is connected" and "Nothing needs attention" with status 0."""
    with connected(bed, Camera(bed.guest, "damaged1", "--maker", "nikon")) as camera:
        camera.command("fault truncated*always")
        camera.shoot(2)
        bed.service.until_condition("photo-damaged", seconds=240)
        before = conditions(bed)
        said = Program(bed.guest, "root").types("framefast doctor --plain")
        found = {check["id"] for check in bed.service.ask("doctor")["checks"] if check["verdict"] != "ok"}
        # Ignores conditions that appeared or ended between the two calls.
        told = before & conditions(bed)
        bed.report.add_figure(f"status: {sorted(told)}, doctor: {sorted(found)}")
        assert told <= found, f"doctor does not have {sorted(told - found)}"
        assert said.status == ATTENTION, f"doctor ends with {said.status}"


def conditions(bed):
    return {condition["code"] for condition in bed.service.status()["conditions"]}


def doctor_names(bed):
    """doctor ignores the name of an earlier camera at the same port

    Seen on 34c558d: doctor used the name of the first camera that ever had this port."""
    names, ports = [], []
    for number, maker in enumerate(("nikon", "canon"), start=1):
        # Loading the module again restarts the bus's numbers, as a boot does. Each camera is then the first device, at the same port.
        bed.guest.run("rmmod vhci_hcd 2>/dev/null; ! grep -q '^vhci_hcd ' /proc/modules")
        with connected(bed, Camera(bed.guest, f"port{number}", "--maker", maker)) as camera:
            status = bed.service.until_camera(camera.name)
            names.append(status["name"])
            ports.append(status["port"])
            titles = [check["title"] for check in bed.service.ask("doctor")["checks"]]
    bed.report.add_figure(f"{names} at {ports}")
    assert ports[0] == ports[1], f"the virtual bus did not restart its numbers: {ports}"
    assert names[1] in titles and names[0] not in titles, f"doctor names {titles}"


def changed_settings(bed):
    """status, get and the event stream show changes by `set` and by dials

    Seen on 34c558d: after four changes on a Nikon, `status` had f/2.8, but `get` had 11. For a Sony, the shown value was old, on Debian 12
    and 13. Canon and Fujifilm were right."""
    wrong = []
    for maker in MAKERS:
        with connected(bed, Camera(bed.guest, f"shown{maker}", "--maker", maker)) as camera, event_stream(bed):
            body = bed.service.until_camera(camera.name)["id"]
            try:
                tried = sum(change_setting(bed, body, key) for key in KEYS)
                assert tried, "no setting could be changed"
                turn_dial(bed, camera, body)
                bed.report.add_figure(f"{maker}: {tried} changes")
            except AssertionError as failure:
                wrong.append(f"{maker}: {failure}")
    assert not wrong, "; ".join(wrong)


def change_setting(bed, body, key):
    """Sets a camera to some of its offered values. Returns the number of changes that the camera confirmed with a value."""
    tried = 0
    for value in values(bed, body, key):
        changes = bed.service.ask("set", body, f"{key}={value}").get("results", [])
        now = next((change["value"] for change in changes if change["key"] == key), None)
        if now is not None:
            tried += 1
            wait_until_shown(bed, body, key, now, f"after set {key}={value}")
    return tried


def values(bed, body, key):
    """Returns values that a camera offers, except for the current one."""
    settings = [setting for setting in bed.service.ask("get", body, key).get("settings", []) if setting["key"] == key]
    return [value for setting in settings if setting["writable"] != "no"
            for value in setting["choices"] if value not in (*NO_TIMES, setting["value"])][:VALUES_MAX]


def turn_dial(bed, camera, body):
    """Turns the body's dial for ISO."""
    for value in values(bed, body, "iso")[:1]:
        camera.command(f"dial iso={value}")
        wait_until_shown(bed, body, "iso", value, f"after the dial was turned to ISO {value}")


@contextlib.contextmanager
def event_stream(bed):
    """Writes the service's events to ``STREAM``."""
    bed.guest.run(f"rm -f {STREAM}; systemd-run --quiet --collect --unit={STREAM_UNIT} sh -c 'exec framefast events --follow >{STREAM}'")
    try:
        bed.guest.until(f"test -s {STREAM}", "the event stream has no snapshot")
        yield
    finally:
        bed.guest.run(f"systemctl stop {STREAM_UNIT}", status=None)


def wait_until_shown(bed, body, key, wanted, when):
    """Waits until the status, the event stream and `get` have the wanted value."""
    looks = {
        "status": lambda: shown_value(bed.service.status(), body, key),
        "the event stream": lambda: streamed_value(bed.guest.run(f"cat {STREAM}"), body, key),
        # Runs `get` last, because `get` makes the service read the value from the camera.
        "get": lambda: read_value(bed, body, key),
    }
    for place, look in looks.items():
        try:
            bed.service.until(lambda _: look() == wanted, when, SHOWN_SECONDS)
        except AssertionError:
            raise AssertionError(f"{when} the camera has {wanted}, and {place} has {look()}") from None


def shown_value(status, body, key):
    """Returns a camera's setting from the status, or `None` if the status has none."""
    exposure = next((camera["exposure"] for camera in status["cameras"] if camera["id"] == body), None)
    return (exposure or {}).get(key)


def read_value(bed, body, key):
    """Returns a camera's setting from `get`, or `None` if the camera does not have the setting."""
    return next((setting["value"] for setting in bed.service.ask("get", body, key).get("settings", []) if setting["key"] == key), None)


def streamed_value(lines, body, key):
    """Returns a camera's setting from the last event with this camera, or `None` if that event does not have the setting."""
    value = None
    # The last line may be incomplete.
    for line in lines.rpartition("\n")[0].splitlines():
        event = json.loads(line)
        cameras = [event["camera"]] if event["kind"] == "camera" else event["snapshot"]["cameras"] if event["kind"] == "snapshot" else []
        if any(camera["id"] == body for camera in cameras):
            value = shown_value({"cameras": cameras}, body, key)
    return value
