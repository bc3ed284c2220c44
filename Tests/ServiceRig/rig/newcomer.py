"""A person with an account like any other, who reads README and types what it says."""
import shlex
from .documents import Document
from .people import Person

NAME = "nora"
DOCUMENTS = "/usr/share/doc/framefast"
CONFIGURATION = "/etc/framefast/conf.d/nora.toml"
# Exit statuses of the command line (`framefast exit-codes`).
DONE, ATTENTION, REFUSED, LEFT = 0, 4, 5, 130
CTRL_C = r"\003"


class Newcomer(Person):
    """Has root's rights only behind sudo, and logs in anew for each command."""

    def __init__(self, guest):
        super().__init__(guest, NAME)
        guest.run(f"id {NAME} >/dev/null 2>&1 || useradd --create-home --shell /bin/bash {NAME}; "
                  f"echo '{NAME} ALL=(ALL:ALL) NOPASSWD: ALL' > /etc/sudoers.d/{NAME}; "
                  "echo 'APT::Get::Assume-Yes \"true\";' > /etc/apt/apt.conf.d/99rig")
        self.readme = self.document("README.md")

    def document(self, name):
        """A document of the installed package."""
        return Document(self.guest.run(f"cat {DOCUMENTS}/{name}"))

    def does(self, command, *statuses):
        """Types a line that has to end with one of these statuses, 0 without any. Gives what it printed."""
        said = self.types(command)
        assert said.status in (statuses or (DONE,)), f"'{command}' ends with {said.status}: {said.text[-600:]}"
        return said.text

    def reads(self, start, *statuses):
        """Types the line of README that begins with these words, letter by letter."""
        return self.does(self.readme.line(start), *statuses)

    def joins(self):
        """Joins the group; each command is a login of its own, as after logging out and in."""
        self.reads("sudo usermod")

    def writes(self, text):
        """Puts settings into a file, as README allows."""
        self.does(f"printf '%s' {shlex.quote(text)} | sudo tee {CONFIGURATION}")

    def watches(self, command, keys, status, seconds=8):
        """Types a line on a terminal, and some seconds later keys that leave it. Gives what was on the screen."""
        # A terminal of `script` has no size.
        there = shlex.quote(f"stty cols 100 rows 30; exec {command}")
        line = f"export TERM=xterm-256color; (sleep {seconds}; printf '{keys}'; sleep {seconds}) | script -qec {there} /dev/null"
        return self.does(f"{line}; exit ${{PIPESTATUS[1]}}", status)
