"""Announces devices to the udev monitors of the programs on the bus. Any thread may use this module.

umockdev's own sender supports only one thread. It exits when the queue of a monitor is full, after eleven unread
announcements. (The kernel would drop the announcement instead.) So each announcement waits until every monitor has space
in its queue. After a time limit, the announcement skips the monitors whose queues are still full.

umockdev's sender also exits when a monitor is closed between the search for monitors and the send, because closing a
monitor removes its socket. So this module renames the sockets. Closing a monitor does not remove a renamed socket, and
umockdev ignores a socket without a listener.
"""

import itertools
import os
import select
import socket
import threading

TAKEN = "-taken-"  # umockdev sends to sockets whose name starts with event<digits>
SPACE_TIMEOUT_SECONDS = 2.0  # longer than a busy computer delays a program; a stopped program misses announcements


class Announcements:
    """A sender of udev events. Monitors' sockets are `event<fd>…` in the testbed's folder."""

    def __init__(self, bed):
        self.bed = bed
        self.lock = threading.RLock()
        self.numbers = itertools.count()
        self.full = set()  # monitors without space at the last send; the sender does not wait for them again

    def add(self, text):
        """Adds a device, described in umockdev's text format, and announces it."""
        self._send(self.bed.add_from_string, text)

    def send(self, path, action):
        """Announces a change of the device at a path in /sys."""
        self._send(self.bed.uevent, path, action)

    def remove(self, path):
        """Removes a device. The removal was already announced."""
        with self.lock:
            self.bed.remove_device(path)

    def _send(self, call, *arguments):
        with self.lock:
            folder = self.bed.get_root_dir()
            monitors = self._claim_sockets(folder)
            self.full = {
                name for name in monitors
                if not has_space(folder, name, seconds=0 if name in self.full else SPACE_TIMEOUT_SECONDS)}
            for name in self.full:
                os.rename(os.path.join(folder, name), os.path.join(folder, "full-" + name))
            try:
                call(*arguments)
            finally:
                for name in self.full:
                    os.rename(os.path.join(folder, "full-" + name), os.path.join(folder, name))

    def _claim_sockets(self, folder):
        """Renames new sockets, and returns the names of all sockets. A renamed socket remains when its monitor is closed."""
        for name in os.listdir(folder):
            if name.startswith("event") and TAKEN not in name:
                try:
                    os.rename(os.path.join(folder, name), os.path.join(folder, f"{name}{TAKEN}{next(self.numbers)}"))
                except FileNotFoundError:
                    pass  # the monitor was closed
        return [name for name in os.listdir(folder) if name.startswith("event")]


def has_space(folder, name, seconds):
    """Returns whether a monitor's queue gets space for an announcement in time. A socket without a listener always has space."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as monitor:
        try:
            monitor.connect(os.path.join(folder, name))
        except OSError:
            return True
        poll = select.poll()
        poll.register(monitor, select.POLLOUT)
        return bool(poll.poll(seconds * 1000))
