"""Upgrades and removals of the package."""
import pathlib
from rig.cameras import Camera
from rig.place import run
from rig.service import CAPTURES, STATE
from .bed import connected

SUFFIX = "+rig1"
MARK = "# kept by the rig"
# Every photo with its SHA-256.
PHOTOS = f"find {CAPTURES} -path '*/.framefast' -prune -o -type f -exec sha256sum {{}} + | sort"


def newer(bed):
    """Returns the same package with a higher version."""
    folder = bed.folder / "newer"
    run("dpkg-deb", "-R", bed.package, folder)
    control = folder / "DEBIAN" / "control"
    lines = control.read_text().splitlines()
    control.write_text("".join(line + (SUFFIX if line.startswith("Version:") else "") + "\n" for line in lines))
    target = bed.folder / "newer.deb"
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", folder, target)
    return target


def older_and_newer(bed):
    """Installs the older package, if one was given. Returns the package to upgrade to."""
    older = bed.options.older
    if not older:
        return newer(bed)
    bed.guest.put(older, "/root/older.deb")
    bed.guest.run("cd /root && export DEBIAN_FRONTEND=noninteractive && apt-get -q purge -y framefast && apt-get -q install -y ./older.deb", seconds=900)
    bed.guest.until("framefast version", "the older package's service does not answer")
    return bed.package


def version(file):
    """Returns the version of a package file."""
    return run("dpkg-deb", "-f", file, "Version").strip()


def upgrade(bed):
    """an upgrade keeps settings and photos, and the service keeps working"""
    bed.guest.run(f"echo '{MARK}' >> /etc/framefast/framefast.toml")
    with connected(bed, Camera(bed.guest, "earlier1", "--maker", "canon")) as camera:
        camera.shoot(2)
        bed.service.until_saved(camera.photos())
    before = {i: r for i, r in bed.service.records().items() if r["state"] == "saved"}
    bed.guest.put(newer(bed), "/root/newer.deb")
    bed.guest.run("cd /root && DEBIAN_FRONTEND=noninteractive apt-get -q install -y ./newer.deb", seconds=900)
    assert SUFFIX in bed.guest.run("dpkg-query -W -f '${Version}' framefast")
    assert MARK in bed.guest.run("tail -1 /etc/framefast/framefast.toml"), "the configuration was replaced"
    bed.guest.until("systemctl is-active framefastd", "framefastd is not active after the upgrade")
    with connected(bed, Camera(bed.guest, "later1", "--maker", "canon")) as camera:
        camera.shoot(2)
        after = bed.service.until_saved(camera.photos())
    assert all(after[number] == row for number, row in before.items()), "[loss] photos were lost"


def purge(bed):
    """a purge removes the service and keeps the photos"""
    with connected(bed, Camera(bed.guest, "purged1", "--maker", "canon")) as camera:
        camera.shoot(3)
        bed.service.until_saved(camera.photos())
    before = bed.guest.run(PHOTOS)
    assert before.strip(), "there are no photos to leave"
    bed.guest.run("DEBIAN_FRONTEND=noninteractive apt-get -q purge -y framefast", seconds=900)
    assert bed.guest.run(PHOTOS) == before, "[loss] photos are gone"
    assert bed.guest.status("systemctl is-active framefastd") != 0
    for path in ("/etc/framefast", "/usr/bin/framefastd", "/var/lib/framefast/ledger.sqlite", "/lib/udev/rules.d/60-framefast.rules"):
        assert bed.guest.status(f"test -e {path}") != 0, f"{path} is still there"
    left = bed.guest.run("find /var/lib/framefast -path '*/captures' -prune -o -type f ! -name 'from-memory-*' -print")
    assert not left.strip(), f"files of the service are left: {left}"
    bed.report.add_figure(f"{len(before.splitlines())} photos stay")


def purge_settings(bed):
    """a purge keeps only the photos, and the next installation starts fresh

    Seen on 34c558d: presets/, intervals/, capture-folder and cameras/*/pieces.json stayed."""
    guest, service = bed.guest, bed.service
    with connected(bed, Camera(guest, "purged2", "--maker", "nikon", "--pairs")) as camera:
        body = service.until_camera(camera.name)["id"]
        service.ask("session", "start", "Last Day")
        service.ask("preset", "save", "mine", body)
        service.ask("interval", "--detach", body, "--every", "10s", "--count", "2")
        service.until(lambda _: service.ask("interval", body)["state"] != "running", "the interval does not end")
        camera.shoot(2)
        service.until_saved(camera.photos())
    photos = guest.run(PHOTOS)
    said = guest.run("DEBIAN_FRONTEND=noninteractive apt-get -q purge -y framefast 2>&1", seconds=900)
    assert guest.run(PHOTOS) == photos, "[loss] photos are gone"
    assert STATE in said, "the purge does not say where the photos are"
    found = guest.run(f"find {STATE} /etc/framefast /var/log/framefast /run/framefast -mindepth 1 -print 2>/dev/null", status=None).splitlines()
    ours = leftovers(found, [line[66:] for line in photos.splitlines()])
    assert not ours, f"the purge left {ours}"

    guest.put(bed.package, f"/root/{bed.package.name}")
    guest.run(f"cd /root && DEBIAN_FRONTEND=noninteractive apt-get -q install -y ./{bed.package.name}", seconds=900)
    guest.until("framefast version", "the service does not answer after the second installation")
    status = service.until(lambda status: status, "the service has no status")
    assert not status["cameras"] and not status["session"] and not service.ask("preset")["presets"], "the new service has state of the first installation"
    with connected(bed, Camera(guest, "again2", "--maker", "canon")) as camera:
        camera.shoot()
        service.until_saved(camera.photos())
    after = guest.run(PHOTOS).splitlines()
    assert set(photos.splitlines()) <= set(after), "[loss] photos of the first installation are gone"



def leftovers(found, photos):
    """Returns the found paths, except for photos, folders of photos, and folders `.framefast`, which mark a disk of photos."""
    kept = {str(place) for photo in photos for place in (pathlib.PurePath(photo), *pathlib.PurePath(photo).parents)}
    return sorted(path for path in found if path not in kept and ".framefast" not in pathlib.PurePath(path).parts)
