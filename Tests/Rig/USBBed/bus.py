"""The virtual USB bus, with its devices by port."""

import os

from announcements import Announcements
from device import BUS, Device
from terminal import DescriptorKeeper

ROOT_HUB = {"vendor": "1d6b", "product": "0002", "deviceClass": 9, "productName": "Root hub",
            "interfaces": [{"class": 9, "subclass": 0, "protocol": 0}]}
HUB = {"vendor": "1a40", "product": "0101", "deviceClass": 9, "productName": "USB 2.0 hub",
       "interfaces": [{"class": 9, "subclass": 0, "protocol": 0}]}


class Bus:
    def __init__(self, bed, make_node):
        """Creates a bus. `make_node(device)` returns the ioctl handler of a new device."""
        self.bed = bed
        self.announcements = Announcements(bed)
        self.make_node = make_node
        self.keeper = DescriptorKeeper()
        self.number = 3  # the number of the last device; the first device gets 004
        self.devices = {}
        # Some tests run a program on the bus under a second Unix account. That program's udev monitor creates a socket in
        # this folder.
        os.chmod(bed.get_root_dir(), 0o777)
        Device(bed, self.announcements, "usb%d" % BUS, 1, ROOT_HUB, None).plug(self.keeper)

    def plug(self, port, entry):
        """Plugs in a device with a new device number, as the kernel does. Adds missing hubs on its path first.

        If the entry has a "number" that is free, the device gets this number. The kernel reuses numbers after 127 devices.
        """
        if port in self.devices:
            raise ValueError("there is a device at %s already" % port)
        hub = port.rpartition(".")[0]
        if hub and hub not in self.devices:
            self.plug(hub, HUB)
        taken = {device.number for device in self.devices.values()} | {1}
        wanted = entry.get("number") or self.number % 127 + 1
        self.number = next(n for n in (wanted, *range(2, 128)) if n not in taken)
        device = Device(self.bed, self.announcements, port, self.number, entry, self.make_node)
        self.devices[port] = device
        device.plug(self.keeper)
        return device

    def unplug(self, port):
        """Unplugs a device. The devices behind a hub are removed before the hub."""
        for behind in [other for other in self.devices if other.startswith(port + ".")]:
            if behind in self.devices:
                self.unplug(behind)
        self.devices.pop(port).unplug()
