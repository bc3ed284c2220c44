"""Tests a running daemon against its own OpenAPI document.

openapi-spec-validator validates the document, then schemathesis calls every endpoint. A response is a failure if its
status, content type, headers or body is not in the document.

usage: conform.py SOCKET FOLDER SEED EXAMPLES [UID]   UID is the user id of a guest who sends the requests
"""
import os, pathlib, signal, socket, subprocess, sys, threading

import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

SOCKET, FOLDER, SEED, EXAMPLES = sys.argv[1:5]
GUEST = int(sys.argv[5]) if len(sys.argv) > 5 else None

# Existing resources in the rig of the test. Without them, every response would be "not found".
KNOWN = """
[[operations]]
include-path-regex = "^/v1/cameras/"
parameters = { "path.id" = "studio-a" }

[[operations]]
include-path-regex = "^/v1/(captures|sessions)/[{]"
parameters = { "path.id" = 1 }

[[operations]]
include-path-regex = "^/v1/destinations/"
parameters = { "path.id" = "nas" }

# Cameras and destinations may refuse or not respond. These responses are documented; 500 is a fault.
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 501, 502, 503]
"""
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance"
)
# The event stream does not end, and another test reads it. Discovery would send requests to the real network.
LEFT_OUT = ("serviceEvents", "camerasDiscover")


def copy_bytes(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    finally:
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


def forward(listener):
    """Forwards each TCP connection to the daemon's socket, because schemathesis supports only TCP."""
    while True:
        near, _ = listener.accept()
        far = socket.socket(socket.AF_UNIX)
        far.connect(SOCKET)
        for ends in ((near, far), (far, near)):
            threading.Thread(target=copy_bytes, args=ends, daemon=True).start()


def get(path):
    end = socket.socket(socket.AF_UNIX)
    end.connect(SOCKET)
    end.sendall(f"GET {path} HTTP/1.1\r\nHost: framefast\r\nConnection: close\r\n\r\n".encode())
    head, _, body = b"".join(iter(lambda: end.recv(65536), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), head
    return body


document = get("/v1/openapi.yaml")
wrong = [error.message for error in OpenAPIV31SpecValidator(yaml.safe_load(document)).iter_errors()]
if wrong:
    sys.exit("the document is not OpenAPI 3.1: " + "; ".join(wrong))

folder = pathlib.Path(FOLDER)
(folder / "openapi.yaml").write_bytes(document)
(folder / "schemathesis.toml").write_text(KNOWN)
listener = socket.create_server(("127.0.0.1", 0), backlog=64)
# The daemon identifies the connected process, so only the forwarder must run as the guest.
forwarder = os.fork()
if forwarder == 0:
    if GUEST is not None:
        os.setgroups([])
        os.setresgid(GUEST, GUEST, GUEST)
        os.setresuid(GUEST, GUEST, GUEST)
    forward(listener)
arguments = [
    "--config-file", folder / "schemathesis.toml", "run", folder / "openapi.yaml",
    "--url", f"http://127.0.0.1:{listener.getsockname()[1]}", "--checks", CHECKS,
    "--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES, "--seed", SEED, "--workers", "1",
    "--generation-database", "none", "--no-color", "--continue-on-failure", "--warnings", "off",
]
for name in LEFT_OUT:
    arguments += ["--exclude-operation-id", name]
run = [sys.executable, "-m", "schemathesis.cli", *map(str, arguments)]
try:
    status = subprocess.run(run, cwd=folder, env={**os.environ, "HOME": FOLDER}).returncode
finally:
    os.kill(forwarder, signal.SIGKILL)
sys.exit(status)
