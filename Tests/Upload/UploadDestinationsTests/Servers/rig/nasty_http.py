"""WebDAV, plain PUT and S3 with rules; see nasty_rules.py.

usage: nasty_http.py PORT FOLDER (dav|put|s3) RULES
Files are in FOLDER/files, the counts in FOLDER/counts, and unfinished multipart uploads in FOLDER/multiparts. The server
requires no login and ignores signatures. With put, a PUT creates the missing folders of its path. A rule with the verb EXPECT
refuses the header Expect before the body.
"""
import base64
import hashlib
import http.server
import os
import shutil
import socket
import struct
import sys
import threading
import time
import urllib.parse
import xml.sax.saxutils

sys.dont_write_bytecode = True
from nasty_rules import Rules  # noqa: E402

kind = sys.argv[3]
folder = sys.argv[2]
files = os.path.join(folder, "files")
multiparts = os.path.join(folder, "multiparts")
rules = Rules(os.path.join(folder, "counts"), sys.argv[4])
lock = threading.Lock()
# The headers x-amz-meta-* of objects by path, and of multipart uploads by number.
metadata = {}
# The entity tags of objects from multipart uploads, by path.
tags = {}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, headers=(), body=b""):
        rules.record(self.command, self.name, self.received, status)
        self.send_response(status)
        headers = dict(headers)
        headers.setdefault("Content-Length", str(len(body)))
        if self.command == "HEAD" and status == 200 and self.reported_size is not None:
            headers["Content-Length"] = str(self.reported_size)
            if self.reported_size < 0:
                del headers["Content-Length"]
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def read(self):
        left = int(self.headers.get("Content-Length", 0))
        pieces = []
        while left > 0:
            piece = self.rfile.read1(min(left, 65536))
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        data = b"".join(pieces)
        self.received = len(data)
        return data if left == 0 else None

    def handle_expect_100(self):
        """Sends 100 Continue, or refuses the header Expect by a rule with the verb EXPECT."""
        name = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path).lstrip("/")
        rule = rules.matching_rule("EXPECT", name, self.headers.items())
        if not rule:
            return super().handle_expect_100()
        rules.record("EXPECT", name, 0, rule["answer"])
        self.close_connection = True
        self.send_response(rule["answer"])
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()
        return False

    def refusal(self, rule):
        status, message = rule["answer"], rule.get("message", "refused by the rig")
        escaped = xml.sax.saxutils.escape(message)
        if kind == "s3":
            code = rule.get("code", "InvalidRequest")
            body = f"<Error><Code>{code}</Code><Message>{escaped}</Message></Error>"
        else:
            body = ('<?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">'
                    f"<s:exception>Refused</s:exception><s:message>{escaped}</s:message></d:error>")
        return status, {"Content-Type": "application/xml"}, body.encode()

    def serve(self):
        address = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(address.query, keep_blank_values=True))
        self.name = urllib.parse.unquote(address.path).lstrip("/")
        self.received = 0
        body = self.read()
        if body is None:
            rules.record(self.command, self.name, self.received, "cut")
            self.close_connection = True
            return
        exists = os.path.exists(os.path.join(files, self.key() if kind == "s3" else self.name))
        rule = rules.matching_rule(self.command, self.name, self.headers.items(), len(body), exists)
        self.stores_incorrectly = bool(rule and rule.get("storesIncorrectly"))
        self.other_tags = bool(rule and rule.get("otherTags"))
        self.reported_size = rule.get("reportedSize") if rule else None
        if self.stores_incorrectly or self.other_tags or self.reported_size is not None:
            rule = None
        if rule and rule.get("executesFirst"):
            self.answer, whole = lambda *words: None, self.answer
            with lock:
                (self.s3 if kind == "s3" else self.dav)(body)
            self.answer = whole
        if rule:
            if rule["answer"] == "drop":
                rules.record(self.command, self.name, self.received, "drop")
                self.close_connection = True
                return
            if rule["answer"] == "reset":
                rules.record(self.command, self.name, self.received, "reset")
                self.reset()
                return
            self.answer(*self.refusal(rule))
            return
        with lock:
            (self.s3 if kind == "s3" else self.dav)(body)

    def reset(self):
        """Ends the connection with RST instead of FIN."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(self.connection.detach())

    def tag(self, data):
        prefix = b"encrypted " if self.other_tags else b""
        return '"' + hashlib.md5(prefix + data).hexdigest() + '"'

    # WebDAV and plain PUT

    def dav(self, body):
        path = os.path.join(files, self.name.rstrip("/"))
        verb = self.command
        if verb == "OPTIONS":
            return self.answer(200, {"DAV": "1, 2"})
        if verb == "MKCOL":
            if os.path.exists(path):
                return self.answer(405)
            if not os.path.isdir(os.path.dirname(path)):
                return self.answer(409)
            os.mkdir(path)
            return self.answer(201)
        if verb == "PUT":
            if kind == "put":
                os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.isdir(os.path.dirname(path)):
                return self.answer(409)
            if self.headers.get("If-None-Match") == "*" and os.path.exists(path):
                return self.answer(412)
            with open(path, "wb") as file:
                file.write(body)
            seconds = self.headers.get("X-OC-Mtime")
            if seconds is None:
                return self.answer(201)
            os.utime(path, (int(seconds), int(seconds)))
            return self.answer(201, {"X-OC-Mtime": "accepted"})
        if not os.path.exists(path):
            return self.answer(404)
        if verb == "DELETE":
            os.remove(path) if os.path.isfile(path) else shutil.rmtree(path)
            return self.answer(204)
        if verb in ("MOVE", "COPY"):
            target = urllib.parse.unquote(urllib.parse.urlsplit(self.headers["Destination"]).path).lstrip("/")
            target = os.path.join(files, target)
            if os.path.exists(target) and self.headers.get("Overwrite") == "F":
                return self.answer(412)
            if not os.path.isdir(os.path.dirname(target)):
                return self.answer(409)
            os.replace(path, target) if verb == "MOVE" else shutil.copyfile(path, target)
            return self.answer(201)
        if verb == "PROPFIND":
            size = os.path.getsize(path) if self.reported_size is None else self.reported_size
            length = f"<d:getcontentlength>{size}</d:getcontentlength>" if size >= 0 else ""
            text = (f'<d:multistatus xmlns:d="DAV:"><d:response><d:propstat><d:prop>{length}'
                    "</d:prop></d:propstat></d:response></d:multistatus>")
            return self.answer(207, {}, text.encode())
        if os.path.isdir(path):
            return self.answer(200)
        with open(path, "rb") as file:
            data = file.read()
        # The tag has 40 digits, so clients cannot compare it with an MD5.
        tag = '"' + hashlib.sha1(data).hexdigest() + '"'
        return self.answer(200, {"Content-Length": str(len(data)), "ETag": tag}, data)

    # S3, path style: /BUCKET/KEY

    def key(self):
        """Returns the file of an object."""
        return self.name.replace("/", "\u2215")

    def s3(self, body):
        verb, query = self.command, self.query
        path = os.path.join(files, self.key())
        if "/" not in self.name.rstrip("/"):
            if "uploads" in query:
                return self.answer(200, {}, self.unfinished().encode())
            return self.answer(200, {}, b"<ListBucketResult></ListBucketResult>")
        if verb == "POST" and "uploads" in query:
            upload = hashlib.md5(os.urandom(16)).hexdigest()
            os.makedirs(os.path.join(multiparts, upload))
            with open(os.path.join(multiparts, upload, "key"), "w") as file:
                file.write(self.name)
            metadata[upload] = self.given_metadata()
            text = f"<InitiateMultipartUploadResult><UploadId>{upload}</UploadId></InitiateMultipartUploadResult>"
            return self.answer(200, {}, text.encode())
        if "uploadId" in query:
            return self.multipart(verb, os.path.join(multiparts, query["uploadId"]), body, path)
        if verb == "PUT":
            if self.headers.get("If-None-Match") == "*" and os.path.exists(path):
                return self.answer(412, {}, b"<Error><Code>PreconditionFailed</Code></Error>")
            sum = self.headers.get("x-amz-checksum-sha256")
            if self.stores_incorrectly:
                body, sum = bytes(len(body)), None
            headers = {"ETag": self.tag(body)}
            if sum:
                if base64.b64encode(hashlib.sha256(body).digest()).decode() != sum:
                    return self.answer(400, {}, b"<Error><Code>BadDigest</Code></Error>")
                headers["x-amz-checksum-sha256"] = sum
            with open(path, "wb") as file:
                file.write(body)
            metadata[path] = self.given_metadata()
            tags.pop(path, None)
            return self.answer(200, headers)
        if verb == "DELETE":
            if os.path.exists(path):
                os.remove(path)
            return self.answer(204)
        if not os.path.exists(path):
            return self.answer(404, {}, b"<Error><Code>NoSuchKey</Code></Error>")
        with open(path, "rb") as file:
            data = file.read()
        headers = {"Content-Length": str(len(data)), "ETag": tags.get(path) or self.tag(data)}
        return self.answer(200, headers | metadata.get(path, {}), data)

    def given_metadata(self):
        return {name: value for name, value in self.headers.items() if name.lower().startswith("x-amz-meta-")}

    def unfinished(self):
        now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        text = "<ListMultipartUploadsResult>"
        for upload in os.listdir(multiparts):
            with open(os.path.join(multiparts, upload, "key")) as file:
                key = file.read().split("/", 1)[1]
            text += (f"<Upload><Key>{xml.sax.saxutils.escape(key)}</Key><UploadId>{upload}</UploadId>"
                     f"<Initiated>{now}</Initiated></Upload>")
        return text + "</ListMultipartUploadsResult>"

    def multipart(self, verb, upload, body, path):
        if not os.path.isdir(upload):
            return self.answer(404, {}, b"<Error><Code>NoSuchUpload</Code></Error>")
        if verb == "DELETE":
            shutil.rmtree(upload)
            return self.answer(204)
        if verb == "PUT":
            with open(os.path.join(upload, f"{int(self.query['partNumber']):05}"), "wb") as file:
                file.write(body)
            return self.answer(200, {"ETag": self.tag(body)})
        if self.headers.get("If-None-Match") == "*" and os.path.exists(path):
            return self.answer(412, {}, b"<Error><Code>PreconditionFailed</Code></Error>")
        data, sums = b"", b""
        parts = sorted(name for name in os.listdir(upload) if name != "key")
        for name in parts:
            with open(os.path.join(upload, name), "rb") as file:
                part = file.read()
            data += part
            sums += bytes.fromhex(self.tag(part).strip('"'))
        with open(path, "wb") as file:
            file.write(data)
        shutil.rmtree(upload)
        tag = hashlib.md5(sums).hexdigest() + f"-{len(parts)}"
        tags[path] = f'"{tag}"'
        metadata[path] = metadata.pop(os.path.basename(upload), {})
        text = f'<CompleteMultipartUploadResult><ETag>"{tag}"</ETag></CompleteMultipartUploadResult>'
        return self.answer(200, {}, text.encode())

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = do_OPTIONS = do_MKCOL = do_MOVE = do_COPY = do_PROPFIND = serve


for path in (files, multiparts):
    os.makedirs(path, exist_ok=True)
Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
