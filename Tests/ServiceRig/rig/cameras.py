"""Cameras that can be plugged into the guest."""
import json, shlex
from . import failures
from .place import Cannot
from .shell import Failed

CARDS = "/root/cards"


class Camera:
    """framefast-simcam --usb in the guest: a transient unit, a control socket, and a card that is kept when the guest stops."""

    def __init__(self, guest, name, *options, serial=None, size="120KB"):
        self.guest, self.name = guest, name
        self.socket = f"/run/{name}.sock"
        self.options = ["--serial", name.upper() if serial is None else serial, "--size", size, "--card", f"{CARDS}/{name}", *options]

    def __enter__(self):
        self.plug_in()
        return self

    def __exit__(self, *_):
        self.remove()

    def plug_in(self):
        load_virtual_usb(self.guest)
        words = " ".join(shlex.quote(word) for word in self.options)
        self.guest.run(f"mkdir -p {CARDS}; systemd-run --quiet --collect --unit=simcam-{self.name} "
                       f"framefast-simcam --usb --control {self.socket} {words}")
        self.guest.until(f"test -S {self.socket} && journalctl -q -u simcam-{self.name} | grep -q 'plugged in as'",
                         f"the simulated camera {self.name} is not plugged in")

    def remove(self):
        self.guest.run(f"systemctl stop simcam-{self.name}; rm -f {self.socket}", status=None)

    def command(self, line):
        """Sends one line to the camera's control socket, and returns the reply."""
        answer = self.guest.run(f"printf '%s\\n' {shlex.quote(line)} | nc -N -U {self.socket}").strip()
        assert answer.split("\n")[-1].startswith("ok"), f"{line}: {answer}"
        return answer

    def shoot(self, count=1):
        self.command(f"shoot {count}")

    def photos(self):
        """Returns the names of the photos on the card, by SHA-256."""
        lines = self.command("truth").split("\n")
        return {entry["sha256"]: entry["name"] for entry in map(json.loads, (l for l in lines if l.startswith("{")))}


def load_virtual_usb(guest):
    """Loads the virtual USB bus for simulated cameras.

    The guest does not load the bus at boot, because this would load usbcore before the service starts. The test would then
    not detect a service that cannot open cameras after a reboot.
    """
    try:
        guest.run("modprobe vhci-hcd")
    except Failed as failure:
        raise Cannot(failures.without_usb(guest.run("uname -r").strip(), failure.said)) from None


class QEMUCamera:
    """QEMU's own MTP device, an independent implementation. A file that a test moves into `folder` is a new photo."""

    def __init__(self, guest, folder):
        self.guest = guest
        self.properties = {"driver": "usb-mtp", "id": "mtp", "bus": "ehci.0", "rootdir": str(folder), "desc": "rig", "serial": "QEMUMTP1"}
        folder.mkdir(exist_ok=True)

    @property
    def option(self):
        """The -device option for QEMU that plugs in this device before the computer is switched on."""
        return ",".join(value if name == "driver" else f"{name}={value}" for name, value in self.properties.items())

    def __enter__(self):
        self.guest.machine.control.ask("device_add", **self.properties)
        return self

    def __exit__(self, *_):
        self.guest.machine.control.ask("device_del", id="mtp")
