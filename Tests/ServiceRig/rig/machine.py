"""QEMU as a computer that can be started, lose its power, and have its own USB devices."""
import json, os, pathlib, signal, socket, subprocess, time
from . import failures
from .place import STORE, Cannot, run

PROCESSOR = ["-cpu", "Nehalem", "-smp", "2", "-m", "1024"]
# Software emulation is about ten times slower than this computer.
EMULATION, KVM = ["-accel", "tcg,thread=multi,tb-size=256"], ["-accel", "kvm"]
# The network interface keeps the name that the initrd uses.
KERNEL = "root=/dev/vda rw console=ttyS0 quiet mitigations=off systemd.show_status=no audit=0 net.ifnames=0"
CONTROLLER = ["-device", "usb-ehci,id=ehci"]
# The time limit for QEMU's response and for a boot, in seconds.
START_SECONDS = 300
# The time limit for a shutdown, in seconds. Services have up to 90 s to stop.
OFF_SECONDS = 240
# A factor for both limits; see --patience.
patience = 1.0


class Machine:
    def __init__(self, image, disk, folder, port):
        self.image, self.disk, self.folder, self.port = image, disk, pathlib.Path(folder), port
        self.process = None
        self.console, self.monitor = self.folder / "console.log", self.folder / "qmp"

    def command(self, state=None, usb=True, devices=()):
        """Returns QEMU's command line.

        state: a saved state to continue from. usb: whether there is a USB controller. devices: QEMU's -device options for USB devices
        that are already plugged in."""
        command = [
            "qemu-system-x86_64", "-M", "pc", *PROCESSOR, *(KVM if self.image.kvm else EMULATION), "-nodefaults", "-display", "none", "-no-user-config",
            "-kernel", self.image.vmlinux, "-initrd", self.image.initrd, "-append", KERNEL,
            "-drive", f"if=none,id=disk,file={self.disk},format=qcow2,cache=writeback", "-device", "virtio-blk-pci,drive=disk",
            "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22", "-device", "virtio-net-pci,netdev=net",
            "-device", "virtio-rng-pci", *(CONTROLLER if usb else []), *(word for device in devices for word in ("-device", device)),
            "-serial", f"file:{self.console}", "-qmp", f"unix:{self.monitor},server=on,wait=off"]
        return [str(word) for word in command] + (["-incoming", f"exec:cat {state}"] if state else [])

    def start(self, state=None, **hardware):
        """Starts QEMU, from a saved state if one is given. hardware: the options of `command`."""
        self.console.write_bytes(b"")
        self.monitor.unlink(missing_ok=True)
        with (self.folder / "qemu.log").open("ab") as log:
            self.process = subprocess.Popen(self.command(state, **hardware), stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, preexec_fn=die_with_parent)
        deadline = time.monotonic() + START_SECONDS * patience
        while True:
            self.check_running()
            try:
                self.control = Control(self.monitor)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise Cannot("QEMU does not respond: this computer is very busy, or QEMU stopped at its start. Try --patience 3; --keep-files keeps qemu.log")
                time.sleep(0.05)
        if state:
            self.wait_for_state()
            self.control.ask("cont")

    def wait_for_state(self):
        """Waits until QEMU has read the saved state."""
        deadline = time.monotonic() + START_SECONDS * patience
        while self.control.ask("query-status")["status"] == "inmigrate":
            self.check_running()
            if time.monotonic() > deadline:
                raise Cannot(f"the guest's saved state cannot be read in time: delete {STORE}/installed-*, or try --patience 3")
            time.sleep(0.05)

    def check_running(self):
        if self.process is None or self.process.poll() is not None:
            raise Cannot(failures.ended((self.folder / "qemu.log").read_text(errors="replace"), self.image.kvm))

    def wait_for_console(self, text):
        """Waits until the guest has printed a text on its serial console."""
        seconds = round(START_SECONDS * patience)
        deadline = time.monotonic() + seconds
        while text.encode() not in self.console.read_bytes():
            self.check_running()
            if time.monotonic() > deadline:
                raise Cannot(failures.boot(self.console.read_text(errors="replace"), seconds, self.image.folder, self.image.kvm))
            time.sleep(0.1)

    def wait_for_status(self, status):
        """Waits until QEMU reports a status, for example `suspended`."""
        deadline = time.monotonic() + START_SECONDS * patience
        while (now := self.control.ask("query-status")["status"]) != status:
            self.check_running()
            if time.monotonic() > deadline:
                raise Cannot(failures.status(status, now, round(START_SECONDS * patience), self.console.read_text(errors="replace")))
            time.sleep(0.1)

    def wait_until_off(self):
        """Waits until the guest has shut itself down."""
        deadline = time.monotonic() + OFF_SECONDS * patience
        while self.process.poll() is None:
            if time.monotonic() > deadline:
                raise Cannot(failures.power_off(round(OFF_SECONDS * patience), self.console.read_text(errors="replace")))
            time.sleep(0.1)
        self.control.close()

    def save(self, state):
        """Saves the running guest to a file and stops it."""
        self.control.ask("stop")
        self.control.ask("migrate", uri=f"exec:cat > {state}")
        deadline = time.monotonic() + START_SECONDS * patience
        while (status := self.control.ask("query-migrate").get("status")) not in ("completed", "failed"):
            if time.monotonic() > deadline:
                raise Cannot("the guest's state cannot be saved in time: the disk is slow; try --patience 3")
            time.sleep(0.1)
        if status == "failed":
            raise Cannot(f"the guest's state cannot be saved: {STORE} needs 2 GiB")
        self.control.ask("quit")
        self.process.wait(30)

    def cut_power(self):
        """Kills QEMU."""
        self.control.close()
        self.process.kill()
        self.process.wait(30)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.cut_power()


class Control:
    """QEMU's monitor."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(str(path))
        self.lines = self.socket.makefile("rw")
        self.lines.readline()
        self.ask("qmp_capabilities")

    def ask(self, command, **arguments):
        self.lines.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline() or '{"error": {"desc": "QEMU hung up"}}')
            if "error" in answer:
                raise Cannot(f"QEMU: {command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def close(self):
        self.lines.close()
        self.socket.close()


def overlay(base, target, form="raw"):
    """Creates a disk that stores only the changes to its base image."""
    pathlib.Path(target).unlink(missing_ok=True)
    run("qemu-img", "create", "-q", "-f", "qcow2", "-F", form, "-b", base, target)


def die_with_parent():
    """Runs in the child process. Makes the kernel kill the guest when the rig ends for any reason."""
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    os.setpgrp()
