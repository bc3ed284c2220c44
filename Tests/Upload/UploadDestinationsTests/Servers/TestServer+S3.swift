import Foundation
import TestRig
import Testing
import UploadEngine

@testable import UploadDestinations

/// An S3 server with a bucket, and the settings for it.
struct S3Server {
    /// The S3 servers, which check different parts of a request.
    enum Kind: String, CaseIterable {
        /// SeaweedFS, a server for production use. It checks digests, conditions and the clock.
        case seaweed
        /// The server that is strictest about signatures. It checks no digests, and stores objects in memory.
        case moto
        /// A server that stores objects in a folder, and ignores conditions.
        case rclone
    }

    let server: TestServer
    let settings: S3Settings

    static let key = "AKFRAMEFAST0000000"
    static let secret = "ffsecretffsecretffsecret"

    static func start(
        _ kind: Kind, in scratch: ScratchFolder, folder: (URL) throws -> Void = { _ in }
    ) async throws -> S3Server {
        switch kind {
        case .seaweed: try await startSeaweed(scratch)
        case .moto: try await startMoto(scratch)
        case .rclone: try await startRclone(scratch, folder)
        }
    }

    private static func settings(_ port: Int, _ key: String = key, _ secret: String = secret) -> S3Settings {
        S3Settings(
            endpoint: "http://127.0.0.1:\(port)", bucket: "ffb", prefix: "shoot #1/", accessKey: key,
            secretKey: Secret(secret), multipartFromBytes: 12 << 20, partBytes: 5 << 20,
            connection: ConnectionSettings(
                connectSeconds: TestLimits.connectSeconds, stallSeconds: TestLimits.stallSeconds))
    }

    private static func startRclone(
        _ scratch: ScratchFolder, _ prepare: (URL) throws -> Void
    ) async throws -> S3Server {
        let server = try await TestServer(
            TestServers.bin.appending(path: "rclone"), in: scratch, name: "rclone-s3"
        ) { port, folder in
            try prepare(folder)
            let bucket = folder.appending(path: "ffb")
            try FileManager.default.createDirectory(at: bucket, withIntermediateDirectories: true)
            return [
                "serve", "s3", "--config", "/dev/null", "--addr", "127.0.0.1:\(port)", "--auth-key",
                "\(key),\(secret)", folder.path,
            ]
        }
        return S3Server(server: server, settings: settings(server.port))
    }

    private static func startSeaweed(_ scratch: ScratchFolder) async throws -> S3Server {
        let users = scratch.url.appending(path: "s3.json")
        let json = """
            {"identities": [{"name": "ff", "actions": ["Admin", "Read", "List", "Write", "Tagging"],
             "credentials": [{"accessKey": "\(key)", "secretKey": "\(secret)"}]}]}
            """
        try json.write(to: users, atomically: true, encoding: .utf8)
        let server = try await TestServer(
            TestServers.bin.appending(path: "weed"), in: scratch, name: "weed", ports: try ReservedPorts(8)
        ) { port, folder in
            // The arguments set all gRPC ports. They turn off the catalogs, because the server ends if
            // another program uses a port of a catalog (8181 and 9101).
            [
                "-logdir=\(scratch.url.path)", "server", "-s3.port.iceberg=0", "-s3.port.lance=0",
                "-master.telemetry=false", "-s3.localSocket=\(scratch.path("s3.sock"))",
                "-filer.localSocket=\(scratch.path("filer.sock"))", "-ip=127.0.0.1", "-ip.bind=127.0.0.1",
                "-dir=\(folder.path)", "-s3",
                "-s3.port=\(port)", "-s3.config=\(users.path)", "-master.port=\(port + 1)",
                "-master.port.grpc=\(port + 2)", "-volume.port=\(port + 3)",
                "-volume.port.grpc=\(port + 4)", "-filer.port=\(port + 5)",
                "-filer.port.grpc=\(port + 6)", "-s3.port.grpc=\(port + 7)", "-volume.max=0",
                "-volume.minFreeSpace=1GiB", "-master.volumeSizeLimitMB=512", "-metricsPort=0",
            ]
        }
        let started = S3Server(server: server, settings: settings(server.port))
        try await started.writable(scratch)
        return started
    }

    /// Waits until SeaweedFS can write. Before that, an upload starts, but fails after some time.
    func writable(_ scratch: ScratchFolder) async throws {
        let client = S3Client(settings)
        let probe = try TestPhotos.one(bytes: 1000, name: "first", in: scratch)
        let end = ContinuousClock.now + .seconds(60)
        while true {
            try #require(ContinuousClock.now < end, "SeaweedFS to take a file: \(server.output.suffix(1500))")
            _ = try? await client.send("PUT", key: nil)
            let response = try? await client.send("PUT", key: "first", body: .photo(try PhotoFile(probe)))
            if response?.isRefused == false { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        _ = try await client.send("DELETE", key: "first")
    }

    private static func startMoto(_ scratch: ScratchFolder) async throws -> S3Server {
        let server = try await TestServer(
            TestServers.bin.appending(path: "moto_server"), in: scratch, name: "moto",
            environment: ["INITIAL_NO_AUTH_ACTION_COUNT": "10"]
        ) { port, _ in ["-H", "127.0.0.1", "-p", String(port)] }
        let run = try await RunningProgram.run(
            TestServers.python,
            [TestServers.rig.appending(path: "strict_moto.py").path, String(server.port)],
            in: scratch)
        let words = run.output.split(whereSeparator: \.isWhitespace).map(String.init)
        try #require(run.status == 0 && words.count == 2, "\(run.output)")
        return S3Server(server: server, settings: settings(server.port, words[0], words[1]))
    }

    /// Returns the SHA-256 of each object by its key.
    func objects() async throws -> [String: String] {
        let client = S3Client(settings)
        var objects: [String: String] = [:]
        var query = [("list-type", "2")]
        while true {
            let list = try await client.send("GET", key: nil, query: query)
            try #require(!list.isRefused, "\(list.http.text.prefix(500))")
            let found = S3Response.elements("Contents", in: list.http.text)
            for key in found.compactMap({ S3Response.element("Key", in: $0) }) {
                objects[key] = try await client.read(key).hashed?.sha256 ?? "nothing"
            }
            guard let next = list.element("NextContinuationToken"), !next.isEmpty else { return objects }
            query = [("continuation-token", next), ("list-type", "2")]
        }
    }
}

extension S3Client {
    /// Reads the object under a key, and hashes it.
    func read(_ key: String) async throws(UploadFailure) -> CurlResponse {
        try await send("GET", key: key, sink: .hashed).http
    }
}
