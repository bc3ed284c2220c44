import CLinux
import Glibc
import TestRig
import Testing

@testable import SystemIO

/// Tests of messages with descriptors on a pair of sockets.
@Suite(.blocking) struct DescriptorMessageTests {
    /// Calls `body` with two connected sockets.
    private func withSockets(_ body: (_ near: Int32, _ far: Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        _ = try IO.retrying { socketpair(AF_UNIX, kind, 0, &ends) }
        defer { for end in ends { close(end) } }
        try body(ends[0], ends[1])
    }

    /// Calls `body` with the ends of a pipe.
    private func withPipe(_ body: (_ reader: Int32, _ writer: Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(framefast_pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        try body(ends[0], ends[1])
    }

    @Test func `receives bytes and duplicates of the sent descriptors`() throws {
        try withSockets { near, far in
            try withPipe { reader, writer in
                let sent = try IO.send([1, 2, 3], descriptors: [writer, reader], to: near)
                #expect(sent == 3)
                let message = try IO.receive(10, descriptorsMax: 2, from: far)
                try #require(message.bytes == [1, 2, 3] && message.descriptors.count == 2)
                defer { for descriptor in message.descriptors { close(descriptor) } }
                #expect(Set(message.descriptors).isDisjoint(with: [reader, writer]))
                #expect(message.descriptors.allSatisfy { fcntl($0, F_GETFD) == FD_CLOEXEC })
                try IO.writeAll([42], to: message.descriptors[0])
                #expect(try IO.readExactly(1, from: reader) == [42])
            }
        }
    }

    @Test func `separate messages keep their own descriptors`() throws {
        try withSockets { near, far in
            try withPipe { reader, writer in
                _ = try IO.send([1], descriptors: [reader], to: near)
                _ = try IO.send([2], descriptors: [], to: near)
                _ = try IO.send([3], descriptors: [writer, reader], to: near)
                var counts: [Int] = []
                var bytes: [UInt8] = []
                while bytes.count < 3 {
                    let message = try IO.receive(1, descriptorsMax: 4, from: far)
                    bytes += message.bytes
                    counts.append(message.descriptors.count)
                    for descriptor in message.descriptors { close(descriptor) }
                }
                #expect(bytes == [1, 2, 3] && counts == [1, 0, 2])
            }
        }
    }

    @Test func `closes all descriptors of a message that has too many`() throws {
        try withSockets { near, far in
            var pipe: [Int32] = [-1, -1]
            try #require(framefast_pipe(&pipe) == 0)
            defer { close(pipe[0]) }
            _ = try IO.send([1], descriptors: [pipe[1], pipe[1], pipe[1]], to: near)
            close(pipe[1])
            #expect(throws: SystemCallFailure(number: EMSGSIZE)) {
                try IO.receive(1, descriptorsMax: 2, from: far)
            }
            // The pipe reports its end only after all writers are closed.
            let events = try IO.poll(pipe[0], for: POLLIN, milliseconds: 0)
            #expect(events & POLLHUP != 0)
        }
    }

    @Test func `receives no bytes after shutdown, and refuses to send too many descriptors`() throws {
        try withSockets { near, far in
            #expect(throws: SystemCallFailure(number: EMSGSIZE)) {
                try IO.send([1], descriptors: [0, 0, 0, 0, 0], to: near)
            }
            _ = shutdown(near, Int32(SHUT_WR))
            let message = try IO.receive(4, descriptorsMax: 2, from: far)
            #expect(message.bytes.isEmpty && message.descriptors.isEmpty)
        }
    }
}
