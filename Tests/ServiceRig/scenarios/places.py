"""Other folders for photos: what `--check-config` says of them is what the service can do."""
from rig.cameras import Camera
from rig.people import Program

ONLY_HERE = "/etc/framefast/conf.d/place.toml"
# A folder, and what a person made there before.
PLACES = {
    "/srv/photos": "", "/srv/a/b/c": "", "/mnt/photos": "", "/data/photos": "",
    "/srv/linked": "mkdir -p /srv/target && ln -s /srv/target /srv/linked",
    "/srv/link-away": "mkdir -p /elsewhere && ln -s /elsewhere /srv/link-away",
}


def f8(bed):
    """a configuration that is called sound is one with which the service saves a photo there

    Seen on 34c558d: README's folder /srv/photos was called sound, although it was missing and the service could not make it."""
    root, wrong = Program(bed.guest, "root"), []
    with Camera(bed.guest, "placed1", "--maker", "canon") as camera:
        bed.service.until_camera(camera.name)
        for place, before in PLACES.items():
            bed.guest.run(f"{before or ':'}; printf '[capture]\\ndirectory = \"{place}\"\\n' > {ONLY_HERE}")
            try:
                bed.report.note(f"{place}: {saves(bed, root, camera, place)}")
            except AssertionError as failure:
                wrong.append(f"{place}: {failure}")
    assert not wrong, "; ".join(wrong)


def saves(bed, root, camera, place):
    """Follows the check until it has nothing more to say; then a photo must be saved in the folder."""
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
    """The commands that a check prints: one a line, or joined behind "Run: ", which is one line of shell."""
    lines = [line.rpartition("Run: ")[2].strip() for line in text.splitlines()]
    return [line for line in lines if line.startswith(("sudo ", "printf "))]
