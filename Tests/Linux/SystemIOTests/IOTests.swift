import Foundation
import Glibc
import Synchronization
import TestRig
import Testing

@testable import SystemIO

/// Two connected stream sockets. The deinitializer closes both sockets.
private final class SocketPair: Sendable {
    let near: Int32
    let far: Int32
    private let isFarOpen = Mutex(true)

    init() throws {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        _ = try IO.retrying { socketpair(AF_UNIX, kind, 0, &ends) }
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        closeFar()
        close(near)
    }

    func closeFar() {
        isFarOpen.withLock { isOpen in
            if isOpen { close(far) }
            isOpen = false
        }
    }

    func makeNonBlocking() { _ = fcntl(near, F_SETFL, O_NONBLOCK) }
}

@Suite(.blocking) struct IOTests {
    /// More bytes than fit into a socket's buffer.
    private static let large = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    @Test(arguments: [(EINTR, 3), (EAGAIN, 1)])
    func `repeats only calls that a signal interrupted`(number: Int32, calls: Int) {
        var count = 0
        let result = Result { () throws(SystemCallFailure) in
            try IO.retrying { () -> Int in
                count += 1
                if count == 3 { return 7 }
                errno = number
                return -1
            }
        }
        #expect(count == calls)
        let expected: Result<Int, SystemCallFailure> =
            number == EINTR ? .success(7) : .failure(SystemCallFailure(number: number))
        #expect(result == expected)
    }

    @Test func `writes and reads more bytes than the socket's buffer`() throws {
        let pair = try SocketPair()
        let far = pair.far
        let writer = try PlainThread.startJoinable("writer") { try? IO.writeAll(Self.large, to: far) }
        let bytes = try IO.readExactly(Self.large.count, from: pair.near)
        writer.join()
        #expect(bytes == Self.large)
    }

    @Test func `waits until a full non-blocking socket accepts more bytes`() throws {
        let pair = try SocketPair()
        pair.makeNonBlocking()
        #expect(throws: SystemCallFailure(number: EAGAIN)) { try IO.writeAll(Self.large, to: pair.near) }
        let second = try SocketPair()
        second.makeNonBlocking()
        let received = Mutex<[UInt8]?>(nil)
        let far = second.far
        let reader = try PlainThread.startJoinable("reader") {
            let bytes = try? IO.readExactly(Self.large.count, from: far)
            received.withLock { $0 = bytes }
        }
        let result = Self.large.withUnsafeBytes { bytes -> Result<Void, SystemCallFailure> in
            Result { () throws(SystemCallFailure) in
                try IO.writeAll(bytes, to: second.near, waitsUntilWritable: true)
            }
        }
        try result.get()
        reader.join()
        #expect(received.withLock(\.self) == Self.large)
    }

    @Test func `returns nil if the peer closes before sending all bytes`() throws {
        let pair = try SocketPair()
        try IO.writeAll([1, 2, 3], to: pair.far)
        pair.closeFar()
        #expect(try IO.readExactly(4, from: pair.near) == nil)
        var buffer: [UInt8] = [0]
        #expect(try IO.read(from: pair.near, into: &buffer) == 0)
    }

    @Test func `sending to a closed peer throws EPIPE without a signal`() throws {
        let pair = try SocketPair()
        pair.closeFar()
        #expect(throws: SystemCallFailure(number: EPIPE)) { try IO.sendAll([1], to: pair.near) }
    }

    @Test func `receiving from an empty non-blocking socket throws EAGAIN`() throws {
        let pair = try SocketPair()
        pair.makeNonBlocking()
        #expect(throws: SystemCallFailure(number: EAGAIN)) {
            var buffer = [UInt8](repeating: 0, count: 16)
            _ = try IO.receive(from: pair.near, into: &buffer)
        }
    }

    @Test func `polling returns the events of a readable descriptor`() throws {
        let pair = try SocketPair()
        #expect(try IO.poll(pair.near, for: POLLIN, milliseconds: 0) == 0)
        #expect(try IO.poll(pair.near, for: POLLIN, milliseconds: 10) == 0)
        try IO.writeAll([1], to: pair.far)
        #expect(try IO.poll(pair.near, for: POLLIN, milliseconds: 60_000) == POLLIN)
        #expect(try IO.poll(pair.near, for: POLLIN, milliseconds: -1) == POLLIN)
    }

    @Test func `reads a file from an offset`() throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "file")
        try Data([1, 2, 3, 4]).write(to: file)
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4)
        let count = try bytes.withUnsafeMutableBytes {
            try IO.read(from: descriptor, at: 2, into: $0)
        }
        #expect(count == 2)
        #expect(bytes == [3, 4, 0, 0])
    }

    @Test func `connects to a Unix socket and accepts the connection`() throws {
        let folder = try ScratchFolder()
        let path = folder.url.appending(path: "socket").path
        let listener = try IO.makeUnixSocket()
        defer { close(listener) }
        #expect(UnixAddress.withAddress(path) { bind(listener, $0, $1) } == 0)
        #expect(throws: SystemCallFailure(number: ECONNREFUSED)) { try IO.connect(toUnixSocket: path) }
        #expect(listen(listener, 1) == 0)
        let client = try IO.connect(toUnixSocket: path)
        defer { close(client) }
        let accepted = try IO.accept(on: listener)
        defer { close(accepted) }
        #expect(fcntl(accepted, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
        try IO.writeAll([42], to: client)
        #expect(try IO.readExactly(1, from: accepted) == [42])
    }

    @Test func `rejects a path that is too long for a Unix socket`() {
        let longest = "/" + String(repeating: "a", count: UnixAddress.pathBytesMax - 1)
        #expect(throws: SystemCallFailure(number: ENOENT)) { try IO.connect(toUnixSocket: longest) }
        #expect(throws: SystemCallFailure(number: ENAMETOOLONG)) {
            try IO.connect(toUnixSocket: longest + "a")
        }
    }

    @Test func `the address of an abstract socket has a null byte and no padding`() {
        let length = UnixAddress.withAddress("@name", allowsAbstractName: true) { address, length -> Int in
            let first = UnsafeRawPointer(address).load(
                fromByteOffset: MemoryLayout<sa_family_t>.size, as: UInt8.self)
            return first == 0 ? Int(length) : -1
        }
        #expect(length == MemoryLayout<sa_family_t>.size + 5)
    }

    @Test func `a wake descriptor is readable after signal until reset`() throws {
        let wake = try WakeDescriptor()
        #expect(try IO.poll(wake.descriptor, for: POLLIN, milliseconds: 0) == 0)
        wake.signal()
        wake.signal()
        #expect(try IO.poll(wake.descriptor, for: POLLIN, milliseconds: 0) == POLLIN)
        wake.reset()
        #expect(try IO.poll(wake.descriptor, for: POLLIN, milliseconds: 0) == 0)
        wake.reset()
        #expect(fcntl(wake.descriptor, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
    }
}
