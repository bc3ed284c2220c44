"""Accounts in the guest, and the commands that they run."""
import dataclasses, shlex


@dataclasses.dataclass
class Said:
    status: int
    text: str


class Person:
    """A person with an account. Each command runs in a new login with the current groups."""

    def __init__(self, guest, name):
        self.guest, self.name = guest, name

    def types(self, command):
        """Runs one shell command."""
        return self.said(f"su - {self.name} -c {shlex.quote(command)}")

    def said(self, line):
        text = self.guest.run(f"{line}; echo \"= $?\"")
        text, _, status = text.rstrip().rpartition("= ")
        return Said(int(status), text)


class OldLogin(Person):
    """The same person in a login that started before the account joined its groups."""

    def types(self, command):
        ids = f"--reuid {self.name} --regid {self.name} --clear-groups"
        return self.said(f"cd /tmp && setpriv {ids} env -u XDG_RUNTIME_DIR HOME=/home/{self.name} bash -c {shlex.quote(command)}")


class Program(Person):
    """An account without a shell, or root. No login is needed."""

    def types(self, command):
        return self.said(f"cd /tmp && runuser -u {self.name} -- bash -c {shlex.quote(command)}")


class Desktop(Person):
    """A person whose login has its own service manager."""

    def types(self, command):
        runtime = f"/run/user/$(id -u {self.name})"
        return self.said(f"cd /tmp && runuser -u {self.name} -- env HOME=/home/{self.name} USER={self.name} XDG_RUNTIME_DIR={runtime} bash -c {shlex.quote(command)}")
