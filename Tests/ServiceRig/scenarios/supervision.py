"""systemd keeps the service alive."""
import json, re
from rig.cameras import Camera
from rig.place import ROOT
from .bed import connected

HEAVY_SHOTS = 15


def comes_back(bed, camera, signal):
    """Ends or freezes the daemon while photos are taken: another one takes over and fetches them."""
    pid = bed.service.main_pid()
    bed.guest.run(f"kill -{signal} {pid}")
    camera.shoot(5)
    bed.guest.until(f"pid=$(systemctl show -P MainPID framefastd); [ $pid != 0 ] && [ $pid != {pid} ] && systemctl is-active framefastd",
                    "systemd does not start it again", seconds=300)
    bed.service.until_camera(camera.name)
    bed.service.check_files(bed.service.until_saved(camera.photos()))
    left = bed.guest.run("pgrep -c -u framefast -f libexec/framefast/framefast-camera", status=None).strip()
    assert left == "1", f"{left} workers run for one camera"


def killed(bed):
    """a killed daemon is started again and fetches what it missed"""
    with connected(bed, Camera(bed.guest, "killed1", "--maker", "canon")) as camera:
        comes_back(bed, camera, "KILL")


def frozen(bed):
    """a frozen daemon is ended by the watchdog, and the next one fetches what it missed"""
    with connected(bed, Camera(bed.guest, "frozen1", "--maker", "nikon")) as camera:
        comes_back(bed, camera, "STOP")
        assert "atchdog" in bed.guest.run("journalctl -q -u framefastd | grep -i watchdog", status=None), "not the watchdog's doing"


def open_shutter(bed):
    """a daemon that is killed, frozen or stopped while a shutter is open: its worker closes it before another one starts"""
    with connected(bed, Camera(bed.guest, "shutter1", "--maker", "canon")) as camera:
        for end in ["kill -KILL {pid}", "kill -STOP {pid}", "systemctl stop framefastd && systemctl start framefastd"]:
            began = bed.service.ask("bulb", "--detach", bed.service.until_camera(camera.name)["id"], "1h")
            assert shutter(camera)["open"], f"the shutter is not open: {began}"
            pid = bed.service.main_pid()
            bed.guest.run(end.format(pid=pid), status=None)
            bed.guest.until(f"pid=$(systemctl show -P MainPID framefastd); [ $pid != 0 ] && [ $pid != {pid} ]",
                            "systemd does not start it again", seconds=300)
            started = int(bed.guest.run("systemctl show -P ExecMainStartTimestampMonotonic framefastd"))
            state = shutter(camera)
            assert not state["open"], f"the shutter is open after '{end}'"
            assert state["closed_ns"] // 1000 < started, f"after '{end}' it was closed by the next service only"
            bed.service.until_camera(camera.name)
            camera.shoot()
            bed.service.until_saved(camera.photos())


def shutter(camera):
    """What the camera itself knows of its shutter."""
    return json.loads(camera.say("bulb-state").removeprefix("ok "))


def memory(bed):
    """the unit's bounds of memory are the kernel's, and a service that may have no more than it has at rest saves every photo"""
    guest, group = bed.guest, "/sys/fs/cgroup/system.slice/framefastd.service"

    def figures(name):
        return guest.run(f"cat {group}/memory.{name}").split()

    units = dict(re.findall(r"^(Memory(?:High|Max))=(\d+)G$", (ROOT / "systemd/framefastd.service").read_text(), re.MULTILINE))
    bounds = [int(units[key]) << 30 for key in ("MemoryHigh", "MemoryMax")]
    assert [int(*figures("high")), int(*figures("max"))] == bounds, f"{figures('high')}, {figures('max')}: not {bounds}"
    with connected(bed, Camera(guest, "heavy", "--maker", "canon", size="8MB")) as camera:
        # What it has now with its worker, and no more: the pages of photos that it writes go beyond.
        held = int(*figures("current"))
        guest.run(f"systemctl set-property --runtime framefastd MemoryHigh={held}")
        try:
            camera.shoot(HEAVY_SHOTS)
            bed.service.check_files(bed.service.until_saved(camera.photos()))
            events = dict(zip(*[iter(figures("events"))] * 2))
            assert int(events["high"]) > 0, f"it was never held: {events}"
            assert events["oom_kill"] == "0", f"somebody was killed: {events}"
        finally:
            guest.run("rm -rf /run/systemd/system.control/framefastd.service.d; systemctl daemon-reload")
        assert int(*figures("high")) == bounds[0], "the bound is not what it was"
    bed.report.note(f"held at {held >> 20} MiB: {HEAVY_SHOTS} photos of 8 MB, held {events['high']} times, nobody killed")
