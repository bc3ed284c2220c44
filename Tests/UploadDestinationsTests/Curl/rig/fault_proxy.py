"""Passes one TCP port on to another, with one fault on the bytes from the client.

usage: fault_proxy.py LISTEN TARGET FAULT BYTES TIMES
FAULT is reset, stall or flip; it strikes when clients have brought more than BYTES bytes in all, and then TIMES - 1 new
connections after their first kilobyte.
"""
import socket
import struct
import sys
import threading

listen, target, fault, first_limit, times = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
lock = threading.Lock()
left = times
total = 0


def strike():
    global left
    with lock:
        left -= 1
        return left >= 0


def reset(*sockets):
    for one in sockets:
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.close()
        except OSError:
            pass


def upward(client, server):
    global total
    count, limit = 0, 1000
    while True:
        try:
            data = client.recv(65536)
        except OSError:
            return
        if not data:
            try:
                server.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            return
        before, count = count, count + len(data)
        with lock:
            if left == times:
                limit = count + first_limit - total - len(data)
            total += len(data)
        if before <= limit < count and strike():
            if fault == "flip":
                at = limit - before
                data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
            elif fault == "reset":
                try:
                    server.sendall(data[:limit - before])
                except OSError:
                    pass
                # Both, or the other thread's recv keeps the connection open.
                server.shutdown(socket.SHUT_RDWR)
                client.shutdown(socket.SHUT_RDWR)
                return reset(client, server)
            else:
                return threading.Event().wait()
        try:
            server.sendall(data)
        except OSError:
            return


def downward(server, client):
    while True:
        try:
            data = server.recv(65536)
            if not data:
                return client.shutdown(socket.SHUT_WR)
            client.sendall(data)
        except OSError:
            return


front = socket.create_server(("127.0.0.1", listen), backlog=64)
while True:
    client, _ = front.accept()
    server = socket.create_connection(("127.0.0.1", target))
    for one in (client, server):
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    threading.Thread(target=upward, args=(client, server), daemon=True).start()
    threading.Thread(target=downward, args=(server, client), daemon=True).start()
