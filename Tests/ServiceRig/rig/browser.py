"""A browser on this computer that opens the web page of the guest."""
import dataclasses, hashlib, http.client, json, socket, ssl, urllib.parse

# The time limit of a request, in seconds.
REQUEST_SECONDS = 240
# The markers of frame headers in a JPEG, which contain the size: SOF0 to SOF15 without DHT, JPG and DAC.
FRAMES = set(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
START_OF_SCAN = 0xDA


@dataclasses.dataclass
class Reply:
    status: int
    kind: str
    body: bytes

    @property
    def json(self):
        return json.loads(self.body)


class Browser:
    """A device that sends the headers of a browser and keeps the cookie of its pairing.

    path: the Unix socket that leads to the page. fingerprint: the fingerprint that `web pair` printed, or None without TLS."""

    def __init__(self, path, url, fingerprint=None):
        self.path, self.fingerprint, self.cookie = path, fingerprint, None
        parts = urllib.parse.urlsplit(url)
        self.origin, self.host, self.port = f"{parts.scheme}://{parts.netloc}", parts.hostname, parts.port
        assert (parts.scheme == "https") == (fingerprint is not None), f"the page {url} has the fingerprint {fingerprint}"
        self.context = self.accept_certificate() if fingerprint else None

    def connect(self, context):
        """Returns a connection to the page, with TLS if there is a context."""
        plain = socket.socket(socket.AF_UNIX)
        plain.settimeout(REQUEST_SECONDS)
        plain.connect(self.path)
        return context.wrap_socket(plain, server_hostname=self.host) if context else plain

    def accept_certificate(self):
        """Compares the fingerprint of the certificate. Returns a context that accepts only this certificate, for this host."""
        unchecked = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
        with self.connect(unchecked) as connection:
            certificate = connection.getpeercert(binary_form=True)
        shown = hashlib.sha256(certificate).hexdigest()
        assert shown == self.fingerprint.replace(":", "").lower(), f"the page has the certificate {shown}, and 'web pair' printed {self.fingerprint}"
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(certificate))
        return context

    def request(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.host, self.port)
        connection.sock = self.connect(self.context)
        headers = {"Sec-Fetch-Site": "same-origin", **({"Cookie": self.cookie} if self.cookie else {})}
        data = None
        if method != "GET":
            headers |= {"Origin": self.origin, "Content-Type": "application/json"}
            data = json.dumps(body)
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            self.cookie = (answer.getheader("Set-Cookie") or self.cookie or "").partition(";")[0]
            return Reply(answer.status, answer.getheader("Content-Type"), answer.read())
        finally:
            connection.close()

    def get(self, path):
        return self.request("GET", path)

    def post(self, path, body):
        return self.request("POST", path, body)


def jpeg_size(data):
    """Returns the width and height of a complete JPEG. Raises: AssertionError for other data."""
    assert data[:2] == b"\xff\xd8" and data[-2:] == b"\xff\xd9", f"not a complete JPEG: {len(data)} bytes, {data[:16]!r}"
    at, size = 2, None
    while data[at] == 0xFF and data[at + 1] != START_OF_SCAN:
        if data[at + 1] in FRAMES:
            size = int.from_bytes(data[at + 7:at + 9], "big"), int.from_bytes(data[at + 5:at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2:at + 4], "big")
        assert at + 1 < len(data), "the JPEG ends in a segment"
    assert data[at] == 0xFF and size, "the JPEG has no picture"
    return size
