"""Holds a running daemon to its own document: openapi-spec-validator reads the document, then schemathesis asks every
endpoint. Any answer whose status, content type, headers or body is not in the document is told, and is a failure.

usage: conform.py SOCKET FOLDER SEED EXAMPLES [UID]   with UID, asked as that user: a guest
"""
import os, pathlib, signal, socket, subprocess, sys, threading

import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

SOCKET, FOLDER, SEED, EXAMPLES = sys.argv[1:5]
GUEST = int(sys.argv[5]) if len(sys.argv) > 5 else None

# What is there to be asked for, so that not every answer is "not found". The rig of the test has these.
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

# Cameras and destinations may not be able to do something, or not answer: that is documented, 500 is a fault.
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 501, 502, 503]
"""
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,"
    "response_schema_conformance,negative_data_rejection,unsupported_method,allow_header_conformance"
)
# The stream does not end, and is read by a test of its own; discovery asks the network of whoever runs the tests.
LEFT_OUT = ("serviceEvents", "camerasDiscover")


def pump(source, sink):
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
    """Schemathesis speaks TCP only: each connection goes on to the daemon's socket."""
    while True:
        near, _ = listener.accept()
        far = socket.socket(socket.AF_UNIX)
        far.connect(SOCKET)
        for ends in ((near, far), (far, near)):
            threading.Thread(target=pump, args=ends, daemon=True).start()


def ask(path):
    end = socket.socket(socket.AF_UNIX)
    end.connect(SOCKET)
    end.sendall(f"GET {path} HTTP/1.1\r\nHost: framefast\r\nConnection: close\r\n\r\n".encode())
    head, _, body = b"".join(iter(lambda: end.recv(65536), b"")).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 "), head
    return body


document = ask("/v1/openapi.yaml")
wrong = [error.message for error in OpenAPIV31SpecValidator(yaml.safe_load(document)).iter_errors()]
if wrong:
    sys.exit("the document is not OpenAPI 3.1: " + "; ".join(wrong))

folder = pathlib.Path(FOLDER)
(folder / "openapi.yaml").write_bytes(document)
(folder / "schemathesis.toml").write_text(KNOWN)
listener = socket.create_server(("127.0.0.1", 0), backlog=64)
# The daemon goes by the process at the other end, so only what forwards has to be the guest.
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
