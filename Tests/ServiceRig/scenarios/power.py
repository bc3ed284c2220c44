"""Power cuts at random moments."""
import hashlib, pathlib, random, shutil, sqlite3, time
from rig.cameras import CARDS, Camera
from rig.guest import Guest
from rig.machine import overlay
from rig.place import run
from rig.service import CAPTURES

# The interval is long enough for a simulated camera to generate and send a photo.
BURST, INTERVAL_MS = 60, 1000
# The power is cut a random number of seconds after a random number of photos have final names. The burst is still running at
# that time, even on a slow computer.
PHOTOS_MAX, SECONDS_MAX = 12, 1.5


def power_cuts(bed):
    """saved photos and the ledger are intact after power cuts during a burst"""
    cuts = bed.options.cuts
    chance = random.Random(bed.seed)
    bed.report.add_figure(f"{cuts} cuts, seed {bed.seed}")
    folder = bed.folder / "cuts"
    folder.mkdir()
    base, state = prepare(bed, folder)
    sums = {"saved": 0, "with nothing saved yet": 0}
    for number in range(cuts):
        disk = folder / "cut.qcow2"
        overlay(base, disk, form="qcow2")
        guest = Guest(bed.image, disk, folder)
        try:
            guest.resume(state)
            guest.run(f"printf 'burst {BURST} {INTERVAL_MS}\\n' | systemd-run --quiet --collect --pipe nc -U /run/cut1.sock >/dev/null 2>&1 &")
            photos = chance.randint(0, PHOTOS_MAX)
            guest.until(f"[ $(find {CAPTURES} -name '*.jpg' | wc -l) -ge {photos} ]", "no photos arrive")
            # The random moment of the cut.
            time.sleep(chance.uniform(0, SECONDS_MAX))
        finally:
            guest.stop()
        saved = check(folder, disk, f"cut {number + 1} (seed {bed.seed})")
        sums["saved"] += saved
        sums["with nothing saved yet"] += saved == 0
    bed.report.add_figure(", ".join(f"{value} {name}" for name, value in sums.items()))
    assert sums["saved"] > 0, "no photo was saved before any cut, so the test proves nothing"


def prepare(bed, folder):
    """Saves a running guest with a ready camera. Each cut starts from this state."""
    disk, state = folder / "ready.qcow2", folder / "ready.state"
    overlay(bed.installed.disk, disk, form="qcow2")
    guest = Guest(bed.image, disk, folder)
    try:
        bed.installed.resume(guest)
        camera = Camera(guest, "cut1", "--maker", "canon", size="40KB-200KB")
        camera.plug_in()
        type(bed.service)(guest).until_camera("cut1")
        guest.run("sync")
        guest.shell.close()
        guest.machine.save(state)
    finally:
        guest.stop()
    return disk, state


def check(folder, disk, what):
    """Checks the disk after the cut. Returns the number of saved photos."""
    raw, found = folder / "cut.img", folder / "cut"
    run("qemu-img", "convert", "-O", "raw", disk, raw)
    # Status 1 means that the journal was replayed.
    run("sh", "-c", f"e2fsck -fy '{raw}' || [ $? -le 1 ]")
    shutil.rmtree(found, ignore_errors=True)
    found.mkdir()
    run("debugfs", "-R", f"rdump /var/lib/framefast {found}", raw)
    run("debugfs", "-R", f"rdump {CARDS}/cut1 {found}", raw)
    raw.unlink()
    state = found / "framefast"
    ledger = sqlite3.connect(state / "ledger.sqlite")
    assert ledger.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{what}: the ledger is damaged"
    rows = ledger.execute("SELECT path, bytes, sha256 FROM capture WHERE state = 'saved'").fetchall()
    ledger.close()
    for path, size, wanted in rows:
        file = found / pathlib.Path(path).relative_to("/var/lib")
        assert file.exists(), f"{what}: {path} is recorded as saved, and the file is missing"
        data = file.read_bytes()
        assert len(data) == size and hashlib.sha256(data).hexdigest() == wanted, f"{what}: {path} has other bytes than were saved"
    on_card = {hashlib.sha256(file.read_bytes()).hexdigest() for file in (found / "cut1").rglob("*.JPG")}
    for file in (state / "captures").rglob("*"):
        if file.is_file() and ".framefast" not in file.parts:
            assert hashlib.sha256(file.read_bytes()).hexdigest() in on_card, f"{what}: {file.name} is not a whole photo"
    return len(rows)
