"""The upgrade of the guest to the next release of Debian."""
import json
from rig import archive
from rig.cameras import Camera
from rig.mirror import Mirror
from rig.report import Skipped
from rig.suites import SUITES
from .bed import connected
from .package import MARK, PHOTOS

NEXT = {"bookworm": "trixie"}
SHOTS = 3
NAME, SESSION = "studio-a", "Upgrade"
# The port in the guest through which apt reads this computer's Debian archive.
PORT = 3142
APT = "apt-get -q -y -o APT::Install-Recommends=false -o Dpkg::Options::=--force-confold"
# An emulated guest needs more than an hour for the packages of a release.
DOWNLOAD_SECONDS, UPGRADE_SECONDS = 3600, 3 * 3600
LOG = "/root/upgrade.log"
# QEMU starts the kernel of the image. A new kernel and its initrd would only take time.
WITHOUT_KERNEL = ("apt-mark -q hold linux-image-amd64; "
                  "if [ -e /etc/initramfs-tools/update-initramfs.conf ]; then echo update_initramfs=no >> /etc/initramfs-tools/update-initramfs.conf; fi")


def release_upgrade(bed):
    """an upgrade from Debian 12 to 13 keeps service, settings, ledger and photos

    apt in the guest reads the Debian archive that apt on this computer uses. The guest reads the archive through the ssh
    connection, because the guest has no network."""
    guest, service = bed.guest, bed.service
    if bed.image.suite.name not in NEXT:
        raise Skipped(f"the rig has no release after {bed.image.suite.title}")
    suite = SUITES[NEXT[bed.image.suite.name]]
    with Mirror() as mirror:
        if obstacle := mirror.obstacle(suite.name):
            raise Skipped(obstacle)
        guest.run(f"echo '{MARK}' >> /etc/framefast/framefast.toml")
        with connected(bed, Camera(guest, "kept1", "--maker", "canon")) as camera:
            service.ask("cameras", "rename", service.until_camera(camera.name)["id"], NAME)
            service.ask("session", "start", SESSION)
            camera.shoot(SHOTS)
            service.until_saved(camera.photos())
        records, photos = service.records(), guest.run(PHOTOS)
        library = library_version(bed)
        download(bed, suite, mirror)
    install(bed)
    assert guest.run("cat /etc/debian_version").strip().startswith(f"{suite.number}"), "the guest is still the older release"
    assert library_version(bed) != library, "the upgrade left the older libgphoto2"
    bed.report.add_figure(f"libgphoto2 {library} before, {library_version(bed)} after")
    check_kept(bed, records, photos)
    guest.reboot()
    check_kept(bed, records, photos)
    check_camera(bed, camera, records)


def download(bed, suite, mirror):
    """Downloads the packages of the next release."""
    guest = bed.guest
    guest.shell.forward(PORT, mirror.port)
    settings = ['Acquire::Languages "none";', 'Acquire::Retries "5";',
                *(line for line in archive.settings(archive.dump()) if line.startswith("Acquire::Check-"))]
    guest.run("cat > /etc/apt/apt.conf.d/90rig", input="\n".join(settings) + "\n")
    guest.run(f"rm -f /etc/apt/sources.list.d/*; echo 'deb http://127.0.0.1:{PORT} {suite.name} main' > /etc/apt/sources.list; {WITHOUT_KERNEL}")
    guest.run("apt-get -q update", seconds=DOWNLOAD_SECONDS)
    guest.run(f"{APT} --download-only full-upgrade", seconds=DOWNLOAD_SECONDS)


def install(bed):
    """Installs the downloaded packages. A unit of systemd runs apt, because the upgrade replaces the ssh server."""
    guest = bed.guest
    guest.run(f"systemd-run --quiet --unit=rig-upgrade --remain-after-exit --setenv=DEBIAN_FRONTEND=noninteractive "
              f"sh -c 'exec {APT} --no-download full-upgrade > {LOG} 2>&1'")
    guest.until("case $(systemctl show -P SubState rig-upgrade) in exited|failed) ;; *) false ;; esac", "the upgrade does not end", UPGRADE_SECONDS)
    result = guest.run("systemctl show -P Result rig-upgrade").strip()
    assert result == "success", f"the upgrade ended with {result}: {guest.run(f'tail -n 15 {LOG}')}"
    guest.run("systemctl stop rig-upgrade; apt-get -q clean")


def library_version(bed):
    """Returns the version of libgphoto2, whose package has another name in Debian 13."""
    said = bed.guest.run("dpkg-query -W -f '${db:Status-Abbrev} ${Version}\\n' 'libgphoto2-6*'", status=None)
    return next(line.split()[1] for line in said.splitlines() if line.startswith("ii "))


def check_kept(bed, records, photos):
    """Checks the service, the settings, the ledger and the photos."""
    guest, service = bed.guest, bed.service
    assert guest.run("dpkg-query -W -f '${db:Status-Abbrev}' framefast").startswith("ii"), "the upgrade removed the package"
    guest.until("systemctl is-active framefastd", "framefastd is not active after the upgrade")
    guest.until("framefast version", "the service does not answer after the upgrade")
    assert guest.run("systemctl is-enabled framefastd").strip() == "enabled", "the upgrade disabled the service"
    assert MARK in guest.run("tail -1 /etc/framefast/framefast.toml"), "the configuration was replaced"
    assert guest.run("dpkg -V framefast", status=None).replace("??5?????? c /etc/framefast/framefast.toml", "").strip() == "", "files differ from the package's"
    assert SESSION in json.dumps(service.status()["session"]), "the session ended with the upgrade"
    now = service.records()
    assert {number: now.get(number) for number in records} == records, "[loss] the ledger has other records than before"
    assert guest.run(PHOTOS) == photos, "[loss] the photos are not the same as before"


def check_camera(bed, camera, records):
    """Checks that the known camera keeps its name, saves new photos with the new library, and saves no photo twice."""
    with connected(bed, camera):
        assert bed.service.until_camera(camera.name)["name"] == NAME, "the camera lost its name"
        camera.shoot(SHOTS)
        after = bed.service.until_saved(camera.photos())
    assert len(after) == len(records) + SHOTS, f"{len(after)} records for {len(records) + SHOTS} photos"
    bed.service.check_files(after)
    version = library_version(bed).partition("-")[0]
    sentences = [check["sentence"] for check in bed.service.ask("doctor")["checks"] if check["id"] == "libgphoto2"]
    assert any(f"libgphoto2 {version} " in sentence for sentence in sentences), f"the doctor reports {sentences}"
