"""Other capture folders: `--check-config` agrees with the service."""
from rig.cameras import Camera
from rig.people import Program

ONLY_HERE = "/etc/framefast/conf.d/place.toml"
# Folders, with the command that creates the folder before the check.
PLACES = {
    "/srv/photos": "", "/srv/a/b/c": "", "/mnt/photos": "", "/data/photos": "",
    "/srv/linked": "mkdir -p /srv/target && ln -s /srv/target /srv/linked",
    "/srv/link-away": "mkdir -p /elsewhere && ln -s /elsewhere /srv/link-away",
}


def f8(bed):
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
    assert not wrong, "; ".join(wrong)


def check_saves(bed, root, camera, place):
    """Performs the check's advice until the check succeeds, and then checks that a photo is saved in the folder."""
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
