import Foundation
import Glibc
import TestRig
import Testing

/// A local server or program that receives uploads, and the configuration table of its destination.
final class UploadServer {
    /// The kinds of destination other than a folder.
    enum Kind: String, CaseIterable, Sendable {
        case sftp, http, webdav, s3, ftp, rclone, command
        /// HTTP with a secret in a header. The secret file has a byte order mark and a CRLF, as from a
        /// Windows editor.
        case keyed

        /// The reason why this kind cannot be tested here, or `nil` if it can.
        var obstacle: String? {
            let program: URL
            switch self {
            case .sftp: program = ServerPrograms.sshd
            case .http, .webdav: program = ServerPrograms.nginx
            case .s3, .ftp, .keyed: program = ServerPrograms.python
            case .rclone: program = URL(filePath: "/usr/bin/rclone")
            case .command: return nil
            }
            return ServerPrograms.has(program)
                ? nil : "\(program.path) is missing (scripts/prepare --tests, scripts/prepare-test-servers)"
        }
    }

    /// The destination's table, for `DaemonRig`.
    private(set) var table: [String] = []
    private let kind: Kind
    /// The rules by which the server refuses requests, or `nil` if it refuses none.
    private let rules: [ServerFaultRule]?
    let scratch: ScratchFolder
    /// The server's port, which stays reserved while the server is stopped.
    private let ports: ReservedPorts
    var port: Int { ports.first }
    private var server: RunningProgram?
    private var key = ""
    private var secret = ""

    /// The folder of the received files, for servers that keep files.
    var folder: String { scratch.path(rules == nil ? "store" : "files") }

    /// The requests and bytes that a server with rules counted.
    var counts: ServerFaultCounts { ServerFaultCounts(in: scratch.url) }

    /// The requests that a server with rules refused.
    var refusals: [ServerFaultCounts.Request] {
        let answers = Set((rules ?? []).map { "\($0.answer)" })
        return counts.requests.filter { answers.contains($0.answer) }
    }

    /// Starts the server and waits until it accepts connections.
    ///
    /// - Parameter rules: The rules by which the server refuses requests. A server with rules is a program of
    ///   the rig that counts its requests. The kinds `command` and `keyed` have no such server.
    init(_ kind: Kind, refusing rules: [ServerFaultRule]? = nil) async throws {
        self.kind = kind
        self.rules = rules
        scratch = try ScratchFolder()
        ports = try ReservedPorts()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await startServer()
        if kind == .s3, rules == nil { try await makeBucket() }
        table = ["[[destination]]", "name = \"\(kind)\""] + lines
    }

    /// Starts the server, if the kind has one, and waits until it listens.
    func startServer() async throws {
        try await start()
        try await server?.waitUntilListening(on: port, "\(kind)")
    }

    /// Stops the server.
    func stopServer() async throws {
        server?.signal(SIGTERM)
        _ = try await server?.waitUntilExit()
        server = nil
    }

    deinit {
        for child in server?.children ?? [] { Glibc.kill(child, SIGKILL) }
    }

    private var lines: [String] {
        switch kind {
        case .sftp:
            [
                "kind = \"sftp\"", "host = \"127.0.0.1\"", "port = \(port)", "path = \"\(folder)/in\"",
                "key_file = \"\(scratch.path("user_key"))\"",
                "known_hosts = \"\(scratch.path("known_hosts"))\"",
            ]
        case .http: ["kind = \"http\"", "url = \"http://127.0.0.1:\(port)/in/{name}\""]
        case .keyed:
            [
                "kind = \"http\"", "url = \"http://127.0.0.1:\(port)/key/{name}\"",
                "auth = \"header:x-api-key\"", "password_file = \"\(scratch.path("secret"))\"",
            ]
        case .webdav: ["kind = \"webdav\"", "url = \"http://127.0.0.1:\(port)/in\""]
        case .s3:
            [
                "kind = \"s3\"", "url = \"http://127.0.0.1:\(port)\"", "bucket = \"ffb\"",
                "user = \"\(key)\"", "password_file = \"\(scratch.path("secret"))\"",
            ]
        case .ftp:
            [
                "kind = \"ftp\"", "host = \"127.0.0.1\"", "port = \(port)", "path = \"in\"",
                "encryption = \"none\"", "user = \"ff\"", "password_file = \"\(scratch.path("secret"))\"",
            ]
        case .rclone:
            [
                "kind = \"rclone\"", "remote = \"disk:\(rules == nil ? folder : "")\"",
                "rclone_config = \"\(scratch.path("rclone.conf"))\"",
            ]
        case .command:
            ["kind = \"command\"", "command = [\"\(scratch.path("deliver"))\", \"{file}\", \"{name}\"]"]
        }
    }

    private func start() async throws {
        if let rules { return try await start(refusing: rules) }
        switch kind {
        case .sftp: try await startSSH()
        case .http, .webdav:
            try write(nginx, to: "nginx.conf")
            server = try program(
                ServerPrograms.nginx,
                ["-e", scratch.path("nginx-error.log"), "-c", scratch.path("nginx.conf")])
        case .s3:
            server = try program(
                ServerPrograms.bin.appending(path: "moto_server"), ["-H", "127.0.0.1", "-p", "\(port)"],
                environment: ["INITIAL_NO_AUTH_ACTION_COUNT": "10"])
        case .ftp:
            try write("ff\n", to: "secret")
            server = try program(
                ServerPrograms.python,
                [ServerPrograms.rig.appending(path: "ftp_server.py").path, "\(port)", folder])
        case .keyed:
            try write("\u{FEFF}ff\r\n", to: "secret")
            server = try program(
                ServerPrograms.python,
                [ServerPrograms.rig.appending(path: "http_server.py").path, "\(port)", folder])
        case .rclone: try write("[disk]\ntype = local\n", to: "rclone.conf")
        case .command:
            try write(
                """
                #!/bin/sh
                set -e
                [ -z "$FRAMEFAST_PROBE" ] || exit 0
                mkdir -p "$(dirname "\(folder)/$2")"
                # -n: two runs must not write to the same file and mix the bytes of two photos.
                cp -n -- "$1" "\(folder)/$2"
                """, to: "deliver")
            chmod(scratch.path("deliver"), 0o755)
        }
    }

    /// Starts a server of the rig that refuses requests by rules; see nasty_rules.py.
    private func start(refusing rules: [ServerFaultRule]) async throws {
        let json = String(decoding: try JSONEncoder().encode(rules), as: UTF8.self)
        func launch(_ script: String, _ arguments: String...) throws -> RunningProgram {
            try program(
                ServerPrograms.python,
                [ServerPrograms.rig.appending(path: script).path, "\(port)", scratch.url.path] + arguments
                    + [json])
        }
        switch kind {
        case .sftp:
            try write(json, to: "rules.json")
            let script = ServerPrograms.rig.appending(path: "nasty_sftp.py").path
            try await startSSH(
                subsystem: "\(ServerPrograms.python.path) \(script) /usr/lib/openssh/sftp-server "
                    + scratch.url.path)
        case .ftp:
            try write("ff\n", to: "secret")
            server = try launch("nasty_ftp.py")
        case .s3:
            (key, secret) = ("key", "secret")
            try write(secret, to: "secret")
            server = try launch("nasty_http.py", "s3")
        case .http: server = try launch("nasty_http.py", "put")
        case .webdav: server = try launch("nasty_http.py", "dav")
        case .rclone:
            try write(
                "[disk]\ntype = webdav\nurl = http://127.0.0.1:\(port)\nvendor = other\n", to: "rclone.conf")
            server = try launch("nasty_http.py", "dav")
        case .command, .keyed: Issue.record("no server of kind \(kind) has rules")
        }
    }

    private func startSSH(subsystem: String = "internal-sftp") async throws {
        server = try await OpenSSHServer.start(on: port, in: scratch, subsystem: subsystem)
    }

    private var nginx: String {
        let own = scratch.url.path
        return """
            load_module \(ServerPrograms.debian.path)/usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
            daemon off; \(getuid() == 0 ? "user root;" : "") worker_processes 1; pid \(own)/nginx.pid;
            events { worker_connections 256; }
            http {
              access_log off; client_max_body_size 0; client_body_temp_path \(own)/t0;
              proxy_temp_path \(own)/t1; fastcgi_temp_path \(own)/t2; uwsgi_temp_path \(own)/t3; scgi_temp_path \(own)/t4;
              server {
                listen 127.0.0.1:\(port); root \(folder);
                location / {
                  dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS;
                  create_full_put_path \(kind == .http ? "on" : "off");
                }
              }
            }
            """
    }

    private func makeBucket() async throws {
        let run = try await python([ServerPrograms.rig.appending(path: "strict_moto.py").path, "\(port)"])
        let words = run.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(words.count == 2, "\(run)")
        (key, secret) = (words[0], words[1])
        try write(secret, to: "secret")
    }

    /// Returns the SHA-256 of each file on the server, including leftover parts.
    func sums() async throws -> [String] {
        guard kind != .s3 || rules != nil else {
            let script = """
                import boto3, hashlib, sys
                s3 = boto3.client("s3", endpoint_url=sys.argv[1], aws_access_key_id=sys.argv[2],
                    aws_secret_access_key=sys.argv[3], region_name="us-east-1")
                for item in s3.list_objects_v2(Bucket="ffb").get("Contents", []):
                    body = s3.get_object(Bucket="ffb", Key=item["Key"])["Body"].read()
                    print(hashlib.sha256(body).hexdigest())
                """
            return try await python(["-c", script, "http://127.0.0.1:\(port)", key, secret])
                .split(whereSeparator: \.isWhitespace).map(String.init).sorted()
        }
        return try FileManager.default.subpathsOfDirectory(atPath: folder).compactMap { name in
            var isFolder: ObjCBool = false
            let path = "\(folder)/\(name)"
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
            else { return nil }
            return try DaemonRig.sha256(ofFile: path)
        }.sorted()
    }

    private func python(_ arguments: [String]) async throws -> String {
        let run = try await RunningProgram.run(ServerPrograms.python, arguments, in: scratch)
        try #require(run.status == 0, "\(run.output)")
        return run.output
    }

    private func program(
        _ path: URL, _ arguments: [String], wrapper: [String] = [], environment: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(
            path, arguments, log: scratch.url.appending(path: "server.log"), wrapper: wrapper,
            environment: environment)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: scratch.path(name), atomically: true, encoding: .utf8)
        chmod(scratch.path(name), 0o600)
    }
}
