import Glibc
import SystemPackage
import Testing

@testable import UploadDestinations

@Suite struct SFTPSessionTests {
    @Test func `closes the handle that arrives after an open was cancelled`() async throws {
        var pair: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &pair) == 0)
        let server = FileDescriptor(rawValue: pair[1])
        let session = SFTPSession(socket: FileDescriptor(rawValue: pair[0]), stallSeconds: 60)
        // The greeting of version 3.
        try server.writeAll([0, 0, 0, 5, 2, 0, 0, 0, 3] as [UInt8])
        _ = try await session.greet()
        let requests = [SFTPRequest.open(path: "a", mode: .write), .limits]
        let pending = session.send(requests)
        let open = Task { try await pending[0].handle() }
        open.cancel()
        await #expect(throws: SFTPError.cancelled) { try await open.value }
        // The handle for the first request, and the status OK for the second.
        try server.writeAll([0, 0, 0, 11, 102, 0, 0, 0, 1, 0, 0, 0, 2, 7, 8] as [UInt8])
        try server.writeAll([0, 0, 0, 9, 101, 0, 0, 0, 2, 0, 0, 0, 0] as [UInt8])
        await pending[1].waitUntilSettled()
        let expected =
            SFTPRequest.greeting + requests[0].packet(id: 1) + requests[1].packet(id: 2)
            + SFTPRequest.close(handle: [7, 8]).packet(id: 3)
        var received = [UInt8](repeating: 0, count: 1 << 10)
        let count = try received.withUnsafeMutableBytes { try server.read(into: $0) }
        #expect(Array(received.prefix(count)) == expected)
        session.terminate(.lost)
        try server.close()
    }
}
