"""A desktop that wants the camera, too."""
import shlex

from rig.cameras import Camera

SESSION = "runuser -u desk -- env XDG_RUNTIME_DIR=/run/user/$(id -u desk) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u desk)/bus"
EXCLUSIVE = "99-framefast-exclusive.rules"


def gvfs(bed):
    """gvfs holding the camera is named, lets go when its own user takes the camera, and the package's rule keeps it away"""
    guest, service = bed.guest, bed.service

    def answer(value):
        guest.run(f"echo 'framefast framefast/exclusive-cameras boolean {value}' | debconf-set-selections && "
                  "dpkg-reconfigure --frontend noninteractive framefast")
        assert (guest.status(f"test -e /etc/udev/rules.d/{EXCLUSIVE}") == 0) == (value == "true"), "the rule is not as answered"

    # On a desktop the seat's owner may open the camera; this guest has no seat.
    guest.run("usermod -aG framefast desk; systemctl restart user@$(id -u desk).service")
    # udev's rule starts the service as soon as a camera is plugged in: the desktop must be first.
    guest.run("systemctl mask --runtime --now framefastd")
    try:
        with Camera(guest, "desk1", "--maker", "nikon", "--existing", "1"):
            uri = guest.until(f"{SESSION} gio mount -li | sed -n 's/.*activation_root=//p' | grep -m1 gphoto2", "gvfs does not see the camera").strip()
            guest.run(f"{SESSION} gio mount {uri}")
            guest.run("systemctl unmask --runtime framefastd; systemctl start framefastd")
            condition = service.until_condition("camera-held")
            bed.report.note(condition["sentence"])
            assert "gvfs" in condition["sentence"], condition
            take = f"framefast cameras take {shlex.quote(condition['subject'])} --yes --plain"
            # Not even root ends somebody's desktop.
            assert guest.status(take) == 5, "root took the camera from another login"
            bed.report.note(guest.run(f"{SESSION} {take}").splitlines()[0])
            service.until_camera("desk1")
            answer("true")
        with Camera(guest, "desk2", "--maker", "nikon"):
            service.until_camera("desk2")
            seen = guest.run(f"{SESSION} gio mount -li | grep -c gphoto2://", status=None).strip()
            assert seen == "0", "gvfs still sees the camera"
    finally:
        guest.run("systemctl unmask --runtime framefastd", status=None)
        answer("false")
        guest.run("gpasswd -d desk framefast; systemctl start framefastd", status=None)
