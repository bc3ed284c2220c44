"""Real servers on loopback, with an optional delay."""
import base64, hashlib, hmac, os, pathlib, pwd, re, signal, socket, statistics, subprocess, threading, time, urllib.error
import urllib.request

from .machine import BIN, ROOT, accepts, children, free_port, wait_for

TEST_SERVERS = ROOT / ".build/test-servers/bin"
DEBIAN = ROOT / ".build/test-servers/debian/usr"  # Debian's servers, which are unpacked and not installed
KEY, SECRET = "AKFRAMEFAST0000000", "ffsecretffsecretffsecret"


class Server:
    """A process that listens on a port. When it is ended, its child processes are killed too."""

    def __init__(self, scratch, name, command, port, environment=None):
        self.port = port
        self.log = scratch / f"{name}.log"
        self.process = subprocess.Popen(
            command, stdout=self.log.open("w"), stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
        wait_for(f"{name} to listen", lambda: accepts(port), pause=0.05)

    def end(self):
        sessions = children(self.process.pid)
        self.process.kill()
        for session in sessions:
            os.kill(session, signal.SIGKILL)
        self.process.wait()


class SeaweedFS(Server):
    bucket = "ffb"

    def __init__(self, scratch):
        users, folder, port = scratch / "s3.json", scratch / "weed", free_port()
        folder.mkdir()
        users.write_text(
            '{"identities": [{"name": "ff", "actions": ["Admin", "Read", "List", "Write", "Tagging"],'
            f'"credentials": [{{"accessKey": "{KEY}", "secretKey": "{SECRET}"}}]}}]}}')
        # Without its own option, each gRPC port is the HTTP port plus 10,000, which may be in use.
        names = ("master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port",
                 "filer.port.grpc", "s3.port.grpc")
        super().__init__(scratch, "weed", [
            TEST_SERVERS / "weed", "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-dir={folder}", "-s3",
            f"-s3.port={port}", f"-s3.config={users}", "-volume.max=0", "-volume.minFreeSpace=1GiB",
            "-master.volumeSizeLimitMB=512", "-metricsPort=0", "-master.telemetry=false", "-s3.port.iceberg=0",
            "-s3.port.lance=0", *(f"-{name}={free_port()}" for name in names)], port)
        self.request("PUT", "")
        # The server accepts requests before it can store files.
        wait_for("SeaweedFS to take a file", lambda: self.request("PUT", "/first", b"x") == 200, 120, pause=0.2)

    def request(self, method, key, body=b""):
        """Sends a signed request (SigV4) for the bucket or for a file in it. Returns the status, or 0 without a response."""
        path, stamp = f"/{self.bucket}{key}", time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        payload, host = hashlib.sha256(body).hexdigest(), f"127.0.0.1:{self.port}"
        names = "host;x-amz-content-sha256;x-amz-date"
        canonical = f"{method}\n{path}\n\nhost:{host}\nx-amz-content-sha256:{payload}\nx-amz-date:{stamp}\n\n{names}\n{payload}"
        scope = f"{stamp[:8]}/us-east-1/s3/aws4_request"
        signing = ("AWS4" + SECRET).encode()
        for step in scope.split("/"):
            signing = hmac.new(signing, step.encode(), hashlib.sha256).digest()
        text = f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashlib.sha256(canonical.encode()).hexdigest()}"
        signature = hmac.new(signing, text.encode(), hashlib.sha256).hexdigest()
        request = urllib.request.Request(f"http://{host}{path}", body or None, method=method, headers={
            "x-amz-date": stamp, "x-amz-content-sha256": payload,
            "Authorization": f"AWS4-HMAC-SHA256 Credential={KEY}/{scope}, SignedHeaders={names}, Signature={signature}"})
        try:
            with urllib.request.urlopen(request) as answer:
                self.body = answer.read()
                return answer.status
        except (urllib.error.URLError, ConnectionError) as error:
            return getattr(error, "code", 0)

    def sha256_of(self, path):
        return hashlib.sha256(self.body).hexdigest() if self.request("GET", f"/{path}") == 200 else None


class FolderServer(Server):
    """A server whose files are in a local folder."""
    folder = None

    def sha256_of(self, path):
        file = self.folder / path
        return hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else None


class OpenSSH(FolderServer):
    def __init__(self, scratch):
        self.scratch, self.folder, port = scratch, scratch / "ssh-home", free_port()
        self.folder.mkdir()
        if os.getuid() == 0:
            os.makedirs("/run/sshd", 0o755, exist_ok=True)
        for name in ("host_key", "user_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", scratch / name], check=True)
        (scratch / "sshd_config").write_text("\n".join([
            f"Port {port}", "ListenAddress 127.0.0.1", f"HostKey {scratch}/host_key", "PidFile none",
            f"AuthorizedKeysFile {scratch}/user_key.pub", "UsePAM no", "StrictModes no", "PasswordAuthentication no",
            "KbdInteractiveAuthentication no", "Subsystem sftp internal-sftp", f"ForceCommand internal-sftp -d {self.folder}", ""]))
        command = [DEBIAN / "sbin/sshd", "-D", "-e", "-f", scratch / "sshd_config"]
        super().__init__(scratch, "sshd", command, port, self.environment(scratch))

    @staticmethod
    def environment(scratch):
        """Returns the environment of sshd. If root starts sshd, a user `sshd` must exist. libnss-wrapper provides this user."""
        if os.getuid() or any(user.pw_name == "sshd" for user in pwd.getpwall()):
            return {}
        users = pathlib.Path("/etc/passwd").read_text()
        (scratch / "passwd").write_text(f"{users}sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin\n")
        return {"LD_PRELOAD": "libnss_wrapper.so", "NSS_WRAPPER_PASSWD": str(scratch / "passwd"),
                "NSS_WRAPPER_GROUP": "/etc/group"}

    def known_at(self, port):
        """Writes a known_hosts file with this server and port. Returns its path."""
        file = self.scratch / f"known_hosts_{port}"
        file.write_text(f"[127.0.0.1]:{port} {(self.scratch / 'host_key.pub').read_text()}")
        return file


class Nginx(FolderServer):
    def __init__(self, scratch):
        self.folder, port, own = scratch / "www", free_port(), scratch / "nginx"
        self.folder.mkdir()
        own.mkdir()
        temporary = " ".join(f"{kind}_temp_path {own}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (scratch / "nginx.conf").write_text(f"""
            load_module {DEBIAN}/lib/nginx/modules/ngx_http_dav_ext_module.so;
            daemon off; user root; worker_processes 1; pid {own}/pid; error_log {own}/error.log;
            events {{ worker_connections 512; }}
            http {{ access_log off; client_max_body_size 0; keepalive_requests 100000; {temporary}
              server {{ listen 127.0.0.1:{port}; root {self.folder};
                location / {{ create_full_put_path on;
                  dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; }} }} }}""")
        super().__init__(scratch, "nginx", [DEBIAN / "sbin/nginx", "-e", f"{own}/start.log", "-c", scratch / "nginx.conf"], port)


class DelayLine(Server):
    """A port that forwards to a server with a round-trip delay."""

    def __init__(self, scratch, target, round_trip_ms):
        self.log = scratch / f"line-{target}-{round_trip_ms}.log"
        self.process = subprocess.Popen(
            [BIN / "delay-line", str(target), "--round-trip", str(round_trip_ms)], stdout=self.log.open("w"))
        found = wait_for("the delay line", lambda: re.search(r":(\d+)", self.log.read_text()))
        self.port = int(found[1])


def check_delay_line(scratch, round_trip_ms):
    """Returns the round trip of a delay line, in ms, and the bytes per second with and without the delay line."""
    with socket.create_server(("127.0.0.1", 0)) as echo:
        port = echo.getsockname()[1]
        threading.Thread(target=serve_echo, args=(echo,), daemon=True).start()
        line = DelayLine(scratch, port, round_trip_ms)
        with socket.create_connection(("127.0.0.1", line.port)) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            trips = []
            for _ in range(20):
                start = time.monotonic()
                connection.sendall(b"e")
                connection.recv(1)
                trips.append(1000 * (time.monotonic() - start))
        rates = [stream(line.port), stream(port)]
        line.end()
    return statistics.median(trips[1:]), *rates


def serve_echo(listener):
    def serve(connection):
        with connection:
            kind = connection.recv(1)
            if kind == b"e":
                while kind:
                    connection.sendall(kind)
                    kind = connection.recv(1)
            else:
                while connection.recv(1 << 20):
                    pass
                connection.sendall(b".")

    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def stream(port, size=1 << 30):
    block, start = bytes(1 << 20), time.monotonic()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"s")
        for _ in range(size >> 20):
            connection.sendall(block)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)
    return size / (time.monotonic() - start)
