"""A person with an ordinary account who types the commands of README and the guides."""
import shlex
from .documents import Document
from .people import Person

NAME = "nora"
DOCUMENTS = "/usr/share/doc/framefast"
CONFIGURATION = "/etc/framefast/conf.d/nora.toml"
# The documents that the newcomer reads, by attribute.
PAGES = {"readme": "README.md", "guide": "docs/guide.md", "status_bars": "docs/status-bars.md"}
# Exit statuses of the command line (`framefast exit-codes`).
DONE, ATTENTION, REFUSED, LEFT = 0, 4, 5, 130
CTRL_C = r"\003"


class Newcomer(Person):
    """A person whose root rights need sudo. Each command runs in a new login."""

    def __init__(self, guest):
        super().__init__(guest, NAME)
        guest.run(f"id {NAME} >/dev/null 2>&1 || useradd --create-home --shell /bin/bash {NAME}; "
                  f"echo '{NAME} ALL=(ALL:ALL) NOPASSWD: ALL' > /etc/sudoers.d/{NAME}; "
                  "echo 'APT::Get::Assume-Yes \"true\";' > /etc/apt/apt.conf.d/99rig")
        self.readme = self.document(PAGES["readme"])
        self.guide = self.document(PAGES["guide"])
        self.status_bars = self.document(PAGES["status_bars"])

    def document(self, name):
        """Returns a document of the installed package."""
        return Document(self.guest.run(f"cat {DOCUMENTS}/{name}"))

    def does(self, command, *statuses):
        """Types a command that must end with one of these statuses (default: 0). Returns its output."""
        said = self.types(command)
        assert said.status in (statuses or (DONE,)), f"'{command}' ends with {said.status}: {said.text[-600:]}"
        return said.text

    def reads(self, start, *statuses, of=None):
        """Types the line of a document, README by default, that starts with these words, exactly as printed."""
        return self.does((of or self.readme).line(start), *statuses)

    def joins(self):
        """Joins the group. Each later command is a new login, as after logging out and in."""
        self.reads("sudo usermod")

    def writes(self, text):
        """Writes settings to a file, in the way that the guide describes."""
        self.does(f"printf '%s' {shlex.quote(text)} | sudo tee {CONFIGURATION}")

    def watches(self, command, keys, status, seconds=8):
        """Types a command on a terminal, and some seconds later the keys that end the command. Returns the text of the screen."""
        # A terminal of `script` has no size.
        there = shlex.quote(f"stty cols 100 rows 30; exec {command}")
        line = f"export TERM=xterm-256color; (sleep {seconds}; printf '{keys}'; sleep {seconds}) | script -qec {there} /dev/null"
        return self.does(f"{line}; exit ${{PIPESTATUS[1]}}", status)
