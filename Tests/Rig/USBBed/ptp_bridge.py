"""Translates between PTP over USB (containers on two bulk endpoints and an interrupt endpoint) and PTP/IP.

The camera is `framefast-simcam`, which uses PTP/IP, and the driver under test uses USB. The bridge translates only the
framing, so all features of the simulator also work over USB.
"""

import collections
import socket
import struct
import threading

COMMAND, DATA, RESPONSE, EVENT = 1, 2, 3, 4  # container types (USB still image class, table 7.1-1)
HEADER = struct.Struct("<IHHI")  # length, type, code, transaction
GET_OBJECT = 0x1009
# An object above this many bytes is sent with an unknown length and ends with a short packet. Real cameras do this from
# 4 GiB.
ENDLESS_ABOVE = 2_500_000
UNKNOWN_LENGTH = 0xFFFFFFFF  # the value in a container's header
BULK_PACKET = 512  # bytes, at high speed
BUFFER_LIMIT = 1 << 20  # the maximum number of bytes that wait for the host

IP_INIT_COMMAND, IP_INIT_COMMAND_ACK, IP_INIT_EVENT, IP_INIT_EVENT_ACK = 1, 2, 3, 4
IP_REQUEST, IP_RESPONSE, IP_EVENT, IP_START_DATA, IP_DATA, IP_CANCEL, IP_END_DATA = 6, 7, 8, 9, 10, 11, 12


class Transfer:
    """A container in transfer to the host. It ends with a short packet, which may be empty."""

    def __init__(self, bytes_, length):
        """Creates a transfer. `length` is the length in the container's header."""
        self.bytes = bytearray()
        self.total = 0
        self.length = length
        self.add(bytes_)

    def add(self, bytes_, is_last=False):
        self.bytes += bytes_
        self.total += len(bytes_)
        # PTP/IP may report the end in a separate packet, after the host has read all bytes.
        self.ended = is_last or (self.length != UNKNOWN_LENGTH and self.total >= self.length)

    def read(self, length):
        """Returns the bytes for a read and whether the transfer is complete, or None while bytes are missing."""
        if len(self.bytes) < length and not self.ended:
            return None
        taken = bytes(self.bytes[:length])
        del self.bytes[:length]
        was_short = len(taken) < length or (not self.bytes and self.total % BULK_PACKET != 0)
        return taken, self.ended and not self.bytes and was_short


class Bridge:
    """A PTP/IP session that acts as the bulk and interrupt endpoints of a USB camera."""

    def __init__(self, host, port, wake):
        """Connects to the camera. `wake` is called when a waiting read may succeed."""
        self.wake = wake
        self.changed = threading.Condition()
        self.incoming = collections.deque()  # transfers to the host
        self.events = collections.deque()  # encoded events
        self.pending = None  # a command whose data direction is not known yet
        self.request = (0, 0)  # code and transaction of the last command
        self.out_left = 0
        self.is_open = True
        self.commands = connect(host, port)
        name = "usb-bed\0".encode("utf-16-le")
        self._send(IP_INIT_COMMAND, b"framefastusbbed\0" + name + struct.pack("<I", 0x10000))
        kind, payload = read_packet(self.commands)
        if kind != IP_INIT_COMMAND_ACK:
            raise ConnectionError("the camera refused the connection")
        self.notices = connect(host, port)
        self.notices.sendall(struct.pack("<II", 12, IP_INIT_EVENT) + payload[:4])
        if read_packet(self.notices)[0] != IP_INIT_EVENT_ACK:
            raise ConnectionError("the camera refused the event connection")
        self.commands.settimeout(None)
        self.notices.settimeout(None)
        for loop in (self._read_commands, self._read_events):
            threading.Thread(target=loop, daemon=True).start()

    def close(self):
        with self.changed:
            self.is_open = False
            self.changed.notify_all()
        for connection in (self.commands, self.notices):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            connection.close()

    # Actions of the host

    def write(self, bytes_):
        """Handles a write to the bulk endpoint."""
        if self.out_left:
            self.out_left -= len(bytes_)
            self._send(IP_DATA if self.out_left else IP_END_DATA, struct.pack("<I", self.request[1]) + bytes_)
        elif len(bytes_) >= HEADER.size:  # a shorter write is the empty packet that ends a container
            length, kind, code, transaction = HEADER.unpack_from(bytes_)
            if kind == COMMAND:
                self.request = (code, transaction)
                self.pending = bytes_[HEADER.size : length]
            elif kind == DATA:
                self._send_command(2)
                self._send(IP_START_DATA, struct.pack("<IQ", transaction, length - HEADER.size))
                here = bytes_[HEADER.size :]
                self.out_left = length - len(bytes_)
                last = IP_DATA if self.out_left else IP_END_DATA
                self._send(last, struct.pack("<I", transaction) + here)

    def read(self, length):
        """Handles a read from the bulk endpoint. Returns the bytes, or None while none are available."""
        self._send_command(1)  # a host that reads has no data to send
        with self.changed:
            answer = self.incoming[0].read(length) if self.incoming else None
            if answer is None:
                return None
            taken, is_over = answer
            if is_over:
                self.incoming.popleft()
            self.changed.notify_all()
            return taken

    def read_event(self):
        """Handles a read from the interrupt endpoint. Returns an event, or None."""
        with self.changed:
            return self.events.popleft() if self.events else None

    def cancel(self):
        """Handles the class request that cancels a transaction."""
        self._send(IP_CANCEL, struct.pack("<I", self.request[1]))
        with self.changed:
            self.incoming.clear()
            self.changed.notify_all()

    def _send_command(self, phase):
        if self.pending is not None:
            parameters, self.pending = self.pending, None
            self._send(IP_REQUEST, struct.pack("<IHI", phase, *self.request) + parameters)

    def _send(self, kind, payload):
        try:
            self.commands.sendall(struct.pack("<II", 8 + len(payload), kind) + payload)
        except OSError:
            self.is_open = False

    # Messages of the camera

    def _read_commands(self):
        try:
            while True:
                self._receive(*read_packet(self.commands))
                self.wake()
                with self.changed:
                    self.changed.wait_for(lambda: self._buffered() <= BUFFER_LIMIT or not self.is_open)
        except (OSError, EOFError):
            self.is_open = False
            self.wake()

    def _buffered(self):
        return sum(len(transfer.bytes) for transfer in self.incoming)

    def _receive(self, kind, payload):
        with self.changed:
            if kind == IP_START_DATA:
                transaction, total = struct.unpack_from("<IQ", payload)
                is_endless = self.request[0] == GET_OBJECT and total > ENDLESS_ABOVE
                length = UNKNOWN_LENGTH if is_endless else min(HEADER.size + total, UNKNOWN_LENGTH)
                head = HEADER.pack(length, DATA, self.request[0], transaction)
                self.incoming.append(Transfer(head, length))
            elif kind in (IP_DATA, IP_END_DATA) and self.incoming:
                self.incoming[-1].add(payload[4:], is_last=kind == IP_END_DATA)
            elif kind == IP_RESPONSE:
                code, transaction = struct.unpack_from("<HI", payload)
                parameters = payload[6:]
                length = HEADER.size + len(parameters)
                head = HEADER.pack(length, RESPONSE, code, transaction)
                self.incoming.append(Transfer(head + parameters, length))

    def _read_events(self):
        try:
            while True:
                kind, payload = read_packet(self.notices)
                if kind == IP_EVENT:
                    code, transaction = struct.unpack_from("<HI", payload)
                    parameters = payload[6:]
                    head = HEADER.pack(HEADER.size + len(parameters), EVENT, code, transaction)
                    with self.changed:
                        self.events.append(head + parameters)
                    self.wake()
        except (OSError, EOFError):
            pass


def connect(host, port):
    connection = socket.create_connection((host, port), timeout=5)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def read_packet(connection):
    """Returns the type and the payload of the next PTP/IP packet."""
    length, kind = struct.unpack("<II", read_exactly(connection, 8))
    return kind, read_exactly(connection, length - 8)


def read_exactly(connection, count):
    data = bytearray(count)
    view = memoryview(data)
    while view:
        got = connection.recv_into(view)
        if got == 0:
            raise EOFError
        view = view[got:]
    return bytes(data)
