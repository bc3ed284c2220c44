"""A plugged-in device: its sysfs folders, its device node, and the program that holds it."""

import os
import subprocess
import sys
import threading

from descriptors import descriptors
from terminal import Terminal

BUS = 1
ROOT = "/devices/pci0000:00/0000:00:14.0/usb1"
# A program that opens the node and prints "ready". It first sets its name in /proc, and unblocks SIGTERM, because a test
# program may have started it with SIGTERM blocked.
HOLDER = """
import ctypes, os, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
ctypes.CDLL(None).prctl(15, sys.argv[1].encode(), 0, 0, 0)
os.open(sys.argv[2], os.O_RDWR | os.O_NOCTTY)
print("ready", flush=True)
sys.stdin.read()
"""


def sysfs_path(port):
    """Returns the sysfs path of a port. For example, 1-1.4 is behind the hub at 1-1."""
    parts = port.split(".")
    return ROOT + "".join("/" + ".".join(parts[: index + 1]) for index in range(len(parts)))


class Device:
    def __init__(self, bed, announcements, port, number, entry, make_node):
        self.bed = bed
        self.announcements = announcements
        self.port = port
        self.number = number
        self.entry = entry
        self.sysfs = ROOT if port == "usb%d" % BUS else sysfs_path(port)
        self.holder = None
        self.terminal = None
        self.node = make_node(self) if make_node else None

    @property
    def node_path(self):
        return "/dev/bus/usb/%03d/%03d" % (BUS, self.number)

    @property
    def driver_port(self):
        """The port in libgphoto2's notation."""
        return "usb:%03d,%03d" % (BUS, self.number)

    def plug(self, keeper):
        if self.node:
            self.terminal = Terminal(keeper, int(self.entry.get("mode", "0660"), 8))
            # As with devtmpfs, the node exists before the device is announced.
            node_file = self.bed.get_root_dir() + self.node_path
            os.makedirs(os.path.dirname(node_file), exist_ok=True)
            os.symlink(self.terminal.name, node_file)
            self.bed.attach_ioctl(self.node_path, self.node)
            # Only the mode of the node restricts access, so umockdev's socket is open to all users.
            os.chmod(self.bed.get_root_dir() + "/ioctl" + self.node_path, 0o777)
        self.announcements.add(self.text())
        # As in the kernel, interfaces are announced after their device, and drivers after their interfaces.
        for number, interface in enumerate(self.entry["interfaces"]):
            self.announcements.add(self.interface_text(number, interface))
            if interface.get("driver"):
                self.set_driver(number, interface["driver"])
        for text in self.disk_texts():
            self.announcements.add(text)

    def unplug(self):
        """Unplugs the device. A program that has the node open gets a hang-up, and its ioctls fail from then on."""
        self.end_holder()
        if self.node:
            self.node.unplug()
            self.terminal.hang_up()
        for text in reversed(self.disk_texts()):
            self.remove(text.splitlines()[0][3:])
        for number in range(len(self.entry["interfaces"])):
            self.remove(self.interface_path(number))
        self.remove(self.sysfs)
        if self.node:
            self.bed.detach_ioctl(self.node_path)
            node_file = self.bed.get_root_dir() + self.node_path
            if os.path.lexists(node_file):
                os.unlink(node_file)

    def remove(self, path):
        self.announcements.send("/sys" + path, "remove")
        tree = self.bed.get_root_dir() + "/sys"
        # umockdev does not remove these links, and then can't add another device with the same number or name.
        links = [tree + "/block/" + os.path.basename(path)]
        if os.path.exists(tree + path + "/dev"):
            with open(tree + path + "/dev") as dev:
                numbers = dev.read().strip()
            links += ["%s/dev/%s/%s" % (tree, kind, numbers) for kind in ("char", "block")]
        self.announcements.remove("/sys" + path)
        for link in links:
            if os.path.islink(link):
                os.unlink(link)

    def set_writable(self, wanted):
        if self.terminal:
            self.terminal.set_writable(wanted)

    # Drivers: a link in sysfs, and an event for each change

    def interface_path(self, number):
        name = "%d-0" % BUS if self.port.startswith("usb") else self.port
        return "%s/%s:1.%d" % (self.sysfs, name, number)

    def driver_link(self, number):
        return self.bed.get_root_dir() + "/sys" + self.interface_path(number) + "/driver"

    def driver(self, number):
        """Returns the name of the driver that is bound to an interface, or None."""
        link = self.driver_link(number)
        return os.path.basename(os.readlink(link)) if os.path.islink(link) else None

    def set_driver(self, number, name):
        link = self.driver_link(number)
        if os.path.islink(link):
            os.unlink(link)
        if not os.path.isdir(os.path.dirname(link)):
            return  # unplugged
        if name:
            os.symlink("/sys/bus/usb/drivers/" + name, link)
        self.announcements.send("/sys" + self.interface_path(number), "bind" if name else "unbind")

    # A program that holds the camera

    def hold(self, name):
        """Starts a program with this name that claims the device. Returns its process ID."""
        self.holder = subprocess.Popen(
            [sys.executable, "-c", HOLDER, name, self.terminal.name], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, env={"PATH": "/usr/bin:/bin"})
        self.holder.stdout.readline()
        self.node.is_held = True
        self.set_driver(0, "usbfs")
        threading.Thread(target=self.await_holder, args=(self.holder,), daemon=True).start()
        return self.holder.pid

    def end_holder(self):
        holder = self.holder
        if holder:
            holder.stdin.close()
            holder.wait()
            self.release_hold()

    def await_holder(self, holder):
        """Releases the device when the program ends for any reason."""
        holder.wait()
        self.release_hold()

    def release_hold(self):
        with self.node.lock:
            if self.holder:
                self.holder = None
                self.node.is_held = False
                self.set_driver(0, None)

    # umockdev's text format

    def text(self):
        minor = (BUS - 1) * 128 + self.number - 1
        entry = self.entry
        lines = [
            "P: " + self.sysfs, "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_device",
            "E: DEVNAME=" + self.node_path,
            "E: BUSNUM=%03d" % BUS, "E: DEVNUM=%03d" % self.number, "E: MAJOR=189", "E: MINOR=%d" % minor,
            "E: ID_USB_INTERFACES=:" + "".join(
                "%02x%02x%02x:" % (i["class"], i["subclass"], i["protocol"]) for i in entry["interfaces"]),
        ]
        lines += ["E: %s=%s" % pair for pair in sorted(entry.get("properties", {}).items())]
        facts = {
            "dev": "189:%d" % minor, "busnum": BUS, "devnum": self.number, "speed": 480, "bConfigurationValue": 1,
            "power/control": "auto",
            "idVendor": entry["vendor"], "idProduct": entry["product"],
            "bDeviceClass": "%02x" % entry.get("deviceClass", 0),
            "bNumConfigurations": entry.get("configurations", 1), "bNumInterfaces": len(entry["interfaces"]),
            "manufacturer": entry.get("manufacturer"), "product": entry.get("productName"),
            "serial": entry.get("serial"),
        }
        lines += attributes(facts)
        lines.append("H: descriptors=" + descriptors(entry).hex().upper())
        return "\n".join(lines) + "\n"

    def interface_text(self, number, interface):
        path = self.interface_path(number)
        facts = {
            "bInterfaceNumber": "%02x" % number, "bAlternateSetting": " 0",
            "bInterfaceClass": "%02x" % interface["class"], "bInterfaceSubClass": "%02x" % interface["subclass"],
            "bInterfaceProtocol": "%02x" % interface["protocol"],
        }
        return "\n".join(
            ["P: " + path, "E: SUBSYSTEM=usb", "E: DEVTYPE=usb_interface"] + attributes(facts)) + "\n"

    def disk_texts(self):
        """Returns the texts of the SCSI disk that usb-storage creates for a card, or nothing for an entry without "disk"."""
        letter = self.entry.get("disk")
        if not letter:
            return []
        host = self.number
        target = "%s/host%d/target%d:0:0/%d:0:0:0" % (self.interface_path(0), host, host, host)
        index = ord(letter) - ord("a")
        return [
            "P: %s\nE: SUBSYSTEM=scsi\nE: DEVTYPE=scsi_device\nA: type=0\\n\n" % target,
            "P: %s/scsi_generic/sg%d\nE: SUBSYSTEM=scsi_generic\nE: DEVNAME=/dev/sg%d\nE: MAJOR=21\nE: MINOR=%d\n"
            "A: dev=21:%d\\n\n" % (target, index, index, index, index),
            "P: %s/block/sd%s\nE: SUBSYSTEM=block\nE: DEVTYPE=disk\nE: DEVNAME=/dev/sd%s\nE: MAJOR=8\nE: MINOR=%d\n"
            "A: dev=8:%d\\n\n" % (target, letter, letter, index * 16, index * 16),
        ]


def attributes(facts):
    return ["A: %s=%s\\n" % (name, str(value).replace("\\", "\\\\").replace("\n", "\\n"))
            for name, value in facts.items() if value is not None]
