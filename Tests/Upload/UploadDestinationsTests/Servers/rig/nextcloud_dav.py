"""wsgidav with Nextcloud's rules for names, at /remote.php/dav/files/USER. Default user ff, password ff.

usage: nextcloud_dav.py PORT FOLDER [USER]
The rules come from Nextcloud's server code. lib/private/Files/FilenameValidator.php forbids the extensions .part and
.filepart, the name .htaccess, and names of more than 250 bytes. apps/dav/lib/Connector/Sabre/Directory.php applies these
rules to the names in all requests, including reads and removals. Exception/InvalidPath.php responds with 400. As in Nextcloud,
entity tags change with each PUT and not with a MOVE, and a PUT with X-OC-Mtime sets the time.
"""
import os
import posixpath
import sys
import urllib.parse
import uuid
import xml.sax.saxutils

from cheroot import wsgi
from wsgidav.wsgidav_app import WsgiDAVApp

PORT, FOLDER = int(sys.argv[1]), sys.argv[2]
USER = sys.argv[3] if len(sys.argv) > 3 else "ff"
TOP = f"/remote.php/dav/files/{USER}"
NAME_BYTES_MAX = 250
ERROR = """<?xml version="1.0" encoding="utf-8"?>
<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns" xmlns:o="http://owncloud.org/ns">
  <s:exception>OCA\\DAV\\Connector\\Sabre\\Exception\\InvalidPath</s:exception>
  <s:message>{words}</s:message>
  <o:retry xmlns:o="o:">false</o:retry>
  <o:reason xmlns:o="o:">{words}</o:reason>
</d:error>
"""


def refusal(path):
    """Returns Nextcloud's message about the last name of a path, or None if the name is allowed."""
    name = posixpath.basename(path.rstrip("/"))
    if len(name.encode()) > NAME_BYTES_MAX:
        return "File name is too long"
    if name.lower() == ".htaccess":
        return f'"{name}" is a forbidden file or folder name.'
    for extension in (".filepart", ".part"):
        if name.lower().endswith(extension):
            return f'"{extension}" is a forbidden file type.'
    return None


class Nextcloud:
    def __init__(self, server):
        self.server = server
        self.tags = {}

    def __call__(self, environ, start_response):
        path = environ["PATH_INFO"].encode("latin-1").decode("utf-8", "replace")
        destination = urllib.parse.unquote(urllib.parse.urlsplit(environ.get("HTTP_DESTINATION", "")).path)
        words = refusal(path) or refusal(destination)
        if words:
            environ["wsgi.input"].read()
            body = ERROR.format(words=xml.sax.saxutils.escape(words)).encode()
            start_response("400 Bad Request", [
                ("Content-Type", "application/xml; charset=utf-8"), ("Content-Length", str(len(body)))])
            return [body]
        method = environ["REQUEST_METHOD"]

        def started(status, headers, *more):
            if status.startswith("2"):
                if method == "PUT":
                    self.tags[path] = uuid.uuid4().hex
                    seconds = environ.get("HTTP_X_OC_MTIME")
                    if seconds:
                        os.utime(FOLDER + path.removeprefix(TOP), (int(seconds), int(seconds)))
                        headers = headers + [("X-OC-MTime", "accepted")]
                if method == "MOVE" and path in self.tags:
                    self.tags[destination] = self.tags.pop(path)
                if method in ("GET", "HEAD", "PUT") and path in self.tags:
                    headers = [header for header in headers if header[0].lower() != "etag"]
                    headers.append(("ETag", f'"{self.tags[path]}"'))
            return start_response(status, headers, *more)

        return self.server(environ, started)


server = WsgiDAVApp({
    "host": "127.0.0.1", "port": PORT, "verbose": 1, "provider_mapping": {TOP: FOLDER},
    "simple_dc": {"user_mapping": {"*": {USER: {"password": "ff"}}}},
    "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
})
wsgi.Server(("127.0.0.1", PORT), Nextcloud(server)).start()
