"""A USB bus with one camera on it: descriptors, sysfs entries, the device node, plugging and unplugging."""

import os
import struct
import termios

BUS = 1
ROOT = "/devices/pci0000:00/0000:00:14.0/usb1"
CAMERA = ROOT + "/1-1"


def device_descriptor(vendor, product, device_class, strings):
    return struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x0200, device_class, 0, 0, 64, vendor, product, 0x0100, *strings, 1)


def endpoint(address, attributes, packet, interval):
    return struct.pack("<BBBBHB", 7, 5, address, attributes, packet, interval)


def configuration(interface, endpoints):
    body = struct.pack("<BBBBBBBBB", 9, 4, 0, 0, len(endpoints), *interface, 0) + b"".join(endpoints)
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(body), 1, 1, 0, 0xC0, 1) + body


def hub():
    return device_descriptor(0x1D6B, 0x0002, 9, (0, 0, 0)) + configuration((9, 0, 0), [endpoint(0x81, 3, 4, 12)])


def still_image_camera(vendor, product):
    """Class 06/01/01 with bulk in, bulk out and interrupt in; see usbfs.py for the addresses."""
    endpoints = [endpoint(0x81, 2, 512, 0), endpoint(0x02, 2, 512, 0), endpoint(0x83, 3, 32, 6)]
    return device_descriptor(vendor, product, 0, (0, 0, 0)) + configuration((6, 1, 1), endpoints)


def entry(path, number, descriptors, vendor, product):
    """A device in umockdev's text form."""
    return "\n".join([
        "P: " + path,
        "E: SUBSYSTEM=usb",
        "E: DEVTYPE=usb_device",
        "E: DEVNAME=/dev/bus/usb/%03d/%03d" % (BUS, number),
        "E: BUSNUM=%03d" % BUS,
        "E: DEVNUM=%03d" % number,
        "E: MAJOR=189",
        "E: MINOR=%d" % ((BUS - 1) * 128 + number - 1),
        "A: dev=189:%d" % ((BUS - 1) * 128 + number - 1),
        "A: busnum=%d\\n" % BUS,
        "A: devnum=%d\\n" % number,
        "A: speed=480\\n",
        "A: bConfigurationValue=1\\n",
        "A: idVendor=%04x\\n" % vendor,
        "A: idProduct=%04x\\n" % product,
        "H: descriptors=" + descriptors.hex().upper(),
    ]) + "\n"


class Bus:
    """The bus and its one port."""

    def __init__(self, testbed, vendor, product, make_node):
        """`make_node(signal)` gives the ioctl handler of a freshly plugged device."""
        self.testbed = testbed
        self.identity = (vendor, product)
        self.make_node = make_node
        self.number = 3  # of the last device; the first camera is 004
        self.node = None
        self.terminal = None
        testbed.add_from_string(entry(ROOT, 1, hub(), 0x1D6B, 0x0002))

    @property
    def path(self):
        return "/dev/bus/usb/%03d/%03d" % (BUS, self.number)

    @property
    def port(self):
        """The camera's port as libgphoto2 spells it."""
        return "usb:%03d,%03d" % (BUS, self.number)

    def plug(self):
        """A device arrives, under a number of its own as from the kernel."""
        self.number = self.number % 127 + 1
        master, slave = os.openpty()
        settings = termios.tcgetattr(slave)
        settings[3] = 0  # no echo, no signals
        termios.tcsetattr(slave, termios.TCSANOW, settings)
        self.terminal = (master, slave)
        self.is_writable = True
        self.set_writable(False)
        # The node is there before the device is announced, as with devtmpfs.
        place = self.testbed.get_root_dir() + self.path
        os.makedirs(os.path.dirname(place), exist_ok=True)
        os.symlink(os.ttyname(slave), place)
        self.node = self.make_node(self.set_writable)
        self.testbed.attach_ioctl(self.path, self.node)
        self.testbed.add_from_string(entry(CAMERA, self.number, still_image_camera(*self.identity), *self.identity))

    def unplug(self):
        """The cable is pulled: whoever holds the node gets a hang-up, and its ioctls fail from now on."""
        self.node.unplug()
        for descriptor in self.terminal:
            os.close(descriptor)
        self.terminal = None
        self.testbed.uevent("/sys" + CAMERA, "remove")
        self.testbed.detach_ioctl(self.path)
        self.testbed.remove_device("/sys" + CAMERA)
        place = self.testbed.get_root_dir() + self.path
        if os.path.lexists(place):
            os.unlink(place)
        self.node = None

    def set_writable(self, wanted):
        """Output of the terminal is started or stopped: poll() says POLLOUT or does not."""
        if self.terminal and wanted != self.is_writable:
            self.is_writable = wanted
            termios.tcflow(self.terminal[1], termios.TCOON if wanted else termios.TCOOFF)
