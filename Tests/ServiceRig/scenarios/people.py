"""The rights of each account: each refusal is paired with an account that is admitted."""
from rig.cameras import Camera
from rig.people import Desktop, OldLogin, Person, Program
from .bed import connected

ONLY_HERE = "/etc/framefast/conf.d/rig.toml"
# Exit statuses of the command line (`framefast exit-codes`).
DONE, ATTENTION, REFUSED = 0, 4, 5
NOTHING, LOOK, CONTROL = "nothing", "look", "control"


def members(bed):
    """root, the service's user and its group control the service; others read at most"""
    guest = bed.guest
    guest.run("id alice >/dev/null 2>&1 || useradd --create-home --shell /bin/bash alice; usermod -aG framefast alice")
    everybody = {
        "root": (Program(guest, "root"), CONTROL),
        "the service's own user": (Program(guest, "framefast"), CONTROL),
        "a member, in a fresh login": (Person(guest, "alice"), CONTROL),
        "a member in an older login": (OldLogin(guest, "alice"), NOTHING),
        "a member in an older login, by sg": (ThroughSg(OldLogin(guest, "alice"), "framefast"), CONTROL),
        "a stranger": (Person(guest, "visitor"), NOTHING),
    }
    assert guest.run("stat -c '%U:%G %a' /run/framefast").strip() == "framefast:framefast 755"
    try:
        with connected(bed, Camera(guest, "people1", "--maker", "canon")) as camera:
            check_socket(bed, "660")
            wrong = all_violations(bed, everybody)
            guest.run(f"printf '[api]\\npublic_status = true\\n' > {ONLY_HERE} && systemctl restart framefastd")
            bed.service.until_camera(camera.name)
            check_socket(bed, "666")
            wrong += all_violations(bed, {who: (person, LOOK if may == NOTHING else may) for who, (person, may) in everybody.items()})
            bed.service.check_files(bed.service.until_saved(camera.photos()))
            assert not wrong, "; ".join(wrong)
    finally:
        guest.run(f"rm -f {ONLY_HERE}; systemctl restart framefastd", status=None)
    bed.report.add_figure(f"{len(everybody)} kinds of people, public_status off and on")


class ThroughSg:
    """A person who runs every command through `sg`."""

    def __init__(self, person, group):
        self.person, self.group = person, group

    def types(self, command):
        return self.person.types(f"sg {self.group} -c \"{command}\"")


def check_socket(bed, mode):
    bed.guest.until("framefast version", "the service does not answer")
    found = bed.guest.run("stat -c '%U:%G %a' /run/framefast/framefast.sock").strip()
    assert found == f"framefast:framefast {mode}", f"the socket is {found}"


def all_violations(bed, everybody):
    """Returns the violations of the expected rights, one sentence each."""
    return [f"{who}: {wrong}" for who, (person, may) in everybody.items() for wrong in violations(bed, person, may)]


def violations(bed, person, may):
    look = person.types("framefast status")
    if look.status not in ((REFUSED,) if may == NOTHING else (DONE, ATTENTION)):
        yield f"may {may}, and `status` ends with {look.status}: {look.text[-200:]}"
    start = person.types("framefast session start Theirs")
    session = bed.service.status()["session"]
    if may != CONTROL:
        if start.status != REFUSED or session:
            yield f"may {may}, and `session start` ends with {start.status}: {start.text[-200:]}"
        if "sudo usermod -aG framefast" not in start.text:
            yield f"gets no advice about access: {start.text[-200:]}"
        if person.types("framefast shoot").status != REFUSED:
            yield "may release the shutter"
        if person.types("ls /var/lib/framefast/captures").status == 0:
            yield "can list the photos' folder"
        return
    if start.status != DONE or not session:
        yield f"`session start` ends with {start.status}: {start.text[-200:]}"
    for command in ("framefast shoot", "framefast session stop", "ls /var/lib/framefast/captures"):
        said = person.types(command)
        if said.status != DONE:
            yield f"`{command}` ends with {said.status}: {said.text[-200:]}"


def doctors(bed):
    """doctor advises each account correctly, even if only the service sees a problem"""
    guest = bed.guest
    guest.run("id alice >/dev/null 2>&1 || useradd --create-home --shell /bin/bash alice; usermod -aG framefast alice")
    root, service, alice = Program(guest, "root"), Program(guest, "framefast"), Person(guest, "alice")
    old, stranger = OldLogin(guest, "alice"), Person(guest, "visitor")
    every = (root, service, alice, old, stranger)
    try:
        for person in (root, service, alice):
            said = run_doctor(person, needs=["This user has access to FrameFast.", "The clock is not synchronized"])
            assert said.status == DONE, f"{person.name}: {said.text}"
        said = run_doctor(stranger, needs=["is not in group framefast", "sudo usermod -aG framefast", "sudo framefast doctor"])
        assert said.status == ATTENTION, said
        said = run_doctor(old, needs=["joined group framefast after this login", "Log out and log in again", "sudo framefast doctor"])
        assert said.status == ATTENTION, said
        guest.run("systemctl stop framefastd")
        for person in every:
            said = run_doctor(person, needs=["framefastd is not running"])
            assert said.status == ATTENTION, said
    finally:
        guest.run("systemctl start framefastd")
        guest.until("framefast version", "the service does not answer")
    with connected(bed, Camera(guest, "doctor1", "--maker", "nikon")):
        said = run_doctor(alice, needs=["is connected at USB port"])
        assert said.status == DONE, said.text
        guest.run("systemctl kill --kill-whom=main -s STOP framefastd")
        try:
            # The stopped service does not answer. Without it, doctor may be unable to see a camera's owner and the service's rights to it.
            for person in (alice, stranger):
                run_doctor(person)
        finally:
            guest.run("systemctl kill --kill-whom=main -s CONT framefastd")
            guest.until("framefast version", "the service does not answer")


def run_doctor(person, needs=()):
    """Runs doctor as a person, and checks its output. In this guest the service's folders and rights have no problem."""
    said = person.types("framefast doctor --plain")
    for word in needs:
        assert word in said.text, f"{person.name}: ‘{word}’ is not in: {said.text}"
    for word in ("chown", "has no permission to open", "cannot be written", "cannot write", "synchronized over the network."):
        assert word not in said.text or word == "synchronized over the network." and "not synchronized" in said.text, f"{person.name}: ‘{word}’ is in: {said.text}"
    return said


def user_service(bed):
    """a user service admits only its user and root, and doctor examines it"""
    guest = bed.guest
    guest.run("id alice >/dev/null 2>&1 || useradd --create-home --shell /bin/bash alice; usermod -aG framefast alice; gpasswd -d alice framefast")
    guest.run("id bob >/dev/null 2>&1 || useradd --create-home --shell /bin/bash bob; usermod -aG framefast bob")
    alice, bob, stranger, root = Desktop(guest, "alice"), Person(guest, "bob"), Person(guest, "visitor"), Program(guest, "root")
    guest.run("systemctl mask --now framefastd; loginctl enable-linger alice")
    try:
        guest.until("test -S /run/user/$(id -u alice)/systemd/private", "alice's login does not begin")
        said = alice.types("systemctl --user enable --now framefastd")
        assert said.status == DONE, said.text
        guest.until("test -S /run/user/$(id -u alice)/framefast/framefast.sock", "alice's service does not listen")
        socket = guest.run("echo /run/user/$(id -u alice)/framefast/framefast.sock").strip()
        for person, command, status in (
                (alice, "framefast session start Mine", DONE), (alice, "framefast session stop", DONE),
                (root, f"framefast --socket {socket} status", DONE),
                (bob, f"framefast --socket {socket} status", REFUSED), (stranger, f"framefast --socket {socket} status", REFUSED)):
            said = person.types(command)
            assert said.status == status, f"{person.name}: {command}: {said.status} {said.text}"
        said = run_doctor(alice, needs=["The user service framefastd is running", "This user has access to FrameFast."])
        assert said.status == DONE, said.text
        bed.report.add_figure(guest.run("find /home/alice -name ledger.sqlite -o -path '*/.cache' -prune").strip())
        alice.types("systemctl --user stop framefastd")
        said = run_doctor(alice, needs=["framefastd is not running", "systemctl --user start framefastd"])
        assert said.status == ATTENTION and "sudo systemctl" not in said.text, said.text
    finally:
        alice.types("systemctl --user disable --now framefastd")
        guest.run("loginctl disable-linger alice; systemctl unmask framefastd; systemctl start framefastd", status=None)
        guest.until("framefast version", "the service does not answer")
