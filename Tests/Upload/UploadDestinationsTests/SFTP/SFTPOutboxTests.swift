import Glibc
import SystemPackage
import Testing

@testable import UploadDestinations

@Suite struct SFTPOutboxTests {
    /// Returns both ends of a socket pair. With `keepsMessages`, each receive returns exactly one message.
    private func ends(keepsMessages: Bool) throws -> (ours: FileDescriptor, theirs: FileDescriptor) {
        var pair: [Int32] = [0, 0]
        let kind = keepsMessages ? SOCK_SEQPACKET : SOCK_STREAM
        try #require(socketpair(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
        return (FileDescriptor(rawValue: pair[0]), FileDescriptor(rawValue: pair[1]))
    }

    private func received(_ end: FileDescriptor, most: Int = 1 << 20) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: most)
        let count = try bytes.withUnsafeMutableBytes { try end.read(into: $0) }
        return Array(bytes.prefix(count))
    }

    @Test func `joins small packets of one call and keeps their order`() throws {
        let (ours, theirs) = try ends(keepsMessages: true)
        let outbox = SFTPOutbox(socket: ours)
        outbox.send([[1, 2], [3], [4, 5]])
        outbox.send([[6]])
        #expect(try received(theirs) == [1, 2, 3, 4, 5])
        #expect(try received(theirs) == [6])
        outbox.close()
        #expect(try received(theirs) == [])
        try theirs.close()
    }

    @Test func `does not block on a full socket, and sends the packets later`()
        throws
    {
        let (ours, theirs) = try ends(keepsMessages: false)
        let outbox = SFTPOutbox(socket: ours)
        let packets = (0..<20).map { [UInt8](repeating: UInt8($0), count: 200_000) }
        for packet in packets { outbox.send([packet, [255]]) }
        let expected = packets.reduce(into: [UInt8]()) { all, packet in all += packet + [255] }
        var all: [UInt8] = []
        while all.count < expected.count { all += try received(theirs) }
        #expect(all == expected)
        outbox.close()
        try theirs.close()
    }

    @Test func `sends nothing and does not block after the server disconnects`() throws {
        let (ours, theirs) = try ends(keepsMessages: false)
        let outbox = SFTPOutbox(socket: ours)
        try theirs.close()
        for _ in 0..<3 { outbox.send([[UInt8](repeating: 1, count: 1 << 20)]) }
        outbox.shutDown()
        outbox.close()
        outbox.close()
        outbox.send([[1]])
    }
}
