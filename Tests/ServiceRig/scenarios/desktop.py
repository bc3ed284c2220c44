"""A desktop that also opens the camera."""
from rig.cameras import Camera

SESSION = "runuser -u desk -- env XDG_RUNTIME_DIR=/run/user/$(id -u desk) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u desk)/bus"
EXCLUSIVE = "99-framefast-exclusive.rules"


def gvfs(bed):
    """reports that gvfs uses a camera, and the rule that an administrator can add excludes gvfs"""
    guest, service = bed.guest, bed.service
    # On a desktop the seat's owner may open the camera. This guest has no seat, so the user joins the group.
    guest.run("usermod -aG framefast desk; systemctl restart user@$(id -u desk).service; systemctl stop framefastd")
    try:
        with Camera(guest, "desk1", "--maker", "nikon", "--existing", "1"):
            # FrameFast's udev rule starts the service as soon as a camera is plugged in. The service must stay stopped until gvfs has
            # the camera.
            guest.run("systemctl stop framefastd")
            uri = guest.until(f"{SESSION} gio mount -li | sed -n 's/.*activation_root=//p' | grep -m1 gphoto2", "gvfs does not see the camera").strip()
            guest.run(f"{SESSION} gio mount {uri}")
            guest.run("systemctl start framefastd")
            condition = service.until_condition("camera-held")
            bed.report.add_figure(condition["sentence"])
            assert "gvfs" in condition["sentence"], condition
            guest.run(f"{SESSION} gio mount -u {uri}")
            service.until_camera("desk1")
            guest.run(f"cp /usr/share/framefast/udev/{EXCLUSIVE} /etc/udev/rules.d/ && udevadm control --reload")
        with Camera(guest, "desk2", "--maker", "nikon"):
            service.until_camera("desk2")
            seen = guest.run(f"{SESSION} gio mount -li | grep -c gphoto2://", status=None).strip()
            assert seen == "0", "gvfs still sees the camera"
    finally:
        guest.run(f"rm -f /etc/udev/rules.d/{EXCLUSIVE}; udevadm control --reload; gpasswd -d desk framefast; systemctl start framefastd", status=None)
