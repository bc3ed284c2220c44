"""The package, as it lies in the system."""
import json, re

# The most that the unit, as it is installed, may have.
EXPOSURE_MAX = 2.0
DROP_INS = "/etc/systemd/system/framefastd.service.d"
EXAMPLES = "/usr/share/doc/framefast/examples"


def installed(bed):
    """the package installs by apt, and the service is active"""
    guest = bed.guest
    guest.put(bed.package, f"/root/{bed.package.name}")
    guest.run(f"cd /root && DEBIAN_FRONTEND=noninteractive apt-get -q install -y ./{bed.package.name}", seconds=900)
    guest.until("systemctl is-active framefastd", "framefastd is not active")
    assert guest.run("systemctl is-enabled framefastd").strip() == "enabled", "it does not start at boot"
    said = guest.run("systemctl show -P StatusText framefastd").strip()
    bed.report.note(f"status: {said}")
    assert bed.service.status()["state"] == "running"
    assert guest.run("dpkg -V framefast", status=None).strip() == "", "files differ from the package's"


def hardened(bed):
    """systemd-analyze verify is clean, and the exposure is at most 2.0"""
    said = bed.guest.run("systemd-analyze verify --man=no framefastd.service").strip()
    assert not said, f"verify says: {said}"
    said = bed.guest.run("systemd-analyze security framefastd.service --no-pager", status=None)
    overall = re.search(r"Overall exposure level for framefastd.service: ([\d.]+) (\w+)", said)
    assert overall, said[-500:]
    bed.report.note(f"exposure {overall[1]} ({overall[2]})")
    assert float(overall[1]) <= EXPOSURE_MAX


def clock(bed):
    """the service reads the clock's error only with the example's drop-in, and cannot set the clock with it either"""
    def told():
        # The service's own word: the command line would look from outside.
        said = bed.guest.run("curl -fsS --unix-socket /run/framefast/framefast.sock http://framefast/v1/diagnosis")
        return next(check["sentence"] for check in json.loads(said)["checks"] if check["id"] == "clock")

    hidden = "Whether the clock is kept right cannot be seen from here."
    assert told() == hidden, told()
    bed.guest.run(f"mkdir -p {DROP_INS} && cp {EXAMPLES}/fleet-clock.conf {DROP_INS}/ && systemctl daemon-reload "
                  "&& systemctl restart framefastd")
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active")
    bed.report.note(f"with the drop-in: {told()}")
    assert told() != hidden
    capabilities = bed.guest.run("grep CapBnd /proc/$(systemctl show -P MainPID framefastd)/status").split()
    assert int(capabilities[1], 16) == 0, capabilities
    bed.guest.run(f"rm -r {DROP_INS} && systemctl daemon-reload && systemctl restart framefastd")
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active")


def rules(bed):
    """udevadm test shows our rules at work on a camera"""
    from rig.cameras import Camera
    with Camera(bed.guest, "udev1", "--maker", "nikon"):
        node = bed.guest.until("grep -l UDEV1 /sys/bus/usb/devices/*/serial", "the device is not in sysfs").strip()
        said = bed.guest.run(f"udevadm test --action=add {node.removesuffix('/serial')}")
        for line in ("60-framefast.rules", "FRAMEFAST_CAMERA=1", "FRAMEFAST_MAKER=nikon", "SYSTEMD_WANTS=framefastd.service"):
            assert line in said, f"‘{line}’ is not in what udevadm test says"
        name = re.search(r"DEVNAME=(\S+)", said)[1]
        owner = bed.guest.until(f"stat -c '%U:%G %a' {name}", "no node").strip()
        bed.report.note(f"{name} is {owner}")
        assert owner == "root:framefast 660", owner
