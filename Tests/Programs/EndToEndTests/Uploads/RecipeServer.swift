import Foundation
import Glibc
import TestRig
import Testing

/// The local receiver of a recipe's photos: a server on loopback, a folder or a program.
final class RecipeServer {
    /// A text of the recipe, and the local text that replaces it.
    typealias Change = (from: String, to: String)

    /// The lines that the local server needs in the recipe's table, for example a port.
    private(set) var lines: [String] = []
    let scratch: ScratchFolder
    private let recipe: Recipe
    private var changes: [Change] = []
    /// The reserved ports. When this object is deallocated, the ports are released and the programs end.
    private var ports: [ReservedPorts] = []
    private var programs: [RunningProgram] = []
    /// The port, key and secret of the S3 server, or `nil` if there is no S3 server.
    private var moto: (port: Int, key: String, secret: String)?

    /// The bucket of the S3 recipes.
    private static let bucket = "weddings"
    /// The password and token of every server.
    private static let secret = "ff"

    /// The folder that receives the photos.
    private var folder: String { scratch.path("store") }

    /// Starts the servers that the recipe needs.
    init(_ recipe: Recipe) async throws {
        self.recipe = recipe
        scratch = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        switch recipe {
        case .web: changes = [("/srv/web/incoming", folder)]
        case .offsite:
            // The exit status 1 means "not metered".
            let command = try write("#!/bin/sh\nexit 1\n", to: "on-mobile-data", mode: 0o755)
            changes = [("/usr/local/bin/on-mobile-data", command), ("/mnt/offsite", folder)]
        case .nas: changes = [("/mnt/nas/photos", folder)]
        case .archive:
            try await startS3(
                "https://s3.eu-central-1.amazonaws.com", key: "AKIAEXAMPLE", secret: "credential:archive",
                host: "localhost", "region=eu-central-1")
        case .r2:
            try await startS3(
                "https://ACCOUNT.r2.cloudflarestorage.com", key: "ACCESS_KEY_ID",
                secret: "/etc/framefast/r2.secret", "region=auto", "checksums=501,NotImplemented")
        case .b2:
            try await startS3(
                "https://s3.eu-central-003.backblazeb2.com", key: "KEY_ID",
                secret: "/etc/framefast/b2.application-key", "region=eu-central-003",
                "checksums=400,InvalidArgument")
        case .minio:
            try await startS3(
                "https://minio.example.com:9000", key: "ACCESS_KEY", secret: "/etc/framefast/minio.secret",
                "checksums=400,InvalidRequest")
        case .backup: try await startSSH("backup.example.com", key: "backup_key")
        case .synology:
            try await startSSH("synology.example.com", key: "synology_key", path: "/photos/incoming")
        case .truenas:
            try await startSSH("truenas.example.com", key: "truenas_key", path: "/mnt/pool/photos")
        case .agency:
            let certificate = try await makeCertificate()
            let port = try await python(
                "ftp_server.py", "tls=explicit", "certificate=\(certificate)", "user=photographer")
            lines.append("port = \(port)")
            changes = [
                ("\"ftp.agency.example\"", "\"127.0.0.1\""), try password("/etc/framefast/agency.password"),
            ]
        case .cloud:
            let port = try await startTLS(before: try await python("nextcloud_dav.py", "me"))
            changes = [
                ("https://cloud.example.com", "https://127.0.0.1:\(port)"),
                try password("/etc/framefast/cloud.password"),
            ]
        case .diskstation:
            let port = try await startTLS(before: try await startWebDAV(user: "photos", share: "photos"))
            changes = [
                ("https://diskstation.example.com:5006", "https://127.0.0.1:\(port)"),
                try password("/etc/framefast/diskstation.password"),
            ]
        case .gallery:
            try await startHTTP("https://gallery.example.com", secret: "/etc/framefast/gallery.token")
        case .press: try await startHTTP("https://press.example.com")
        case .immich: try await startHTTP("https://photos.example.com", secret: "/etc/framefast/immich.key")
        case .clients: try await startHTTP("https://clients.example.com")
        case .drive:
            let port = try await python("oauth_bucket.py", "photos")
            let configuration = try write(
                """
                [drive]
                type = google cloud storage
                client_id = framefast
                client_secret = \(Self.secret)
                endpoint = http://127.0.0.1:\(port)/storage/v1/
                token_url = http://127.0.0.1:\(port)/token
                token = {"access_token":"expired","token_type":"Bearer","refresh_token":"first-refresh-token",\
                "expiry":"2020-01-01T00:00:00Z"}

                """, to: "rclone.conf")
            changes = [("/etc/framefast/rclone.conf", configuration)]
        case .printer:
            let command = try write(
                """
                #!/bin/sh
                [ -z "$FRAMEFAST_PROBE" ] || exit 0
                # Fails if it runs twice for one photo.
                [ ! -e "\(folder)/$(basename "$1")" ] || exit 1
                cp -- "$1" "\(folder)/$(basename "$1")"
                """, to: "print-photo", mode: 0o755)
            changes = [("/usr/local/bin/print-photo", command)]
        }
    }

    /// Returns the recipe word for word, with the local server in place of the recipe's server.
    func table() throws -> [String] {
        var text = try #require(try recipe.text(), "docs/uploads.md has no recipe '\(recipe)'")
        for change in changes {
            try #require(text.contains(change.from), "cannot find '\(change.from)' in the recipe: \(text)")
            text = text.replacing(change.from, with: change.to)
        }
        return text.split(separator: "\n").map(String.init) + lines
    }

    /// Returns the SHA-256 of each received file, including leftover parts.
    func sums() async throws -> [String] {
        guard let moto else {
            return try names().map { try DaemonRig.sha256(ofFile: "\(folder)/\($0)") }.sorted()
        }
        let script = """
            import boto3, hashlib, sys
            s3 = boto3.client("s3", endpoint_url=sys.argv[1], aws_access_key_id=sys.argv[2],
                aws_secret_access_key=sys.argv[3], region_name="us-east-1")
            for item in s3.list_objects_v2(Bucket=sys.argv[4]).get("Contents", []):
                body = s3.get_object(Bucket=sys.argv[4], Key=item["Key"])["Body"].read()
                print(hashlib.sha256(body).hexdigest())
            """
        let run = try await RunningProgram.run(
            ServerPrograms.python,
            ["-c", script, "http://127.0.0.1:\(moto.port)", moto.key, moto.secret, Self.bucket], in: scratch)
        try #require(run.status == 0, "\(run.output)")
        return run.output.split(whereSeparator: \.isWhitespace).map(String.init).sorted()
    }

    /// Returns the relative paths of the received files. Ignores `.framefast`, the folder of temporary files
    /// of a destination of kind `directory`.
    func names() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
            var isFolder: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
            return exists && !isFolder.boolValue && !name.hasPrefix(".framefast")
        }
    }

    /// Returns the content of a received file.
    func content(of name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(folder)/\(name)")) }

    // MARK: servers

    /// - Parameters:
    ///   - address: The service's address in the recipe.
    ///   - key: The key's id in the recipe.
    ///   - secret: The path of the secret file in the recipe.
    ///   - host: The local name of the server.
    ///   - options: Options of the gateway before the server; see s3_gateway.py.
    private func startS3(
        _ address: String, key: String, secret: String, host: String = "127.0.0.1", _ options: String...
    ) async throws {
        let port = try await start(
            ServerPrograms.bin.appending(path: "moto_server"),
            environment: ["INITIAL_NO_AUTH_ACTION_COUNT": "10"]
        ) { ["-H", "127.0.0.1", "-p", "\($0)"] }
        let run = try await RunningProgram.run(
            ServerPrograms.python, [Self.script("strict_moto.py"), "\(port)", Self.bucket], in: scratch)
        let words = run.output.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(run.status == 0 && words.count == 2, "\(run.output)")
        moto = (port, words[0], words[1])
        let gateway = try await start(ServerPrograms.python) {
            [Self.script("s3_gateway.py"), "\($0)", folder, "\(port)"] + options
        }
        let outer = try await startTLS(before: gateway)
        changes = [
            (address, "https://\(host):\(outer)"), ("\"\(key)\"", "\"\(words[0])\""),
            (secret, try write(words[1], to: "secret")),
        ]
    }

    /// - Parameters:
    ///   - host: The host's name in the recipe.
    ///   - key: The name of the key's file in the recipe.
    ///   - path: The absolute path of the folder in the recipe, or `nil` if the recipe has a relative path.
    ///     The test prefixes an absolute path with ``folder``.
    private func startSSH(_ host: String, key: String, path: String? = nil) async throws {
        let port = try ReservedPorts()
        ports.append(port)
        let server = try await OpenSSHServer.start(
            on: port.first, in: scratch, subsystem: "internal-sftp -d \(folder)")
        programs.append(server)
        try await server.waitUntilListening(on: port.first, "sshd")
        lines.append("port = \(port.first)")
        changes = [
            ("\"\(host)\"", "\"127.0.0.1\""), ("\"photos\"", "\"\(NSUserName())\""),
            ("/etc/framefast/\(key)", scratch.path("user_key")),
            ("/etc/framefast/known_hosts", scratch.path("known_hosts")),
        ]
        if let path { changes.append(("\"\(path)\"", "\"\(folder)\(path)\"")) }
    }

    /// - Parameters:
    ///   - address: The server's address in the recipe.
    ///   - secret: The path of the secret file in the recipe, or `nil` if the recipe has no secret.
    private func startHTTP(_ address: String, secret: String? = nil) async throws {
        let port = try await python("http_server.py", try await makeCertificate())
        changes = [(address, "https://127.0.0.1:\(port)")]
        if let secret { changes.append(try password(secret)) }
    }

    /// Starts wsgidav with one shared folder.
    private func startWebDAV(user: String, share: String) async throws -> Int {
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(share)", withIntermediateDirectories: true)
        return try await start(ServerPrograms.bin.appending(path: "wsgidav")) { port in
            let json = """
                {"host": "127.0.0.1", "port": \(port), "server": "cheroot", "provider_mapping": {"/": "\(folder)"},
                 "simple_dc": {"user_mapping": {"*": {"\(user)": {"password": "\(Self.secret)"}}}},
                 "http_authenticator": {"accept_basic": true, "accept_digest": true}}
                """
            return ["-c", try write(json, to: "wsgidav.json"), "-q"]
        }
    }

    /// Starts a proxy that accepts TLS connections and forwards them to `port`.
    private func startTLS(before port: Int) async throws -> Int {
        let certificate = try await makeCertificate()
        return try await start(ServerPrograms.python) {
            [
                Self.script("fault_proxy.py"), "\($0)", "\(port)", "pass", "0", "1",
                "certificate=\(certificate)",
            ]
        }
    }

    /// Creates a certificate for loopback, and adds its authority to the table.
    ///
    /// - Returns: The file with the certificate and its key.
    private func makeCertificate() async throws -> String {
        let tls = scratch.path("tls")
        try FileManager.default.createDirectory(atPath: tls, withIntermediateDirectories: true)
        let run = try await RunningProgram.run(
            ServerPrograms.python, [Self.script("certificates.py"), tls], in: scratch)
        try #require(run.status == 0, "\(run.output)")
        lines.append("ca_file = \"\(tls)/ca.pem\"")
        return "\(tls)/good.pem"
    }

    /// Starts one of the rig's Python servers, which stores received files in ``folder``.
    private func python(_ name: String, _ more: String...) async throws -> Int {
        try await start(ServerPrograms.python) { [Self.script(name), "\($0)", folder] + more }
    }

    private static func script(_ name: String) -> String { ServerPrograms.rig.appending(path: name).path }

    /// Starts a program, and waits until it listens.
    ///
    /// - Returns: The program's port.
    private func start(
        _ program: URL, environment: [String: String] = [:], _ arguments: (Int) throws -> [String]
    ) async throws -> Int {
        let port = try ReservedPorts()
        ports.append(port)
        let running = try RunningProgram(
            program, try arguments(port.first),
            log: scratch.url.appending(path: "server-\(programs.count).log"), environment: environment)
        programs.append(running)
        try await running.waitUntilListening(on: port.first, program.lastPathComponent)
        return port.first
    }

    // MARK: files

    private func password(_ file: String) throws -> Change {
        (file, try write("\(Self.secret)\n", to: "secret"))
    }

    private func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        let path = scratch.path(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        try #require(chmod(path, mode) == 0)
        return path
    }
}
