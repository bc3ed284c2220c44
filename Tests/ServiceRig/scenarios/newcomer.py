"""README and the guides, typed word for word by a person with an ordinary account."""
import re
from rig.cameras import Camera
from rig.newcomer import ATTENTION, CTRL_C, DONE, LEFT, REFUSED, Newcomer
from .bed import connected
from .package import PHOTOS, older_and_newer, version

# The headings whose commands the newcomer types, by document. The newcomer skips commands that build the package.
HEADINGS = {
    "readme": ("Install", "The first photo", "Day by day"),
    "guide": ("Other folders, names and rules", "Uploads", "Remove it"),
    "status_bars": ("Status bars",),
}
BUILDS = "scripts/"
FOLDERS, SERVER = "Other folders, names and rules", "nas.local"


def newcomer_first_photo(bed):
    """messages and README lead a person outside the group to the first photo

    Seen on 34c558d: the first message had no command, "Run it as root, or as a member of group framefast"."""
    person = Newcomer(bed.guest)
    bed.guest.run(f"gpasswd -d {person.name} framefast", status=None)
    first = person.does("framefast status", REFUSED)
    bed.report.add_figure(first.strip().replace("\n", " / "))
    advice = usermod(first)
    assert advice, f"the first message has no command that can be copied: {first}"
    person.does(advice)
    person.watches(person.readme.line("framefast connect"), CTRL_C, LEFT)
    with connected(bed, Camera(bed.guest, "first2", "--maker", "canon")) as camera:
        person.does("framefast connect --usb --timeout 5min")
        person.reads("framefast session start")
        camera.shoot(2)
        bed.service.until_saved(camera.photos())
        person.watches(person.readme.line("framefast watch"), "q", DONE)
        said = person.reads("framefast captures")
        assert ".jpg" in said.lower(), f"the photo is not listed: {said}"
        photos = bed.service.check_files(bed.service.records())
        assert any("/Bangkok Wedding/" in path for path in photos), f"the photos are in {sorted(photos)}"
        for path in photos:
            person.does(f"test -r '{path}'")
        person.does(person.guide.inline("framefast template test"))
        for line in person.status_bars.commands("Status bars"):
            person.does(line)
        for line in person.readme.commands("Day by day"):
            person.does(line, DONE, ATTENTION)


def newcomer_folder(bed):
    """saves photos with another folder and template, as the guide says"""
    person = Newcomer(bed.guest)
    person.joins()
    with connected(bed, Camera(bed.guest, "moved1", "--maker", "nikon")) as camera:
        person.writes(person.guide.toml(FOLDERS))
        for line in person.guide.commands(FOLDERS):
            person.does(line)
        check_photo_path(bed, camera, lambda path: path.startswith("/srv/photos/") and re.search(r"/DSC\w*\.jpg$", path, re.I))
        person.writes(person.guide.toml(FOLDERS).replace("{original}", "new-{original}"))
        person.does(person.guide.inline("sudo systemctl reload"))
        if any(condition["code"] == "configuration-needs-restart" for condition in bed.service.status()["conditions"]):
            bed.report.add_figure("another template needs a restart, and status says so")
            person.reads("sudo systemctl restart framefastd", of=person.guide)
        check_photo_path(bed, camera, lambda path: "/new-" in path)


def newcomer_preset(bed):
    """saves, compares and applies a preset"""
    person = Newcomer(bed.guest)
    person.joins()
    with connected(bed, Camera(bed.guest, "preset1", "--maker", "canon")) as camera:
        body = bed.service.until_camera(camera.name)["id"]
        person.does(f"framefast cameras rename {body} studio-a")
        person.does(person.document("docs/remote-control.md").inline("framefast preset save"))
        person.does("framefast preset list")
        person.does("framefast preset show studio")
        person.does(preset(person, "diff"))
        now = bed.service.ask("get", body, "iso")["settings"][0]
        other = next(value for value in now["choices"] if value not in (None, "auto", now["value"]))
        person.does(f"framefast set studio-a iso={other}")
        person.does(preset(person, "diff"), ATTENTION)
        person.does(preset(person, "apply"))
        person.does(preset(person, "diff"))
        assert bed.service.ask("get", body, "iso")["settings"][0]["value"] == now["value"], "the preset did not restore the value"
        person.does("framefast preset remove studio")


def newcomer_upload(bed):
    """uploads photos to an SFTP server, as the documents say"""
    person, guest = Newcomer(bed.guest), bed.guest
    person.joins()
    # The server is an account of this guest.
    guest.run(f"grep -q {SERVER} /etc/hosts || echo '127.0.0.1 {SERVER}' >> /etc/hosts; "
              "id photos >/dev/null 2>&1 || useradd --create-home --shell /bin/bash photos; install -d -o photos -g photos /home/photos/photos")
    keys = person.document("docs/raspberry-pi.md")
    person.does(keys.line("sudo ssh-keygen"))
    person.does(keys.line("sudo chown framefast: /etc/framefast/"))
    public = person.does(keys.line("sudo cat")).strip().splitlines()[-1]
    guest.run(f"install -d -m 0700 -o photos -g photos /home/photos/.ssh && echo '{public}' > /home/photos/.ssh/authorized_keys && "
              "chown photos: /home/photos/.ssh/authorized_keys")
    login = [line for line in keys.text.splitlines() if line.startswith(("user =", "key_file =", "host_keys ="))]
    person.writes(person.guide.toml("Uploads") + "\n".join(login) + "\n")
    person.reads("sudo systemctl reload framefastd", of=person.guide)
    bed.service.until(lambda status: status["destinations"], "the destination is missing after the reload")
    bed.report.add_figure(person.reads("framefast destinations test", of=person.guide).strip().splitlines()[0])
    with connected(bed, Camera(guest, "sent1", "--maker", "nikon", "--pairs")) as camera:
        camera.shoot(3)
        photos = camera.photos()
        bed.service.until_saved(photos)
        bed.service.until(lambda status: status["uploads"]["delivered"] >= len(photos), "the photos are not delivered")
    there = guest.run("find /home/photos/photos -type f ! -name '.*' -exec sha256sum {} +").splitlines()
    assert sorted(line[:64] for line in there) == sorted(photos), f"[loss] {len(there)} files are on the server, {len(photos)} were taken"


def newcomer_package(bed):
    """keeps photos after a restart, an upgrade, a purge and a new installation"""
    person, guest = Newcomer(bed.guest), bed.guest
    target = older_and_newer(bed)
    person.joins()
    home = f"/home/{person.name}"
    with connected(bed, Camera(guest, "kept1", "--maker", "canon")) as camera:
        camera.shoot(2)
        person.reads("sudo systemctl restart framefastd", of=person.guide)
        bed.service.until_camera(camera.name)
        check_photo_path(bed, camera, lambda path: True)
        before = person.does("dpkg-query -W -f '${Version}' framefast")
        guest.put(target, f"{home}/framefast_newer.deb")
        person.reads("sudo apt install")
        after = person.does("dpkg-query -W -f '${Version}' framefast")
        bed.report.add_figure(f"from {before} to {after}")
        assert after.strip() == version(target), f"the upgrade left {after}"
        bed.service.until_camera(camera.name)
        check_photo_path(bed, camera, lambda path: True)
        bed.service.check_files(bed.service.until_saved(camera.photos()))
    photos = guest.run(PHOTOS)
    person.reads("sudo apt remove", of=person.guide)
    guest.run("test -f /etc/framefast/framefast.toml && test -f /var/lib/framefast/ledger.sqlite")
    person.reads("sudo apt purge", of=person.guide)
    assert guest.run(PHOTOS) == photos, "[loss] photos are gone"
    guest.run(f"rm {home}/*.deb")
    guest.put(bed.package, f"{home}/{bed.package.name}")
    person.reads("sudo apt install")
    guest.until("framefast version", "the service does not answer after the second installation")
    person.does("framefast status", DONE, ATTENTION)
    with connected(bed, Camera(guest, "kept2", "--maker", "nikon")) as camera:
        check_photo_path(bed, camera, lambda path: True)
    assert set(photos.splitlines()) <= set(guest.run(PHOTOS).splitlines()), "[loss] photos of the first installation are gone"


def usermod(text):
    """Returns the command for joining the group from a text, without quotes."""
    found = re.search(r"sudo usermod -aG framefast [^\s`']+", text)
    return found and found[0]


def check_photo_path(bed, camera, fits):
    """Takes a photo and checks that its path is as expected."""
    before = set(camera.photos())
    camera.shoot()
    new = set(camera.photos()) - before
    records = bed.service.until_saved(new)
    paths = [row["path"] for row in records.values() if row["sha256"] in new]
    assert paths and all(fits(path) for path in paths), f"the photo is {paths}"


def preset(person, verb):
    """Returns a preset command for the camera. The verb's help shows whether the camera is an option."""
    option = "--camera " if "--camera" in person.does(f"framefast preset {verb} --help") else ""
    return f"framefast preset {verb} studio {option}studio-a"
