"""The package's later life."""
from rig.cameras import Camera
from rig.place import run
from .bed import connected

SUFFIX = "+rig1"
MARK = "# kept by the rig"


def newer(bed):
    """The same package with a higher version."""
    room = bed.room / "newer"
    run("dpkg-deb", "-R", bed.package, room)
    control = room / "DEBIAN" / "control"
    lines = control.read_text().splitlines()
    control.write_text("".join(line + (SUFFIX if line.startswith("Version:") else "") + "\n" for line in lines))
    target = bed.room / "newer.deb"
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", room, target)
    return target


def upgrade(bed):
    """a higher version keeps the settings and the photos, and goes on working"""
    bed.guest.run(f"echo '{MARK}' >> /etc/framefast/framefast.toml")
    before = {i: r for i, r in bed.service.records().items() if r["state"] == "saved"}
    bed.guest.put(newer(bed), "/root/newer.deb")
    bed.guest.run("cd /root && DEBIAN_FRONTEND=noninteractive apt-get -q install -y ./newer.deb", seconds=900)
    assert SUFFIX in bed.guest.run("dpkg-query -W -f '${Version}' framefast")
    assert MARK in bed.guest.run("tail -1 /etc/framefast/framefast.toml"), "the configuration was replaced"
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active after the upgrade")
    with connected(bed, Camera(bed.guest, "later1", "--maker", "canon")) as camera:
        camera.shoot(2)
        after = bed.service.until_saved(camera.photos())
    assert all(after[number] == row for number, row in before.items()), "photos were lost"


def purge(bed):
    """a purge takes the service and leaves the photos"""
    with connected(bed, Camera(bed.guest, "purged1", "--maker", "canon")) as camera:
        camera.shoot(3)
        bed.service.until_saved(camera.photos())
    listing = "find /var/lib/framefast/captures -path '*/.framefast' -prune -o -type f -exec sha256sum {} + | sort"
    before = bed.guest.run(listing)
    assert before.strip(), "there are no photos to leave"
    bed.guest.run("DEBIAN_FRONTEND=noninteractive apt-get -q purge -y framefast", seconds=900)
    assert bed.guest.run(listing) == before, "photos are gone"
    assert bed.guest.status("systemctl is-active framefastd") != 0
    for path in ("/etc/framefast", "/usr/bin/framefastd", "/var/lib/framefast/ledger.sqlite", "/lib/udev/rules.d/60-framefast.rules"):
        assert bed.guest.status(f"test -e {path}") != 0, f"{path} is still there"
    left = bed.guest.run("find /var/lib/framefast -path '*/captures' -prune -o -type f ! -name 'from-memory-*' -print")
    assert not left.strip(), f"files of the service are left: {left}"
    bed.report.note(f"{len(before.splitlines())} photos stay")
