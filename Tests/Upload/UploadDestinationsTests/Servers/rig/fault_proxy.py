"""Forwards TCP ports to another address, with at most one kind of fault.

usage: fault_proxy.py LISTEN TARGET FAULT BYTES TIMES [host=ADDRESS] [also=FIRST-LAST] [certificate=FILE] [count=FILE]
FAULT is
  pass                no fault
  reset, stall, flip  occurs after clients have sent more than BYTES bytes in total, and then TIMES - 1 more times: in new
                      connections, each after 1,000 bytes; reset breaks the connection, stall hangs, flip changes one bit
  mute                like reset, but the server receives the bytes; only its response is lost
  noise               changes one bit of every TIMES-th body, after its first BYTES bytes
  slow                forwards BYTES bytes per second
  delay               adds a round-trip time of BYTES milliseconds; neither side waits for buffer space
  status              responds to the first TIMES connections with HTTP status BYTES and Retry-After: 7
also: more ports to forward (FTP's data connections); certificate: use TLS with the client;
count: write the number of bytes from clients to this file.
Prints `struck` for each fault of the kinds reset, stall, flip, mute and status.
"""
import os
import queue
import select
import socket
import ssl
import struct
import sys
import threading
import time

listen, target, fault, limit_bytes, times = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
options = dict(word.split("=", 1) for word in sys.argv[6:])
host = options.get("host", "127.0.0.1")
certificate = options.get("certificate")
counter = os.open(options["count"], os.O_WRONLY | os.O_CREAT, 0o644) if "count" in options else None
lock = threading.Lock()
left = times
total = 0
bodies = 0


def strike():
    global left
    with lock:
        left -= 1
        if left >= 0:
            print("struck", flush=True)
        return left >= 0


def reset(*sockets):
    for one in sockets:
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            # Without this call, the recv of the other thread would keep the connection open.
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]


class DelayedSocket:
    """Sends bytes to a socket after half a round-trip time, in order."""

    def __init__(self, target):
        self.target = target
        self.pieces = queue.SimpleQueue()
        threading.Thread(target=self.run, daemon=True).start()

    def sendall(self, data):
        self.pieces.put((time.monotonic() + limit_bytes / 2000, data))

    def run(self):
        while True:
            due, data = self.pieces.get()
            time.sleep(max(due - time.monotonic(), 0))
            try:
                if data is None:
                    return self.target.shutdown(socket.SHUT_WR)
                self.target.sendall(data)
            except OSError:
                return


def pass_delayed(source, target):
    delayed = DelayedSocket(target)
    while True:
        try:
            data = source.recv(65536)
        except OSError:
            data = b""
        delayed.sendall(data or None)
        if not data:
            return


class Line:
    """One connection: a thread for each direction."""

    def __init__(self, client, server):
        self.client, self.server = client, server
        self.run = 0        # bytes from the client since the server's last bytes
        self.isMute = False
        self.isStalled = False

    def upward(self):
        global total, bodies
        count, limit = 0, 1000
        while True:
            try:
                data = self.client.recv(65536)
            except OSError:
                return
            if not data:
                try:
                    self.server.shutdown(socket.SHUT_WR)
                except OSError:
                    pass
                return
            before, count = count, count + len(data)
            with lock:
                if left == times:
                    limit = count + limit_bytes - total - len(data)
                total += len(data)
                if counter is not None:
                    # The number never becomes shorter, so the text overwrites the earlier text completely.
                    os.pwrite(counter, str(total).encode(), 0)
            run, self.run = self.run, self.run + len(data)
            if fault == "slow":
                time.sleep(len(data) / limit_bytes)
            elif fault == "noise" and run <= limit_bytes < self.run:
                with lock:
                    bodies += 1
                    if bodies % times == 0:
                        data = flipped(data, limit_bytes - run)
            elif fault in ("reset", "stall", "flip", "mute") and before <= limit < count and strike():
                if fault == "flip":
                    data = flipped(data, limit - before)
                elif fault == "mute":
                    self.isMute = True
                else:
                    self.isStalled = fault == "stall"
                    try:
                        self.server.sendall(data[:limit - before])
                    except OSError:
                        pass
                    return reset(self.client, self.server) if fault == "reset" else None
            try:
                self.server.sendall(data)
            except OSError:
                return

    def downward(self):
        while True:
            try:
                data = self.server.recv(65536)
                self.run = 0
                if self.isMute:
                    return reset(self.client, self.server)
                if not data:
                    # A reset discards bytes that the client has not read. Only the hanging connection is reset.
                    return reset(self.client, self.server) if self.isStalled else self.client.shutdown(socket.SHUT_WR)
                self.client.sendall(data)
            except OSError:
                return reset(self.client, self.server)


def refuse(client):
    """Sends a response and continues to read. Otherwise, the end of the connection could discard the response."""
    try:
        seen = b""
        while b"\r\n\r\n" not in seen:
            data = client.recv(65536)
            if not data:
                return
            seen += data
        client.sendall(b"HTTP/1.1 %d So\r\nRetry-After: 7\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % limit_bytes)
        client.shutdown(socket.SHUT_WR)
        while client.recv(65536):
            pass
    except OSError:
        pass
    finally:
        client.close()


def take(client, port):
    try:
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            client = context.wrap_socket(client, server_side=True)
        if fault == "status" and strike():
            return refuse(client)
        server = socket.create_connection((host, port))
    except OSError:
        return reset(client)
    for one in (client, server):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if fault == "delay":
        # In a real network, a connection needs a round trip.
        time.sleep(limit_bytes / 1000)
        threading.Thread(target=pass_delayed, args=(client, server), daemon=True).start()
        return pass_delayed(server, client)
    line = Line(client, server)
    threading.Thread(target=line.upward, daemon=True).start()
    line.downward()


fronts = {socket.create_server(("127.0.0.1", listen), backlog=64): target}
if "also" in options:
    first, last = options["also"].split("-")
    for port in range(int(first), int(last) + 1):
        fronts[socket.create_server(("127.0.0.1", port), backlog=64)] = port
while True:
    for front in select.select(list(fronts), [], [])[0]:
        client, _ = front.accept()
        threading.Thread(target=take, args=(client, fronts[front]), daemon=True).start()
