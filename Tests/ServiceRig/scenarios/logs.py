"""Journal entries, logs and metrics of the service."""
import re
from rig.cameras import Camera
from .bed import connected


def journal(bed):
    """`framefast logs` finds a camera's journal entries, and the metrics count its photo"""
    before = captures_total(bed)
    with connected(bed, Camera(bed.guest, "told1", "--maker", "nikon")) as camera:
        camera.shoot()
        bed.service.until_saved(camera.photos())
        name = bed.service.until_camera("told1")["name"]
        # The service collects saved photos for some seconds and logs their number in one line.
        bed.guest.until(f"journalctl -q -u framefastd -o cat CAMERA={name} | grep 'photo saved'", "the journal has no entry about the photo")
        fields = bed.guest.run("journalctl -q -u framefastd -o json -n 200 --output-fields=CAMERA,MESSAGE,PRIORITY")
        assert re.search(r'"CAMERA":"[^"]+"', fields), fields[-500:]
        said = bed.guest.run(f"framefast logs --camera {name} --since '10 minutes ago'")
        for moment in ("connected", "1 photo saved"):
            assert moment in said, f"‘{moment}’ is not in: {said[-500:]}"
        bed.report.add_figure(said.strip().splitlines()[-1])
        assert captures_total(bed) == before + 1
    bed.guest.until(f"framefast logs --camera {name} --since '10 minutes ago' | grep 'camera unplugged'", "the log has no entry about the unplugged camera")


def captures_total(bed):
    return bed.service.metric("framefast_captures_total")
