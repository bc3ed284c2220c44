"""Announces devices to the programs on the bus, for any thread.

umockdev's own sender is made for one thread, and for programs that read at once: it ends the process when a monitor's
queue is full, which takes eleven announcements that nobody read. The kernel drops what does not fit. So each
announcement waits until every monitor has room, and one that has none after a while does not hear of it. It ends the
process as well when a monitor is closed between its look for monitors and its send, because who closes one removes its
socket: so sockets get names here that only this program removes. Of those that nobody listens at umockdev lets go.
"""

import itertools
import os
import select
import socket
import threading

TAKEN = "-taken-"  # umockdev sends to what is called event<digits> at its beginning
ROOM_SECONDS = 2.0  # for a program that is not scheduled; one that is stopped misses announcements


class Announcements:
    """The part of a testbed that sends to udev monitors: their sockets are `event<fd>` in its folder, and whatever follows."""

    def __init__(self, bed):
        self.bed = bed
        self.lock = threading.RLock()
        self.numbers = itertools.count()
        self.full = set()  # monitors that had no room the last time; they are not waited for again

    def add(self, text):
        """Adds a device, described in umockdev's form, and announces it."""
        self._send(self.bed.add_from_string, text)

    def send(self, path, action):
        """Announces a change of the device at a path in /sys."""
        self._send(self.bed.uevent, path, action)

    def remove(self, path):
        """Takes a device away, which was announced before."""
        with self.lock:
            self.bed.remove_device(path)

    def _send(self, call, *arguments):
        with self.lock:
            folder = self.bed.get_root_dir()
            monitors = self._take(folder)
            self.full = {
                name for name in monitors
                if not has_room(folder, name, seconds=0 if name in self.full else ROOM_SECONDS)}
            for name in self.full:
                os.rename(os.path.join(folder, name), os.path.join(folder, "full-" + name))
            try:
                call(*arguments)
            finally:
                for name in self.full:
                    os.rename(os.path.join(folder, "full-" + name), os.path.join(folder, name))

    def _take(self, folder):
        """Names of all monitors' sockets, which stay when a monitor is closed."""
        for name in os.listdir(folder):
            if name.startswith("event") and TAKEN not in name:
                try:
                    os.rename(os.path.join(folder, name), os.path.join(folder, f"{name}{TAKEN}{next(self.numbers)}"))
                except FileNotFoundError:
                    pass  # closed meanwhile
        return [name for name in os.listdir(folder) if name.startswith("event")]


def has_room(folder, name, seconds):
    """Whether a monitor's queue takes one more announcement in time. What nobody listens at any more refuses none."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as monitor:
        try:
            monitor.connect(os.path.join(folder, name))
        except OSError:
            return True
        poll = select.poll()
        poll.register(monitor, select.POLLOUT)
        return bool(poll.poll(seconds * 1000))
