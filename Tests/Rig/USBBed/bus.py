"""The bus: which device is at which port."""

import os

from announcements import Announcements
from device import BUS, Device
from terminal import Keeper

ROOT_HUB = {"vendor": "1d6b", "product": "0002", "deviceClass": 9, "productName": "Root hub",
            "interfaces": [{"class": 9, "subclass": 0, "protocol": 0}]}
HUB = {"vendor": "1a40", "product": "0101", "deviceClass": 9, "productName": "USB 2.0 hub",
       "interfaces": [{"class": 9, "subclass": 0, "protocol": 0}]}


class Bus:
    def __init__(self, bed, make_node):
        """`make_node(device)` gives the ioctl handler of a freshly plugged device."""
        self.bed = bed
        self.announcements = Announcements(bed)
        self.make_node = make_node
        self.keeper = Keeper()
        self.number = 3  # of the last device; the first one is 004
        self.devices = {}
        # A test looks at the bus as another user, too; its udev monitor is a socket in there.
        os.chmod(bed.get_root_dir(), 0o777)
        Device(bed, self.announcements, "usb%d" % BUS, 1, ROOT_HUB, None).plug(self.keeper)

    def plug(self, port, entry):
        """A device arrives, under a number of its own as from the kernel; hubs on the way there come before it."""
        if port in self.devices:
            raise ValueError("there is a device at %s already" % port)
        hub = port.rpartition(".")[0]
        if hub and hub not in self.devices:
            self.plug(hub, HUB)
        taken = {device.number for device in self.devices.values()} | {1}
        self.number = next(n for n in (self.number % 127 + 1, *range(2, 128)) if n not in taken)
        device = Device(self.bed, self.announcements, port, self.number, entry, self.make_node)
        self.devices[port] = device
        device.plug(self.keeper)
        return device

    def unplug(self, port):
        """The cable is pulled; what is behind a hub goes before the hub."""
        for behind in [other for other in self.devices if other.startswith(port + ".")]:
            if behind in self.devices:
                self.unplug(behind)
        self.devices.pop(port).unplug()
