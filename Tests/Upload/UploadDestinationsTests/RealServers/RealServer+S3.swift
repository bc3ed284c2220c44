import Foundation
import TestRig

@testable import UploadDestinations
@testable import UploadEngine

extension RealServer {
    /// S3 servers, alone and behind a gateway that refuses the same headers as Ceph. See s3_gateway.py.
    static let s3Rows = [
        Row("SeaweedFS, compatible with MinIO") { try await s3(.seaweed, in: $0) },
        Row("Ceph-like gateway, 501") {
            try await s3(.seaweed, refusing: ["501", "NotImplemented"], in: $0)
        },
        Row("Ceph-like gateway, 400") {
            try await s3(.moto, refusing: ["400", "InvalidRequest"], in: $0)
        },
        Row("Ceph-like gateway, wrong checksum") {
            try await s3(.seaweed, refusing: ["400", "XAmzContentSHA256Mismatch"], in: $0)
        },
    ]

    /// - Parameter refusing: The status and code of the gateway's refusals, or an empty array for no gateway.
    private static func s3(
        _ kind: S3Server.Kind, refusing: [String] = [], in scratch: ScratchFolder
    ) async throws -> RealServer {
        let server = try await S3Server.start(kind, in: scratch)
        var programs = [server.server]
        if !refusing.isEmpty {
            programs.append(
                try await .python(
                    "s3_gateway.py", in: scratch, name: "gateway",
                    [String(server.server.port), "checksums=\(refusing.joined(separator: ","))"]))
        }
        return RealServer(programs: programs, port: programs.last?.port ?? 0) {
            try await server.names()
        } destination: { port, memory in
            var settings = server.settings
            settings.endpoint = "http://127.0.0.1:\(port)"
            settings.multipartFromBytes = 6 << 20
            return S3Destination(settings, memory: memory)
        }
    }
}

extension S3Server {
    /// Returns the objects by their names without the prefix, and the unfinished multipart uploads.
    fileprivate func names() async throws -> [String: String] {
        let objects = try await objects().map { (String($0.key.dropFirst(settings.prefix.count)), $0.value) }
        let client = S3Client(settings)
        let list = try await client.send("GET", key: nil, query: [("uploads", "")])
        let unfinished = S3Response.elements("Upload", in: list.http.text).map {
            ("upload in parts \($0)", "unfinished")
        }
        return Dictionary(objects + unfinished) { first, _ in first }
    }
}
