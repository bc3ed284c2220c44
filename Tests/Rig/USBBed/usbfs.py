"""usbfs in user space: implements the ioctls that libusb uses on a device node.

A program submits a request block (URB). The block finishes later, and the program reads its result (reaps it). The kernel
makes the node writable while a finished block waits. Here the node is a pseudo terminal, and starting and stopping its
output has the same effect. Unplugging the device hangs the terminal up (see terminal.py).
"""

import errno
import struct
import threading

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

from descriptors import BULK_IN, BULK_OUT, INTERRUPT_IN, STILL_IMAGE, descriptors, string_descriptor  # noqa: E402

# <linux/usbdevice_fs.h>, 64 bit
CONTROL, BULK, SETINTERFACE, SETCONFIGURATION = 0xC0185500, 0xC0185502, 0x80085504, 0x80045505
GETDRIVER, SUBMITURB, DISCARDURB, REAPURB, REAPURBNDELAY = 0x41045508, 0x8038550A, 0x550B, 0x4008550C, 0x4008550D
CLAIMINTERFACE, RELEASEINTERFACE, IOCTL, RESET, CLEAR_HALT = 0x8004550F, 0x80045510, 0xC0105512, 0x5514, 0x80045515
GET_CAPABILITIES, DISCONNECT_CLAIM, GET_SPEED = 0x8004551A, 0x8108551B, 0x551F
# Zero packets, bulk continuation, transfers of any size, scatter-gather, reaping after unplugging.
CAPABILITIES = 0x1F

# struct usbdevfs_urb: type, endpoint, status, flags, buffer, buffer_length, actual_length, …
URB_SIZE, URB_STATUS, URB_BUFFER, URB_LENGTH, URB_ACTUAL = 56, 4, 16, 24, 28
URB_TYPE_INTERRUPT, URB_TYPE_CONTROL, URB_TYPE_BULK = 1, 2, 3

DISCONNECT = 0x5516  # inside IOCTL: detach the kernel's driver from the interface
GET_DESCRIPTOR, DEVICE_DESCRIPTOR, STRING_DESCRIPTOR = 6, 1, 3
CLASS_CANCEL, CLASS_RESET, CLASS_STATUS = 0x64, 0x66, 0x67
DEVICE_STATUS_OK = bytes([4, 0, 0x01, 0x20])


class Request:
    """A submitted URB, in the memory of the program that submitted it."""

    def __init__(self, client, data):
        self.client = client
        self.data = data
        fields = bytes(data.retrieve())
        self.kind, self.endpoint = fields[0], fields[1]
        self.address = data.client_addr
        self.length = struct.unpack_from("<i", fields, URB_LENGTH)[0]
        self.buffer = data.resolve(URB_BUFFER, self.length) if self.length > 0 else None

    def bytes(self):
        return bytes(self.buffer.retrieve()) if self.buffer else b""

    def finish(self, status=0, received=None, sent=0):
        if received:
            self.buffer.update(self.offset, received)
        self.data.update(URB_STATUS, struct.pack("<i", -status))
        self.data.update(URB_ACTUAL, struct.pack("<i", len(received) if received is not None else sent))

    offset = 0


def number(client):
    """Returns the interface number, which is the first field of most arguments."""
    return struct.unpack("<i", bytes(client.get_arg().resolve(0, 4).retrieve()))[0]


class DeviceNode(UMockdev.IoctlBase):
    """The ioctls of a plugged-in device."""

    def __init__(self, device, connect):
        """Creates a node. `connect(wake)` connects to the camera behind the device."""
        super().__init__()
        self.device = device
        self.open_camera = connect
        self.signal = device.set_writable
        self.lock = threading.RLock()
        self.owners = {}  # the programs that have claimed interfaces, by interface number
        self.is_held = False  # whether another program holds the camera
        self.camera = None
        self.waiting = []
        self.finished = []
        self.is_plugged = True
        self.bytes_in = 0
        self.claims = 0
        self.detached = 0  # detached kernel drivers
        self.resets = 0
        self.calls = 0  # ioctls of any kind; 0 if no program has opened the node
        self.connect("handle-ioctl", self.on_ioctl)
        self.connect("client-vanished", self.on_gone)

    def unplug(self):
        with self.lock:
            self.is_plugged = False
            self.waiting.clear()
            self.finished.clear()
            for interface in list(self.owners):
                self.release(interface)

    def on_gone(self, _, client):
        with self.lock:
            self.waiting = [request for request in self.waiting if request.client != client]
            self.finished = [request for request in self.finished if request.client != client]
            for interface in [number for number, owner in self.owners.items() if owner == client]:
                self.release(interface)

    def on_ioctl(self, _, client):
        with self.lock:
            try:
                code = self.answer(client, client.get_request() & 0xFFFFFFFF)
            except Exception as error:  # the program died during its ioctl
                print("usb-bed: ioctl 0x%x: %r" % (client.get_request(), error), flush=True)
                code = errno.EIO
            if code is not None:
                client.complete(-1 if code else 0, code)
        return True

    def answer(self, client, ioctl):
        """Handles an ioctl. Returns an errno, 0 for success, or None if the ioctl was already completed."""
        if not self.is_plugged:
            return errno.ENODEV
        self.calls += 1
        if ioctl == SUBMITURB:
            return self.submit(Request(client, client.get_arg().resolve(0, URB_SIZE)))
        if ioctl in (REAPURB, REAPURBNDELAY):
            return self.reap(client)
        if ioctl == DISCARDURB:
            return self.discard(client)
        if ioctl in (CLAIMINTERFACE, DISCONNECT_CLAIM):
            return self.claim(client, number(client), ioctl == DISCONNECT_CLAIM)
        if ioctl == RELEASEINTERFACE:
            if self.owners.get(number(client)) == client:
                self.release(number(client))
            return 0
        if ioctl == GET_CAPABILITIES:
            client.get_arg().resolve(0, 4).update(0, struct.pack("<I", CAPABILITIES))
            return 0
        if ioctl in (SETINTERFACE, SETCONFIGURATION, CLEAR_HALT, RESET):
            self.resets += ioctl == RESET
            return 0
        if ioctl == GETDRIVER:
            return self.name_driver(client)
        if ioctl == IOCTL:
            return self.disconnect(client)
        return errno.ENOTTY

    # Interfaces

    def claim(self, client, interface, takes_over):
        if not 0 <= interface < len(self.device.entry["interfaces"]):
            return errno.ENOENT
        if interface in self.owners:
            return 0 if self.owners[interface] == client else errno.EBUSY
        if self.is_held:
            return errno.EBUSY
        if self.device.driver(interface):
            if not takes_over:
                return errno.EBUSY
            self.detached += 1
        if self.device.entry["interfaces"][interface]["class"] == STILL_IMAGE:
            try:
                self.camera = self.open_camera(self.serve)
            except (OSError, EOFError) as error:
                print("usb-bed: cannot reach the camera: %s" % error, flush=True)
                return errno.EIO
        self.owners[interface] = client
        self.claims += 1
        self.device.set_driver(interface, "usbfs")
        return 0

    def release(self, interface):
        del self.owners[interface]
        self.device.set_driver(interface, None)
        if self.camera and self.device.entry["interfaces"][interface]["class"] == STILL_IMAGE:
            self.camera.close()
            self.camera = None

    def name_driver(self, client):
        # Resolved once, because a resolved block keeps its initial size.
        answer = client.get_arg().resolve(0, 260)
        name = self.device.driver(struct.unpack("<i", bytes(answer.retrieve())[:4])[0])
        if not name:
            return errno.ENODATA
        answer.update(4, name.encode() + b"\0")
        return 0

    def disconnect(self, client):
        interface, code = struct.unpack("<iI", bytes(client.get_arg().resolve(0, 16).retrieve())[:8])
        if code != DISCONNECT or not self.device.driver(interface):
            return errno.ENODATA
        if interface in self.owners or self.is_held:
            return errno.EBUSY
        self.detached += 1
        self.device.set_driver(interface, None)
        return 0

    # Request blocks

    def submit(self, request):
        if request.kind == URB_TYPE_CONTROL:
            self.control(request)
        elif not self.camera:
            return errno.EINVAL
        elif request.endpoint == BULK_OUT:
            self.camera.write(request.bytes())
            request.finish(sent=request.length)
            self.finished.append(request)
        elif request.endpoint in (BULK_IN, INTERRUPT_IN):
            self.waiting.append(request)
        else:
            return errno.ENOENT
        self.serve()
        return 0

    def control(self, request):
        """Handles a control transfer: a setup packet of 8 bytes, then data."""
        setup = request.bytes()[:8]
        direction, what = setup[0], setup[1]
        request.offset = 8
        if direction == 0x80 and what == GET_DESCRIPTOR:
            answer = self.describe(setup[3], setup[2])
            if answer is None:
                request.finish(status=errno.EPIPE)
            else:
                request.finish(received=answer[: request.length - 8])
        elif direction == 0xA1 and what == CLASS_STATUS:
            request.finish(received=DEVICE_STATUS_OK[: request.length - 8])
        elif direction == 0x21 and what in (CLASS_CANCEL, CLASS_RESET):
            if self.camera and what == CLASS_CANCEL:
                self.camera.cancel()
            request.finish(sent=request.length - 8)
        elif direction in (0x00, 0x01, 0x02):  # standard settings: feature, configuration, interface
            request.finish(sent=request.length - 8)
        else:
            request.finish(status=errno.EPIPE)
        self.finished.append(request)

    def describe(self, kind, index):
        """Returns a descriptor in the form that the device sends, or None."""
        if kind == STRING_DESCRIPTOR:
            return string_descriptor(self.device.entry, index)
        return descriptors(self.device.entry)[:18] if kind == DEVICE_DESCRIPTOR else None

    def serve(self):
        """Finishes all waiting requests for which data is available, in order for each endpoint."""
        with self.lock:
            stuck = set()
            for request in list(self.waiting):
                if request.endpoint in stuck or not self.camera:
                    continue
                if request.endpoint == BULK_IN:
                    received = self.camera.read(request.length)
                else:
                    received = self.camera.read_event()
                if received is None and self.camera.is_open:
                    stuck.add(request.endpoint)
                    continue
                self.waiting.remove(request)
                if received is None:
                    request.finish(status=errno.EPROTO)
                else:
                    self.bytes_in += len(received)
                    request.finish(received=received[: request.length])
                self.finished.append(request)
            if self.is_plugged:
                self.signal(bool(self.finished))

    def reap(self, client):
        mine = next((request for request in self.finished if request.client == client), None)
        if mine is None:
            return errno.EAGAIN
        self.finished.remove(mine)
        self.signal(bool(self.finished))
        client.get_arg().resolve(0, 8).set_ptr(0, mine.data)
        return 0

    def discard(self, client):
        # The argument is the address of the request block itself.
        address = struct.unpack("<Q", bytes(client.get_arg().retrieve()))[0]
        for request in self.waiting:
            if request.client == client and request.address == address:
                self.waiting.remove(request)
                request.finish(status=errno.ENOENT)
                self.finished.append(request)
                self.signal(True)
                return 0
        return errno.EINVAL
