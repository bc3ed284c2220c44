"""The installed package."""
import re

# The largest allowed exposure level of `systemd-analyze security`.
EXPOSURE_MAX = 2.0


def installed(bed):
    """installs the package by apt and starts the service"""
    guest = bed.guest
    guest.put(bed.package, f"/root/{bed.package.name}")
    guest.run(f"cd /root && DEBIAN_FRONTEND=noninteractive apt-get -q install -y ./{bed.package.name}", seconds=900)
    guest.until("systemctl is-active framefastd", "framefastd is not active")
    assert guest.run("systemctl is-enabled framefastd").strip() == "enabled", "the service does not start at boot"
    said = guest.run("systemctl show -P StatusText framefastd").strip()
    bed.report.add_figure(f"status: {said}")
    bed.report.add_figure(guest.run("dpkg-query -W -f '${Package} ${Version}  ' 'libgphoto2-6*' systemd framefast; uname -r").strip())
    assert bed.service.status()["state"] == "running"
    assert guest.run("dpkg -V framefast", status=None).strip() == "", "installed files differ from the files in the package"


def hardened(bed):
    """systemd-analyze verify is clean and the exposure is at most 2.0"""
    said = bed.guest.run("systemd-analyze verify --man=no framefastd.service").strip()
    assert not said, f"verify says: {said}"
    said = bed.guest.run("systemd-analyze security framefastd.service --no-pager", status=None)
    overall = re.search(r"Overall exposure level for framefastd.service: ([\d.]+) (\w+)", said)
    assert overall, said[-500:]
    bed.report.add_figure(f"exposure {overall[1]} ({overall[2]})")
    assert float(overall[1]) <= EXPOSURE_MAX


def rules(bed):
    """udevadm test applies the udev rules to a camera"""
    from rig.cameras import Camera
    with Camera(bed.guest, "udev1", "--maker", "nikon"):
        node = bed.guest.until("grep -l UDEV1 /sys/bus/usb/devices/*/serial", "the device is not in sysfs").strip()
        said = bed.guest.run(f"udevadm test --action=add {node.removesuffix('/serial')}")
        for line in ("60-framefast.rules", "FRAMEFAST_CAMERA=1", "FRAMEFAST_MAKER=nikon", "SYSTEMD_WANTS=framefastd.service"):
            assert line in said, f"‘{line}’ is not in what udevadm test says"
        name = re.search(r"DEVNAME=(\S+)", said)[1]
        owner = bed.guest.until(f"stat -c '%U:%G %a' {name}", "no node").strip()
        bed.report.add_figure(f"{name} is {owner}")
        assert owner == "root:framefast 660", owner
