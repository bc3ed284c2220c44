"""QEMU: the computer itself. It can be started, reset, cut from power, and given USB devices of its own."""
import json, os, pathlib, signal, socket, subprocess, time
from .place import Cannot, run

# Software emulation: about ten times slower than this computer.
PROCESSOR = ["-cpu", "Nehalem", "-accel", "tcg,thread=multi,tb-size=256", "-smp", "2", "-m", "1024"]
KERNEL = "root=/dev/vda rw console=ttyS0 quiet mitigations=off systemd.show_status=no audit=0"
START_SECONDS = 180


class Machine:
    def __init__(self, image, disk, room, port):
        self.image, self.disk, self.room, self.port = image, disk, pathlib.Path(room), port
        self.process = None
        self.console = self.room / "console.log"

    def start(self, state=None):
        """Switches it on; from a saved state when one is given."""
        self.console.write_bytes(b"")
        control = self.room / "qmp"
        control.unlink(missing_ok=True)
        command = [
            "qemu-system-x86_64", "-M", "pc", *PROCESSOR, "-nodefaults", "-display", "none", "-no-user-config",
            "-kernel", self.image.vmlinux, "-initrd", self.image.initrd, "-append", KERNEL,
            "-drive", f"if=none,id=disk,file={self.disk},format=qcow2,cache=writeback", "-device", "virtio-blk-pci,drive=disk",
            "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22", "-device", "virtio-net-pci,netdev=net",
            "-device", "virtio-rng-pci", "-device", "usb-ehci,id=ehci",
            "-serial", f"file:{self.console}", "-qmp", f"unix:{control},server=on,wait=off"]
        if state:
            command += ["-incoming", f"exec:cat {state}"]
        with (self.room / "qemu.log").open("ab") as log:
            self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=log, preexec_fn=die_with_parent)
        deadline = time.monotonic() + START_SECONDS
        while True:
            self.alive()
            try:
                self.control = Control(control)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise Cannot("QEMU does not answer")
                time.sleep(0.05)
        if state:
            self.wait_for_state()
            self.control.ask("cont")

    def wait_for_state(self):
        """Waits until the saved state is read."""
        deadline = time.monotonic() + START_SECONDS
        while self.control.ask("query-status")["status"] == "inmigrate":
            self.alive()
            if time.monotonic() > deadline:
                raise Cannot("the guest's saved state cannot be read in time")
            time.sleep(0.05)

    def alive(self):
        if self.process is None or self.process.poll() is not None:
            log = (self.room / "qemu.log").read_text(errors="replace").strip().splitlines()
            raise Cannot("the guest ended by itself: " + " ".join(log[-3:]))

    def wait_for_console(self, text):
        """Waits until the guest has said something on its serial line."""
        deadline = time.monotonic() + START_SECONDS
        while text.encode() not in self.console.read_bytes():
            self.alive()
            if time.monotonic() > deadline:
                tail = self.console.read_text(errors="replace").splitlines()[-15:]
                raise Cannot("the guest does not start:\n" + "\n".join(tail))
            time.sleep(0.1)

    def save(self, state):
        """Writes the running guest to a file and ends it there."""
        self.control.ask("stop")
        self.control.ask("migrate", uri=f"exec:cat > {state}")
        deadline = time.monotonic() + START_SECONDS
        while (status := self.control.ask("query-migrate").get("status")) not in ("completed", "failed"):
            if time.monotonic() > deadline:
                raise Cannot("the guest's state cannot be saved in time")
            time.sleep(0.1)
        if status == "failed":
            raise Cannot("the guest's state cannot be saved")
        self.control.ask("quit")
        self.process.wait(30)

    def cut_power(self):
        """The end of everything at once."""
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
    """A disk that keeps what is written, and leaves the one below it alone."""
    pathlib.Path(target).unlink(missing_ok=True)
    run("qemu-img", "create", "-q", "-f", "qcow2", "-F", form, "-b", base, target)


def die_with_parent():
    """Runs in the child: no guest outlives the rig, however that ends."""
    import ctypes
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    os.setpgrp()
