"""Other capture folders: `--check-config` agrees with the service."""
import contextlib
from rig.cameras import Camera
from rig.people import Program

ONLY_HERE = "/etc/framefast/conf.d/place.toml"
# Folders, each with a command that runs before the check, or an empty string.
PLACES = {
    "/srv/photos": "", "/srv/a/b/c": "", "/mnt/photos": "", "/data/photos": "", "/media/x": "", "/srv/my photos": "", "/data/my photos": "",
    "/home/nora/Pictures": "useradd --create-home --shell /bin/bash nora; install -d -o nora -g nora /home/nora/Pictures",
    "/srv/linked": "mkdir -p /srv/target && ln -s /srv/target /srv/linked",
    "/srv/link-away": "mkdir -p /elsewhere && ln -s /elsewhere /srv/link-away",
}
# FUSE mounts that the service cannot use, with a command that runs after the mount, and a part of the error message. Only root
# may use a mount without `allow_other`. If the mount's program is stopped, each call on the mount hangs. The brackets in
# `[m]ount` prevent pkill from matching the command line of the shell that runs it.
MOUNTS = {
    "/mnt/private": (":", "cannot write to /mnt/private/photos"),
    "/mnt/hung": ("pkill -STOP -f '[m]ount.exfat-fuse .*/mnt/hung'", "/mnt/hung/photos"),
}


def accepted_folders(bed):
    """the service saves photos to every folder that --check-config accepts

    Seen on 34c558d: the documented folder /srv/photos was accepted, although it was missing and the service could not create it."""
    root, wrong = Program(bed.guest, "root"), []
    with Camera(bed.guest, "placed1", "--maker", "canon") as camera:
        bed.service.until_camera(camera.name)
        for place, before in PLACES.items():
            bed.guest.run(f"{before or ':'}; printf '[capture]\\ndirectory = \"{place}\"\\n' > {ONLY_HERE}")
            try:
                bed.report.add_figure(f"{place}: {check_saves(bed, root, camera, place)}")
            except AssertionError as failure:
                wrong.append(f"{place}: {failure}")
        bed.guest.run(f"rm -f {ONLY_HERE}")
    for place, (after, refusal) in MOUNTS.items():
        with fuse_mount(bed, place):
            bed.guest.run(f"{after}; printf '[capture]\\ndirectory = \"{place}/photos\"\\n' > {ONLY_HERE}")
            said = root.types("sudo framefastd --check-config")
            if said.status == 0 or refusal not in said.text:
                wrong.append(f"{place}: the check ends with {said.status}: {said.text}")
            bed.guest.run(f"rm -f {ONLY_HERE}")
    bed.report.add_figure(f"{len(MOUNTS)} mounts refused")
    assert not wrong, "; ".join(wrong)


@contextlib.contextmanager
def fuse_mount(bed, place):
    """Mounts a FUSE file system that only root may use."""
    image = f"/root/{place.rpartition('/')[2]}.img"
    device = bed.guest.run(f"truncate -s 64M {image} && losetup --find --show {image}").strip()
    try:
        bed.guest.run(f"mkfs.exfat {device} >/dev/null; mkdir -p {place}; mount.exfat-fuse {device} {place}")
        yield
    finally:
        bed.guest.run(f"pkill -CONT -f '[m]ount.exfat-fuse .*{place}'; umount --lazy {place}; losetup --detach {device}; rm -f {image}", status=None)


def check_saves(bed, root, camera, place):
    """Performs the check's advice once. Then asserts that the check succeeds, and that a photo is saved in the folder."""
    said = root.types("sudo framefastd --check-config")
    commands = advice(said.text)
    for command in commands:
        done = root.types(command)
        assert done.status == 0, f"the check prints '{command}', which ends with {done.status}: {done.text}"
    if commands:
        said = root.types("sudo framefastd --check-config")
    assert said.status == 0 and not advice(said.text), f"after its commands the check ends with {said.status}: {said.text}"
    bed.guest.run("systemctl restart framefastd")
    bed.service.until_camera(camera.name)
    before = set(camera.photos())
    camera.shoot()
    new = set(camera.photos()) - before
    records = bed.service.until_saved(new, seconds=30)
    paths = [row["path"] for row in records.values() if row["sha256"] in new]
    assert all(path.startswith(place + "/") for path in paths), f"the photo is in {paths}"
    for path in paths:
        bed.guest.run(f"test -s '{path}'")
    return f"{len(commands)} commands"


def advice(text):
    """Returns the commands that a check prints: one per line, or joined after "Run: " as one line of shell."""
    lines = [line.rpartition("Run: ")[2].strip() for line in text.splitlines()]
    return [line for line in lines if line.startswith(("sudo ", "printf "))]
