"""A bucket for rclone's backend "google cloud storage", behind OAuth with refresh tokens that work once.

usage: oauth_bucket.py PORT FOLDER BUCKET
Objects are in FOLDER. The first refresh token is first-refresh-token. Each refresh at /token returns a new refresh token for the
next refresh. It also returns an access token with such a short lifetime that rclone refreshes it at each request. Prints METHOD
PATH STATUS for each request.
"""
import base64
import email.parser
import hashlib
import http.server
import json
import os
import sys
import threading
import urllib.parse

FOLDER, BUCKET = sys.argv[2], sys.argv[3]
lock = threading.Lock()
refresh_token = "first-refresh-token"
access_tokens = []


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def answer(self, status, value=None):
        print(self.command, self.path, status, flush=True)
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def read(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        data = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            data += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return data

    def facts(self, name):
        with open(self.path_of(name), "rb") as file:
            data = file.read()
        return {"kind": "storage#object", "name": name, "bucket": BUCKET, "size": str(len(data)), "generation": "1",
                "md5Hash": base64.b64encode(hashlib.md5(data).digest()).decode(),
                "updated": "2026-01-01T10:00:00Z", "timeCreated": "2026-01-01T10:00:00Z"}

    def path_of(self, name):
        return os.path.join(FOLDER, name.replace("/", "\u2215"))

    def serve(self):
        address = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(address.query))
        body = self.read()
        if address.path == "/token":
            return self.refresh(dict(urllib.parse.parse_qsl(body.decode())))
        if self.headers.get("Authorization", "").removeprefix("Bearer ") not in access_tokens:
            return self.answer(401, {"error": {"code": 401, "message": "Invalid Credentials"}})
        objects = f"/storage/v1/b/{BUCKET}/o"
        if address.path == "/upload" + objects and self.command == "POST":
            return self.store(body)
        if address.path == f"/storage/v1/b/{BUCKET}":
            return self.answer(200, {"kind": "storage#bucket", "name": BUCKET})
        if address.path == objects:
            prefix = query.get("prefix", "")
            names = [name.replace("\u2215", "/") for name in sorted(os.listdir(FOLDER))]
            found = [self.facts(name) for name in names if name.startswith(prefix)]
            return self.answer(200, {"kind": "storage#objects", "items": found})
        if not address.path.startswith(objects + "/"):
            return self.answer(404, {"error": {"code": 404, "message": "Not Found"}})
        name = urllib.parse.unquote(address.path[len(objects) + 1:])
        if not os.path.exists(self.path_of(name)):
            return self.answer(404, {"error": {"code": 404, "message": "No such object"}})
        if self.command == "DELETE":
            os.remove(self.path_of(name))
            return self.answer(204)
        self.answer(200, self.facts(name))

    def refresh(self, form):
        global refresh_token
        with lock:
            if form.get("grant_type") != "refresh_token" or form.get("refresh_token") != refresh_token:
                return self.answer(400, {"error": "invalid_grant", "error_description": "Token has been used."})
            access_tokens.append(f"access-token-{len(access_tokens) + 1}")
            refresh_token = f"refresh-token-{len(access_tokens)}"
            self.answer(200, {"access_token": access_tokens[-1], "refresh_token": refresh_token, "token_type": "Bearer",
                              "expires_in": 5})

    def store(self, body):
        head = ("Content-Type: " + self.headers["Content-Type"] + "\r\n\r\n").encode()
        boundary = email.parser.BytesParser().parsebytes(head).get_boundary().encode()
        facts, data = body.split(b"--" + boundary)[1:3]
        name = json.loads(facts.split(b"\r\n\r\n", 1)[1])["name"]
        data = data.split(b"\r\n\r\n", 1)[1][:-2]
        with open(self.path_of(name), "wb") as file:
            file.write(data)
        self.answer(200, self.facts(name))

    do_GET = do_POST = do_DELETE = do_PUT = do_PATCH = serve


os.makedirs(FOLDER, exist_ok=True)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
