import Foundation
import SurfaceTestSupport
import Testing

@testable import APIServer

@Suite struct SocketFileTests {
    private func bind(_ path: String, listening: Bool) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.bind(descriptor, $0, size) }
        }
        try #require(result == 0)
        if listening { try #require(listen(descriptor, 1) == 0) }
        return descriptor
    }

    @Test func `creates the missing directory of the socket`() async throws {
        try await TemporaryDirectory.with { directory in
            try SocketFile(path: directory + "/a/b/f.sock").prepare()
            #expect(FileManager.default.fileExists(atPath: directory + "/a/b"))
        }
    }

    @Test func `removes a socket file without a listener`() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory + "/f.sock"
            close(try bind(path, listening: false))
            try SocketFile(path: path).prepare()
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `keeps a socket file with a listener and throws`() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory + "/f.sock"
            let descriptor = try bind(path, listening: true)
            defer { close(descriptor) }
            #expect(throws: SocketFileError.inUse(path)) { try SocketFile(path: path).prepare() }
            #expect(FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func `keeps a file that is not a socket and throws`() async throws {
        try await TemporaryDirectory.with { directory in
            let path = directory + "/f.sock"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            #expect(throws: SocketFileError.notASocket(path)) { try SocketFile(path: path).prepare() }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
        }
    }

    @Test func `refuses a socket path that is too long`() {
        let path = "/tmp/" + String(repeating: "x", count: 103)
        #expect(throws: SocketFileError.pathTooLong(path)) { try SocketFile(path: path).prepare() }
    }

    @Test(arguments: [(false, 0o660), (true, 0o666)])
    func `socket is world-writable only if the status is public`(isPublic: Bool, mode: Int) async throws {
        let policy = AccessPolicy(ownUser: geteuid(), controlGroup: nil, isStatusPublic: isPublic)
        try await RunningServer.run(policy: policy) { server in
            let attributes = try FileManager.default.attributesOfItem(atPath: server.socketPath)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `removes the socket file when the server stops`() async throws {
        let path = try await RunningServer.run { $0.socketPath }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
