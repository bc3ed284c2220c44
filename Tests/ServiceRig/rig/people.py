"""People of the guest: who types a command, and what came of it."""
import dataclasses, shlex


@dataclasses.dataclass
class Said:
    status: int
    text: str


class Person:
    """Somebody with an account. Each command is typed in a login of its own, so that groups are today's."""

    def __init__(self, guest, name):
        self.guest, self.name = guest, name

    def types(self, command):
        """One line of shell."""
        return self.said(f"su - {self.name} -c {shlex.quote(command)}")

    def said(self, line):
        text = self.guest.run(f"{line}; echo \"= $?\"")
        text, _, status = text.rstrip().rpartition("= ")
        return Said(int(status), text)


class OldLogin(Person):
    """The same in a login that began before the account was given its groups."""

    def types(self, command):
        ids = f"--reuid {self.name} --regid {self.name} --clear-groups"
        return self.said(f"cd /tmp && setpriv {ids} env -u XDG_RUNTIME_DIR HOME=/home/{self.name} bash -c {shlex.quote(command)}")


class Program(Person):
    """An account without a shell, or root: no login is needed."""

    def types(self, command):
        return self.said(f"cd /tmp && runuser -u {self.name} -- bash -c {shlex.quote(command)}")


class Desktop(Person):
    """Somebody whose login has a manager for services of its own."""

    def types(self, command):
        runtime = f"/run/user/$(id -u {self.name})"
        return self.said(f"cd /tmp && runuser -u {self.name} -- env HOME=/home/{self.name} USER={self.name} XDG_RUNTIME_DIR={runtime} bash -c {shlex.quote(command)}")
