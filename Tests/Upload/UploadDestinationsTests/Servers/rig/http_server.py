"""A small HTTP/1.1 server for uploads. It stores all bodies, including those of broken PUTs. Some paths fail on purpose.

usage: http_server.py PORT FOLDER [CERTIFICATE]
Prints METHOD PATH STATUS for each request that receives a response.
  /files/NAME          PUT, GET, HEAD, DELETE; ignores conditions; for /md5/NAME, the response to PUT has an MD5 as ETag
  /status/N/…          always status N (429 and 503 with Retry-After: 7)
  /silent/…            reads every request and never responds, except for small files
  /auth/…              requires user ff and password ff; /bearer/… requires the token ff;
                       /key/… requires ff in the header X-API-Key
  /flip/NAME           like files, but changes one byte of the stored file; the same applies to names that begin with flip
  /in/EVENT/NAME       like files; requires the token ff, and for a PUT the header X-Camera
  /form                POST of a form: stores the file under its name; /keyform also requires a field key with ff
  /upload              POST of a form with the file in photo: stores the file in a folder named by the field event
  /api/assets          POST of Immich's form: requires ff in the header X-API-Key and all ASSET_FIELDS; stores the fields in
                       ID.json, with the ID from the client
  /presign             POST of JSON: returns a URL below /granted/ID/ and the status URL /state/ID (done at the second request);
                       /keypresign requires ff in the header X-API-Key, which /granted/ refuses
  /api/uploads         the same; /api/uploads/ID returns the state
  /huge/…              sends an endless response
"""
import base64
import email.parser
import hashlib
import http.server
import json
import os
import ssl
import sys
import threading
import urllib.parse

# Immich requires these fields (open-api/immich-openapi-specs.json, AssetMediaCreateDto) and the file in assetData.
ASSET_FIELDS = ("deviceAssetId", "deviceId", "fileCreatedAt", "fileModifiedAt")

folder = sys.argv[2]
asked = {}
granted = {}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request, address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def log_request(self, code="-", size="-"):
        print(self.command, self.path, int(code), flush=True)

    def answer(self, status, headers=(), body=b""):
        self.send_response(status)
        headers = dict(headers)
        headers.setdefault("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def read(self):
        left = int(self.headers.get("Content-Length", 0))
        data = b""
        while left > 0:
            piece = self.rfile.read1(min(left, 65536))
            if not piece:
                self.close_connection = True
                return data, False
            data += piece
            left -= len(piece)
        return data, True

    def path_of(self, name):
        return os.path.join(folder, urllib.parse.unquote(name).replace("/", "\u2215"))

    def serve(self):
        _, kind, rest = (self.path.split("?")[0] + "/").split("/", 2)
        rest = rest.rstrip("/")
        if kind == "silent":
            # Small files come from trials, and receive a response.
            if int(self.headers.get("Content-Length", 0)) < 1000:
                self.read()
                return self.answer(201)
            self.read()
            threading.Event().wait()
        if kind == "status":
            self.read()
            status = int(rest.split("/")[0])
            return self.answer(status, {"Retry-After": "7"} if status in (429, 503) else {}, b"so it is")
        if kind == "huge":
            self.read()
            self.send_response(200)
            self.send_header("Content-Length", str(1 << 40))
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
        if kind in ("auth", "bearer", "in"):
            wanted = "Basic " + base64.b64encode(b"ff:ff").decode() if kind == "auth" else "Bearer ff"
            isKnown = kind != "in" or self.command != "PUT" or self.headers.get("X-Camera")
            if self.headers.get("Authorization") != wanted or not isKnown:
                self.read()
                return self.answer(401, {"WWW-Authenticate": "Basic realm=x"})
        if kind in ("key", "keypresign") and self.headers.get("X-API-Key") != "ff":
            self.read()
            return self.answer(401)
        if kind in ("form", "keyform", "upload"):
            return self.form(kind)
        if kind == "api" and rest.split("/")[0] == "uploads":
            return self.uploads(rest)
        if kind == "api":
            return self.asset(rest)
        if kind in ("presign", "keypresign"):
            return self.presign()
        if kind == "state":
            asked[rest] = asked.get(rest, 0) + 1
            state = granted.get(rest, "failed") if asked[rest] > 1 else "processing"
            return self.answer(200, {}, json.dumps({"upload": {"state": state}}).encode())
        if kind == "granted":
            name = rest.split("/", 1)[1]
            data, whole = self.read()
            if not whole:
                return None
            secret = self.headers.get("Authorization") or self.headers.get("X-API-Key")
            if self.headers.get("X-Grant") != "yes" or secret:
                return self.answer(403)
            granted[rest.split("/", 1)[0]] = "completed"
            open(self.path_of(name), "wb").write(data)
            return self.answer(200)
        if kind in ("files", "md5", "auth", "bearer", "key", "flip", "in"):
            return self.files(kind, rest)
        return self.answer(404)

    def files(self, kind, name):
        path = self.path_of(name)
        if self.command == "PUT":
            data, whole = self.read()
            if kind == "flip" or name.startswith("flip"):
                data = data[:1000] + bytes([data[1000] ^ 1]) + data[1001:]
            open(path, "wb").write(data)
            if whole:
                tag = {"ETag": '"' + hashlib.md5(data).hexdigest() + '"'} if kind == "md5" else {}
                self.answer(201, tag)
            return
        if not os.path.exists(path):
            return self.answer(404)
        if self.command == "DELETE":
            os.remove(path)
            return self.answer(204)
        data = open(path, "rb").read()
        self.answer(200, {"Content-Length": str(len(data))}, data)

    def parts(self, data):
        """Returns the parts of a form by their names, and the bytes of the last part, which is the file."""
        head = ("Content-Type: " + self.headers["Content-Type"] + "\r\n\r\n").encode()
        parts = email.parser.BytesParser().parsebytes(head + data).get_payload()
        raw = data.split(b"\r\n\r\n", len(parts))[-1].rsplit(b"\r\n--", 1)[0]
        return {p.get_param("name", header="content-disposition"): p for p in parts}, raw

    def asset(self, rest):
        data, whole = self.read()
        if not whole:
            return
        if self.command != "POST" or rest != "assets":
            return self.answer(404)
        if self.headers.get("X-API-Key") != "ff":
            return self.answer(401, {}, b'{"message": "Invalid API key"}')
        parts, raw = self.parts(data)
        if "assetData" not in parts or any(name not in parts for name in ASSET_FIELDS):
            return self.answer(400, {}, b'{"message": "a field is missing"}')
        file = parts.pop("assetData")
        fields = {name: part.get_payload().strip() for name, part in parts.items()}
        came = {"fields": fields, "key": self.headers["X-API-Key"], "name": file.get_filename(),
                "type": file.get_content_type(), "sha256": hashlib.sha256(raw).hexdigest()}
        with open(self.path_of(fields["deviceAssetId"] + ".json"), "w") as record:
            json.dump(came, record)
        self.answer(201, {}, b'{"id": "7f1c", "status": "created"}')

    def form(self, kind):
        data, whole = self.read()
        if not whole:
            return
        fields, raw = self.parts(data)
        if kind == "keyform" and ("key" not in fields or fields["key"].get_payload().strip() != "ff"):
            return self.answer(401)
        file = fields["photo"]
        name = fields["event" if kind == "upload" else "camera"].get_payload().strip()
        name += ("/" if kind == "upload" else "-") + file.get_filename().replace("%22", '"')
        open(os.path.join(folder, name.replace("/", "\u2215")), "wb").write(raw)
        self.answer(201)

    def uploads(self, rest):
        if self.command == "POST":
            return self.presign()
        state = granted.get(rest.partition("/")[2], "failed")
        self.answer(200, {}, json.dumps({"state": state}).encode())

    def presign(self):
        data, _ = self.read()
        photo = json.loads(data)
        id = str(len(asked) + len(granted) + 1) + "-" + photo["sha256"][:8]
        scheme = "https" if len(sys.argv) > 3 else "http"
        url = f"{scheme}://localhost:{sys.argv[1]}/granted/{id}/" + urllib.parse.quote(photo["name"], safe="")
        headers = {"X-Grant": "yes"}
        body = {"upload": {"url": url, "headers": headers, "id": id}, "headers": headers}
        self.answer(200, {}, json.dumps(body).encode())

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = do_OPTIONS = serve


os.makedirs(folder, exist_ok=True)
server = Server(("127.0.0.1", int(sys.argv[1])), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
