"""The pseudo terminals that represent device nodes.

A node is the slave side of a terminal. poll() reports it as writable while its output is not stopped. Closing the
master hangs the node up, as unplugging does. One thread has a separate descriptor table and keeps the slaves open.
Programs that search /proc for the holders of a node therefore do not find this process, which simulates the bus.
"""

import collections
import ctypes
import os
import termios
import threading

CLOSE_RANGE, CLOSE_RANGE_UNSHARE = 436, 2


class DescriptorKeeper:
    """The thread that keeps the slaves open."""

    def __init__(self):
        self.changed = threading.Condition()
        self.work = collections.deque()
        threading.Thread(target=self.run, daemon=True).start()

    def run_later(self, function, *arguments):
        """Runs a function on the thread without waiting."""
        with self.changed:
            self.work.append((function, arguments, None))
            self.changed.notify()

    def run_now(self, function, *arguments):
        """Runs a function on the thread and returns its result."""
        done = []
        finished = threading.Event()
        with self.changed:
            self.work.append((function, arguments, lambda result: (done.append(result), finished.set())))
            self.changed.notify()
        finished.wait()
        if isinstance(done[0], Exception):
            raise done[0]
        return done[0]

    def run(self):
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.syscall(CLOSE_RANGE, 3, 0x7FFFFFFF, CLOSE_RANGE_UNSHARE) != 0:
            print("usb-bed: close_range: errno %d" % ctypes.get_errno(), flush=True)
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.work)
                function, arguments, answer = self.work.popleft()
            try:
                result = function(*arguments)
            except Exception as error:
                result = error
            if answer:
                answer(result)


class Terminal:
    def __init__(self, keeper, permissions):
        self.keeper = keeper
        self.master, slave = os.openpty()
        settings = termios.tcgetattr(slave)
        settings[3] = 0  # no echo, no signals
        termios.tcsetattr(slave, termios.TCSANOW, settings)
        self.name = os.ttyname(slave)
        os.chmod(self.name, permissions)
        self.slave = keeper.run_now(os.open, self.name, os.O_RDWR | os.O_NOCTTY)
        os.close(slave)
        self.is_writable = True
        self.set_writable(False)

    def set_writable(self, wanted):
        """Starts or stops the output. poll() reports POLLOUT only after a start."""
        if self.slave is not None and wanted != self.is_writable:
            self.is_writable = wanted
            self.keeper.run_later(termios.tcflow, self.slave, termios.TCOON if wanted else termios.TCOOFF)

    def hang_up(self):
        slave, self.slave = self.slave, None
        os.close(self.master)
        self.keeper.run_now(os.close, slave)
