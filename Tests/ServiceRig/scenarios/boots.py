"""Checks that cameras open after a boot of the computer, without a restart of the service."""
import contextlib, re
from rig.cameras import Camera, QEMUCamera
from .attached import ALLOW_QEMU, QEMU_SERIAL, intact_photo, take_photo
from .bed import connected

REBOOTS = 5
DROP_IN = "/run/systemd/system/framefastd.service.d"


def first_boot(bed):
    """a camera opens after the first boot since the installation

    Seen on 34c558d, on Debian 12 and 13: no camera opened until the service was restarted."""
    bed.guest.reboot()
    check_camera_opens(bed, "first1")


def reboots(bed):
    """a camera opens after each of five reboots

    Seen on 34c558d: no camera opened, as after the first boot."""
    for number in range(1, REBOOTS + 1):
        bed.guest.reboot()
        check_camera_opens(bed, f"again{number}")
    bed.report.add_figure(f"{REBOOTS} reboots")


def boot_plugged_in(bed):
    """opens a camera that was plugged in before the boot

    QEMU's device is on the bus at the kernel's first scan of the bus. Simulated cameras are always plugged in later.
    Seen on 34c558d: "/dev/bus/usb/… belongs to root:framefast with permissions 0660", and the next step "Install FrameFast's
    udev rule", although the rule was installed."""
    photo, folder = intact_photo(bed), bed.folder / "mtp"
    camera = QEMUCamera(bed.guest, folder)
    bed.guest.run(ALLOW_QEMU)
    bed.guest.reboot(devices=[camera.option])
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active after the boot")
    with same_service(bed):
        bed.service.until_camera(QEMU_SERIAL)
        bed.service.until_saved([take_photo(bed, folder, 1, photo)])


def boot_without_usb(bed):
    """a camera opens after a boot in which only the service needs USB

    Without a USB controller nothing else loads usbcore, so the order of the boot is the same each time. Seen on 34c558d:
    systemd resolved DeviceAllow=char-usb_device before usbcore had registered its devices, so the setting allowed no device. No
    camera could be opened until the service was restarted."""
    bed.guest.reboot(usb=False)
    check_camera_opens(bed, "usbless1")


def sandbox_without_usb(bed):
    """reports a device that the sandbox refuses, with a working next step

    The unit is given a sandbox without USB devices. Seen on 34c558d: the next step named the udev rule, although group and mode were right."""
    guest, service = bed.guest, bed.service
    guest.run(f"mkdir -p {DROP_IN} && printf '[Service]\\nDeviceAllow=\\nDevicePolicy=closed\\n' > {DROP_IN}/rig.conf && "
              "systemctl daemon-reload && systemctl restart framefastd")
    with Camera(guest, "refused1", "--maker", "canon") as camera:
        condition = service.until_condition("no-permission")
        step = condition["next_step"] or ""
        bed.report.add_figure(f"{condition['sentence']} {step}")
        command = re.search(r"systemctl restart framefastd", f"{condition['sentence']} {step}")
        assert command, "neither sentence nor next step names the restart"
        guest.run(f"rm -r {DROP_IN} && systemctl daemon-reload && {command[0]}")
        service.until_camera(camera.name)
        service.until_no_condition("no-permission")


def check_camera_opens(bed, name):
    """Plugs in a camera. Checks that the running service opens the camera and saves its photos, without a restart."""
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active after the boot")
    with same_service(bed):
        with connected(bed, Camera(bed.guest, name, "--maker", "canon")) as camera:
            camera.shoot(2)
            bed.service.check_files(bed.service.until_saved(camera.photos()))


@contextlib.contextmanager
def same_service(bed):
    """Checks that the service does not restart during the context."""
    before = invocation_id(bed)
    yield
    assert invocation_id(bed) == before, "the service was started again"


def invocation_id(bed):
    """Returns systemd's id of this start of the service."""
    return bed.guest.run("systemctl show -P InvocationID framefastd").strip()
