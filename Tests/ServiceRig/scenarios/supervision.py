"""Restarts of the service by systemd."""
import json
from rig.cameras import Camera
from .bed import connected


def check_restart(bed, camera, signal):
    """Kills or freezes the daemon, takes photos, and checks that the next daemon fetches these photos."""
    pid = bed.service.main_pid()
    bed.guest.run(f"kill -{signal} {pid}")
    camera.shoot(5)
    bed.guest.until(f"pid=$(systemctl show -P MainPID framefastd); [ $pid != 0 ] && [ $pid != {pid} ] && systemctl is-active framefastd",
                    "systemd does not start the service again", seconds=300)
    bed.service.until_camera(camera.name)
    bed.service.check_files(bed.service.until_saved(camera.photos()))
    left = bed.guest.run("pgrep -c -u framefast -f libexec/framefast/framefast-camera", status=None).strip()
    assert left == "1", f"{left} workers run for one camera"


def killed(bed):
    """systemd restarts a killed daemon, and the daemon fetches the missed photos"""
    with connected(bed, Camera(bed.guest, "killed1", "--maker", "canon")) as camera:
        check_restart(bed, camera, "KILL")


def frozen(bed):
    """the watchdog ends a frozen daemon, and the next daemon fetches missed photos"""
    with connected(bed, Camera(bed.guest, "frozen1", "--maker", "nikon")) as camera:
        check_restart(bed, camera, "STOP")
        assert "atchdog" in bed.guest.run("journalctl -q -u framefastd | grep -i watchdog", status=None), "the journal has no message about the watchdog"


def open_shutter(bed):
    """a worker closes an open shutter when its daemon is killed, frozen or stopped"""
    with connected(bed, Camera(bed.guest, "shutter1", "--maker", "canon")) as camera:
        for end in ["kill -KILL {pid}", "kill -STOP {pid}", "systemctl stop framefastd && systemctl start framefastd"]:
            began = bed.service.ask("bulb", "--detach", bed.service.until_camera(camera.name)["id"], "1h")
            assert shutter_state(camera)["open"], f"the shutter is not open: {began}"
            pid = bed.service.main_pid()
            bed.guest.run(end.format(pid=pid), status=None)
            bed.guest.until(f"pid=$(systemctl show -P MainPID framefastd); [ $pid != 0 ] && [ $pid != {pid} ]",
                            "systemd does not start the service again", seconds=300)
            started = int(bed.guest.run("systemctl show -P ExecMainStartTimestampMonotonic framefastd"))
            state = shutter_state(camera)
            assert not state["open"], f"the shutter is open after '{end}'"
            assert state["closed_ns"] // 1000 < started, f"after '{end}', only the next service closed the shutter"
            bed.service.until_camera(camera.name)
            camera.shoot()
            bed.service.until_saved(camera.photos())


def shutter_state(camera):
    """Returns the state of the shutter, as the camera reports it."""
    return json.loads(camera.command("bulb-state").removeprefix("ok "))
