"""systemd keeps the service alive."""
from rig.cameras import Camera
from .bed import connected


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
