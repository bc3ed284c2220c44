"""The environment of the scenarios."""
import contextlib, dataclasses, pathlib
from rig.guest import Guest
from rig.report import Report
from rig.service import Service


@dataclasses.dataclass
class Bed:
    guest: Guest
    service: Service
    report: Report
    folder: pathlib.Path
    image: object
    package: pathlib.Path
    seed: int
    options: object
    installed: object = None


@contextlib.contextmanager
def connected(bed, camera):
    """Plugs in a camera, waits until it is ready, and unplugs it afterwards."""
    with camera:
        bed.service.until_camera(camera.name)
        yield camera
    bed.service.until(lambda status: all((c["serial"] or "").upper() != camera.name.upper() or c["state"] == "gone"
                                         for c in status["cameras"]), f"{camera.name} does not leave")


def saved_count(bed, photos):
    """Returns the number of these photos (by SHA-256) that are saved. A photo that is saved twice is counted twice."""
    return sum(row["state"] == "saved" and row["sha256"] in photos for row in bed.service.records().values())
