"""A running guest with the package installed, saved to disk. Scenarios continue from this state without a new boot."""
import hashlib, pathlib, shutil
from .machine import overlay
from .place import ROOT, STORE, run


def package(given, say):
    """Returns the given Debian package, or builds one from this checkout."""
    if given:
        return given.resolve()
    say("Building the package …")
    target = STORE / "package"
    shutil.rmtree(target, ignore_errors=True)
    run(ROOT / "scripts" / "package", "--output", target, cwd=ROOT)
    return next(target.glob("framefast_*.deb"))


class Installation:
    def __init__(self, image, deb):
        self.image = image
        key = hashlib.sha256(f"{image.folder.name}{image.kvm}".encode() + pathlib.Path(deb).read_bytes()).hexdigest()[:12]
        self.folder = STORE / f"installed-{image.suite.name}-{key}"
        self.disk, self.state = self.folder / "disk.qcow2", self.folder / "state"

    @property
    def is_there(self):
        return self.state.exists()

    def start_bare(self, guest):
        """Boots a guest without the package. Its disk becomes the installation's disk."""
        for old in STORE.glob(f"installed-{self.image.suite.name}-*"):
            shutil.rmtree(old)
        self.folder.mkdir(parents=True)
        overlay(self.image.disk, self.disk)
        guest.machine.disk = self.disk
        guest.boot()

    def save(self, guest):
        """Saves the running guest."""
        guest.run("rm -f /root/*.deb; journalctl --sync; sync")
        guest.shell.close()
        # A state file exists only when it is complete.
        aside = self.folder / "state.part"
        guest.machine.save(aside)
        aside.rename(self.state)

    def resume_copy(self, guest):
        """Continues from the saved state, on a new disk of this run."""
        disk = guest.folder / "disk.qcow2"
        overlay(self.disk, disk, form="qcow2")
        guest.machine.disk = disk
        self.resume(guest)

    def resume(self, guest):
        """Continues from the saved state, on the guest's own disk."""
        guest.resume(self.state)
