"""Tests of the browser of the rig, and of the checks of the web page."""
import hashlib, http.server, ipaddress, json, pathlib, shutil, socketserver, ssl, subprocess, tempfile, threading, unittest
from rig.browser import Browser, jpeg_size
from rig.documents import Document
from rig.place import ROOT
from scenarios import web

ADDRESS = "10.0.2.15"


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with the request, and sets a cookie for a POST."""

    def do_GET(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.send_response(200)
        if self.command == "POST":
            self.send_header("Set-Cookie", "framefast=token; Path=/; HttpOnly")
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps({"headers": dict(self.headers), "body": body}).encode())

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True

    def get_request(self):
        connection, _ = super().get_request()
        return connection, ("local", 0)


class BrowserTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def serve(self, certificate=None):
        """Starts a server on a Unix socket, and returns the path of the socket."""
        path = str(self.folder / "page")
        server = Server(path, Handler)
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, self.folder / "key.pem")
            server.socket = context.wrap_socket(server.socket, server_side=True)
            # A test refuses the certificate. The server would print a traceback.
            server.handle_error = lambda *_: None
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return path

    def certificate(self, address):
        """Generates a certificate with the extensions of the page's certificate. Returns its path and fingerprint."""
        if not shutil.which("openssl"):
            self.skipTest("openssl is missing (apt-get install openssl)")
        path = self.folder / "certificate.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=page",
             "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "keyUsage=critical,digitalSignature",
             "-addext", "extendedKeyUsage=serverAuth", "-addext", f"subjectAltName=DNS:rig,IP:{address}",
             "-keyout", self.folder / "key.pem", "-out", path], check=True, capture_output=True)
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(path.read_text())).hexdigest().upper()
        return path, ":".join(digest[at:at + 2] for at in range(0, len(digest), 2))

    def test_sends_the_headers_of_a_browser_and_keeps_the_cookie(self):
        browser = Browser(self.serve(), "http://127.0.0.1:9480")
        first = browser.get("/").json["headers"]
        self.assertEqual((first["Host"], first["Sec-Fetch-Site"]), ("127.0.0.1:9480", "same-origin"))
        self.assertNotIn("Origin", first)
        self.assertNotIn("Cookie", first)
        sent = browser.post("/v1/web/session", {"code": "A"})
        self.assertEqual((sent.status, sent.kind, json.loads(sent.json["body"])), (200, "application/json", {"code": "A"}))
        self.assertEqual((sent.json["headers"]["Origin"], sent.json["headers"]["Content-Type"]), ("http://127.0.0.1:9480", "application/json"))
        for _ in range(2):
            self.assertEqual(browser.get("/v1/shots").json["headers"]["Cookie"], "framefast=token")

    def test_accepts_only_the_certificate_with_the_printed_fingerprint(self):
        certificate, fingerprint = self.certificate(ADDRESS)
        path = self.serve(certificate)
        headers = Browser(path, f"https://{ADDRESS}:9480", fingerprint).get("/").json["headers"]
        self.assertEqual(headers["Host"], f"{ADDRESS}:9480")
        with self.assertRaisesRegex(AssertionError, "'web pair' printed 00:11"):
            Browser(path, f"https://{ADDRESS}:9480", "00:11")
        for url, printed in ((f"https://{ADDRESS}:9480", None), (f"http://{ADDRESS}:9480", fingerprint)):
            with self.assertRaises(AssertionError):
                Browser(path, url, printed)

    def test_refuses_a_certificate_for_another_address(self):
        certificate, fingerprint = self.certificate("10.0.2.16")
        browser = Browser(self.serve(certificate), f"https://{ADDRESS}:9480", fingerprint)
        with self.assertRaises(ssl.SSLCertVerificationError):
            browser.get("/")


class PictureTests(unittest.TestCase):
    start, scan = b"\xff\xd8\xff\xe0\x00\x04ab", b"\xff\xda\x00\x02x\xff\xd9"
    frame = b"\xff\xc0\x00\x08\x08\x01\x55\x02\x00\x03"

    def test_reads_the_size_of_a_complete_picture(self):
        self.assertEqual(jpeg_size(self.start + self.frame + self.scan), web.SMALL)

    def test_refuses_incomplete_pictures_and_other_data(self):
        for data in (b"", b"{}", self.start + self.frame + self.scan[:-1], self.start + self.scan, self.start + b"\xff\xd9", b"\xff\xd8\xff\xd9"):
            with self.assertRaises(AssertionError, msg=data):
                jpeg_size(data)


class PageTests(unittest.TestCase):
    def test_document_has_the_web_settings_and_the_restart_command(self):
        document = Document((ROOT / web.DOCUMENT).read_text())
        for listen in web.SENTENCES:
            self.assertEqual(web.settings(document, listen), f'[web]\nlisten = "{listen}"\n')
        self.assertIn(document.line("sudo systemctl restart"), document.commands(web.HEADING))

    def test_recognizes_addresses_at_which_the_page_may_listen(self):
        said = ("LISTEN 0 64  127.0.0.1:9480 0.0.0.0:*\nLISTEN 0 64 10.0.2.15:9480 0.0.0.0:*\nLISTEN 0 64 [::1]:9480 [::]:*\n"
                "LISTEN 0 64 0.0.0.0:9480 0.0.0.0:*\nLISTEN 0 64 *:9480 *:*\nLISTEN 0 64 8.8.8.8:9480 0.0.0.0:*\n")
        found = web.listeners(said)
        self.assertEqual(found[:3], [ipaddress.ip_address(text) for text in ("127.0.0.1", ADDRESS, "::1")])
        self.assertEqual([web.is_allowed(place, "lan") for place in found], [True, True, True, False, False, False])
        self.assertEqual([web.is_allowed(place, "127.0.0.1:9480") for place in found], [True, False, True, False, False, False])


if __name__ == "__main__":
    unittest.main()
