"""pyftpdlib with faults for a test.

usage: ftp_server.py PORT FOLDER [tls=explicit|implicit] [certificate=FILE] [tls13_only=1] [drop_after=BYTES]
       [stall_after=BYTES] [flip_at=BYTES] [full=1] [checksum=1] [checksum_after=SECONDS] [host=ADDRESS]
       [passive=FIRST-LAST] [user=NAME]
checksum_after is the time for the checksum of a file of 1,000 bytes or more.
drop_after and flip_at occur once. stall_after stops the whole server. The default user is ff. The password is ff.
"""
import hashlib
import os
import sys
import threading

from OpenSSL import SSL
from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import DTPHandler, FTPHandler, TLS_DTPHandler, TLS_FTPHandler
from pyftpdlib.servers import FTPServer

options = dict(word.split("=", 1) for word in sys.argv[3:])
struck = []
tls = options.get("tls")


class Faulty:
    count = 0

    def recv(self, size):
        data = super().recv(size)
        before, self.count = self.count, self.count + len(data)
        stall = int(options.get("stall_after", -1))
        if 0 <= stall < self.count:
            threading.Event().wait()
        flip = int(options.get("flip_at", -1))
        if before <= flip < self.count and not struck:
            struck.append(self)
            at = flip - before
            data = data[:at] + bytes([data[at] ^ 1]) + data[at + 1:]
        drop = int(options.get("drop_after", -1))
        if 0 <= drop < self.count and not struck:
            struck.append(self)
            self.cmd_channel.close()
            self.close()
            return b""
        return data


class Extra:
    proto_cmds = FTPHandler.proto_cmds.copy()

    def __init__(self, *arguments, **words):
        super().__init__(*arguments, **words)
        if options.get("checksum"):
            self._extra_feats = [*self._extra_feats, "XSHA256"]

    def ftp_STOR(self, file, mode="w"):
        if options.get("full"):
            self.respond("552 No room left.")
            return None
        return super().ftp_STOR(file, mode)

    def ftp_XSHA256(self, path):
        with open(path, "rb") as file:
            data = file.read()
        reply = "250 " + hashlib.sha256(data).hexdigest().upper()
        if "checksum_after" in options and len(data) >= 1000:
            self.ioloop.call_later(float(options["checksum_after"]), self.tell, reply)
        else:
            self.respond(reply)
        return path

    def tell(self, reply):
        if self.connected:
            self.respond(reply)


if tls:
    class Data(Faulty, TLS_DTPHandler):
        pass

    class Handler(Extra, TLS_FTPHandler):
        certfile = options["certificate"]
        tls_control_required = True
        tls_data_required = True
        proto_cmds = TLS_FTPHandler.proto_cmds.copy()

        @classmethod
        def get_ssl_context(cls):
            context = super().get_ssl_context()
            if options.get("tls13_only"):
                context.set_min_proto_version(SSL.TLS1_3_VERSION)
            return context

        def handle(self):
            if tls == "implicit":
                self.secure_connection(self.get_ssl_context())
                self._prot = True
            super().handle()
else:
    class Data(Faulty, DTPHandler):
        pass

    class Handler(Extra, FTPHandler):
        proto_cmds = FTPHandler.proto_cmds.copy()

if options.get("checksum"):
    Handler.proto_cmds["XSHA256"] = dict(perm="r", auth=True, arg=True, help="Syntax: XSHA256 <SP> name.")

os.makedirs(sys.argv[2], exist_ok=True)
users = DummyAuthorizer()
users.add_user(options.get("user", "ff"), "ff", sys.argv[2], perm="elradfmwMT")
Handler.authorizer = users
Handler.dtp_handler = Data
Handler.auth_failed_timeout = 0
Handler.timeout = 60
if "passive" in options:
    first, last = options["passive"].split("-")
    Handler.passive_ports = range(int(first), int(last) + 1)
FTPServer((options.get("host", "127.0.0.1"), int(sys.argv[1])), Handler).serve_forever()
