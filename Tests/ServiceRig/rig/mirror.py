"""The Debian archive that apt on this computer uses, served to a guest that has no network."""
import http.server, shutil, threading, urllib.error, urllib.request
from . import archive

# The time limit for a response of the archive, in seconds.
ANSWER_SECONDS = 120


class Mirror:
    """A server on the loopback interface that answers each request with the archive's file."""

    def __init__(self, address=None, proxies=None):
        """address: the archive; by default, the Debian archive that apt on this computer uses, with apt's proxies."""
        if address is None:
            address = archive.mirror(archive.index_targets())
            proxies = archive.proxies(archive.settings(archive.dump()))
        schemes = {name.removesuffix("_proxy"): value for name, value in (proxies or {}).items()}
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.address = address.rstrip("/")
        self.server.opener = urllib.request.build_opener(urllib.request.ProxyHandler(schemes))
        self.port = self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def obstacle(self, suite):
        """Returns why the archive does not provide a release, or `None` if it does."""
        try:
            with self.server.opener.open(f"{self.server.address}/dists/{suite}/InRelease", timeout=ANSWER_SECONDS):
                return None
        except OSError as failure:
            return f"the Debian archive that apt on this computer uses does not provide {suite}: {failure}"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        try:
            answer = self.server.opener.open(self.server.address + self.path, timeout=ANSWER_SECONDS)
        except urllib.error.HTTPError as failure:
            return self.send_error(failure.code)
        except urllib.error.URLError as failure:
            return self.send_error(404 if isinstance(failure.reason, FileNotFoundError) else 502)
        except OSError:
            return self.send_error(502)
        with answer:
            size = answer.headers.get("Content-Length")
            self.close_connection = size is None
            self.send_response(200)
            self.send_header(*(("Content-Length", size) if size else ("Connection", "close")))
            self.end_headers()
            try:
                shutil.copyfileobj(answer, self.wfile)
            except OSError:
                # The client detects that the file is incomplete, and requests it again.
                self.close_connection = True

    def log_message(self, *_):
        """Logs nothing: apt reports failures."""
