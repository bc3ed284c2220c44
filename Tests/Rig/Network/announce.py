#!/usr/bin/env python3
"""Answers discovery requests for cameras, in a private network namespace of a test.

announce.py INTERFACE_ADDRESS ROLE...

Roles: mdns=ADDRESS:PORT   answers multicast DNS with pointer, service and address
       pointer=ADDRESS     answers multicast DNS with the pointer only, as some bodies do
       noise=ADDRESS       answers multicast DNS with invalid data
       upnp=ADDRESS:URN    answers an SSDP search for URN
       device=ADDRESS:MAKER  answers a search for any device with a description that names MAKER
"""
import http.server
import select
import socket
import struct
import sys
import threading

SERVICE = b"\x04_ptp\x04_tcp\x05local\x00"


def record(name, kind, data):
    return name + struct.pack(">HHIH", kind, 0x8001, 120, len(data)) + data


def listener(group, port, interface):
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((group, port))
    s.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                 socket.inet_aton(group) + socket.inet_aton(interface))
    return s


def answer(own, data, to):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind((own, 0))
        s.sendto(data, to)


def mdns(role, value, query, to):
    # Compression pointers refer to the service's name at byte 12, and to `local` in it.
    head = query[:2] + struct.pack(">HHHHH", 0x8400, 1, 1, 0, 2) + SERVICE + struct.pack(">HH", 12, 1)
    own, _, port = value.partition(":")
    pointer = record(b"\xc0\x0c", 12, b"\x06camera\xc0\x0c")
    if role == "pointer":
        answer(own, query[:2] + struct.pack(">HHHHH", 0x8400, 1, 1, 0, 0) + head[12:] + pointer, to)
    elif role == "mdns":
        instance = struct.pack(">H", 0xC000 | (len(head) + 12))
        service = record(instance, 33, struct.pack(">HHH", 0, 0, int(port)) + b"\x04body\xc0\x16")
        answer(own, head + pointer + service + record(b"\x04body\xc0\x16", 1, socket.inet_aton(own)), to)
    else:
        for data in (b"", b"\xff" * 2000, head[:20], query, head + b"\xc0\xff" * 40):
            answer(own, data, to)


def ssdp(role, value, query, to):
    own, _, word = value.partition(":")
    wanted = word if role == "upnp" else "upnp:rootdevice"
    if f"ST: {wanted}\r\n" not in query.decode("ascii", "replace"):
        return
    answer(own, (f"HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nEXT:\r\n"
                 f"LOCATION: http://{own}:49152/upnp/CameraDevDesc.xml\r\nSERVER: Camera OS/1.0 UPnP/1.0\r\n"
                 f"ST: {wanted}\r\nUSN: uuid:0::{wanted}\r\n\r\n").encode(), to)


def describe(value):
    own, _, maker = value.partition(":")

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = (f"<?xml version=\"1.0\"?><root><device><manufacturer>{maker}</manufacturer>"
                    "</device></root>").encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer((own, 49152), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()


interface, *roles = sys.argv[1:]
roles = [role.split("=", 1) for role in roles]
dns = listener("224.0.0.251", 5353, interface)
upnp = listener("239.255.255.250", 1900, interface)
for role, value in roles:
    if role == "device":
        describe(value)
print("announcing", flush=True)
while True:
    for s in select.select([dns, upnp], [], [])[0]:
        query, to = s.recvfrom(9000)
        for role, value in roles:
            if s is dns and role in ("mdns", "pointer", "noise") and SERVICE in query:
                mdns(role, value, query, to)
            elif s is upnp and role in ("upnp", "device"):
                ssdp(role, value, query, to)
