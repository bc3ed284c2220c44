"""One run in one release: a guest, the scenarios in order, and a fresh guest where a scenario needs one."""
import pathlib, shutil, subprocess, tempfile
from rig.guest import Guest
from rig.installation import Installation
from rig.place import STORE, Cannot
from rig.plan import Step
from rig.results import FAIL
from rig.service import Service
from scenarios import ALL, ALONE, title
from scenarios.bed import Bed

INSTALLED = "installed"


class Running:
    def __init__(self, image, deb, number, results, report, options):
        self.image, self.deb, self.number, self.results, self.report, self.options = image, deb, number, results, report, options
        self.installation = Installation(image, deb)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=STORE))
        self.guest = self.bed = None

    def perform(self, steps):
        """Runs steps of this run in order. Each result is saved immediately."""
        try:
            names = [step.scenario for step in steps]
            if INSTALLED in names or not self.installation.is_there:
                self.install(is_wanted=INSTALLED in names)
            for step in steps:
                if step.scenario != INSTALLED:
                    self.run_step(step)
        finally:
            self.close()

    def install(self, is_wanted):
        """Boots a guest, installs the package, and saves the running guest.

        Raises: Cannot if this fails, because no other scenario can run then."""
        def body():
            self.start_guest(self.installation.start_bare)
            ALL[INSTALLED](self.bed)
            self.installation.save(self.guest)

        outcome = self.report.scenario(Step(self.image.suite.name, self.number, INSTALLED), title(INSTALLED), body)
        if is_wanted:
            self.results.add(outcome)
        self.stop_guest()
        if outcome.word == FAIL:
            raise Cannot(f"the package cannot be installed in {self.image.suite.title}: no other scenario was run there. The lines above contain the reason.")

    def run_step(self, step):
        name = step.scenario

        def body():
            if name in ALONE:
                self.stop_guest()
            if self.guest is None:
                self.start_guest(self.installation.resume_copy)
            ALL[name](self.bed)

        outcome = self.report.scenario(step, title(name), body)
        if outcome.word == FAIL:
            self.save_journal(step)
        self.results.add(outcome)
        if outcome.word == FAIL or name in ALONE:
            self.stop_guest()

    def start_guest(self, start):
        """Starts a guest on its own disk. Stores the guest before its start, because `stop_guest` must stop a failed guest, too."""
        self.guest = Guest(self.image, self.folder / "disk.qcow2", self.folder)
        self.bed = Bed(self.guest, Service(self.guest), self.report, self.folder, self.image, self.deb,
                       self.results.plan.seed + self.number, self.options, self.installation)
        start(self.guest)

    def stop_guest(self):
        if self.guest:
            self.guest.stop()
        self.guest = self.bed = None

    def save_journal(self, step):
        """Saves the last lines of the guest's journal, or of its console, next to the results."""
        try:
            said = self.guest.run("journalctl -q --no-pager -n 400", status=None)
        except (Cannot, OSError, AttributeError, subprocess.SubprocessError):
            console = self.folder / "console.log"
            said = console.read_text(errors="replace") if console.exists() else ""
        place = self.results.path.with_suffix("")
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{step.suite}-{step.run}-{step.scenario}.journal").write_text(said)

    def open_shell(self):
        """Opens a shell in a guest with the package."""
        try:
            if not self.installation.is_there:
                self.install(is_wanted=False)
            self.start_guest(self.installation.resume_copy)
            subprocess.run(["ssh", *self.guest.shell.options, "-t", "root@127.0.0.1"])
        finally:
            self.close()

    def close(self):
        self.stop_guest()
        if self.options.keep_files:
            self.report.say(f"The files of this run are in {self.folder}")
        else:
            shutil.rmtree(self.folder, ignore_errors=True)
