import Foundation
import Glibc

/// A connection through the delay line.
enum Line {
    /// Forwards an accepted connection to a port. If the port refuses, closes the accepted connection.
    static func open(from near: Int32, to port: UInt16, roundTripMs: Double) {
        let far = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = Loopback.address(port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(far, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            close(near)
            close(far)
            return
        }
        for descriptor in [near, far] { Loopback.sendAtOnce(descriptor) }
        let (half, now) = (Moment(nanoseconds: Int64(roundTripMs * 500_000)), Moment.now)
        let ends = Ends(near, far)
        // Opening a real connection takes a round trip, so no byte may arrive earlier.
        OneWay(from: near, to: far, delay: half, notBefore: now + half + half + half, ends).start()
        OneWay(from: far, to: near, delay: half, notBefore: now + half + half, ends).start()
    }

    /// The descriptors of a connection. They are closed when both directions have ended.
    final class Ends: @unchecked Sendable {
        // Reason: the descriptors never change, and the last direction to be released closes them.
        private let near: Int32
        private let far: Int32

        init(_ near: Int32, _ far: Int32) {
            self.near = near
            self.far = far
        }

        deinit {
            close(near)
            close(far)
        }
    }
}

/// A time of the monotonic clock, or a duration.
struct Moment: Comparable {
    var nanoseconds: Int64

    static var now: Moment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Moment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func + (left: Moment, right: Moment) -> Moment {
        Moment(nanoseconds: left.nanoseconds + right.nanoseconds)
    }

    static func < (left: Moment, right: Moment) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Sleeps until this time. Returns immediately if the time has passed.
    func wait() {
        var time = timespec(
            tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}

/// One direction of a connection. One thread receives bytes, and another sends them at their due time.
final class OneWay: @unchecked Sendable {
    // Reason: `queue`, `bytes` and `isOver` are only accessed while `condition` is locked; the other
    // properties never change.
    private static let pieceBytes = 256 << 10
    /// The maximum number of bytes in transit: 15 ms of data at 17 GB/s. The receiving thread is always
    /// slower.
    private static let bytesMax = 256 << 20

    private let from: Int32
    private let to: Int32
    private let delay: Moment
    private let notBefore: Moment
    private let ends: Line.Ends
    private let condition = NSCondition()
    private var queue: [(due: Moment, piece: [UInt8])] = []
    private var bytes = 0
    private var isOver = false

    init(from: Int32, to: Int32, delay: Moment, notBefore: Moment, _ ends: Line.Ends) {
        self.from = from
        self.to = to
        self.delay = delay
        self.notBefore = notBefore
        self.ends = ends
    }

    func start() {
        for body in [receiveBytes, forwardBytes] {
            let thread = Thread { body() }
            thread.stackSize = 256 << 10
            thread.start()
        }
    }

    private func receiveBytes() {
        var count = 1
        while count > 0 {
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceBytes) { buffer, filled in
                count = recv(from, buffer.baseAddress, buffer.count, 0)
                filled = max(count, 0)
            }
            condition.lock()
            while bytes > Self.bytesMax && !isOver { condition.wait() }
            if isOver { count = 0 }
            if count > 0 {
                bytes += count
                queue.append((max(.now + delay, notBefore), piece))
            } else {
                // The end of the stream has the same delay as a byte.
                queue.append((max(.now + delay, notBefore), []))
            }
            condition.broadcast()
            condition.unlock()
        }
    }

    private func forwardBytes() {
        while true {
            condition.lock()
            while queue.isEmpty { condition.wait() }
            let pieces = queue
            queue = []
            condition.unlock()
            for (due, piece) in pieces {
                due.wait()
                guard !piece.isEmpty, send(piece) else { return finish(broken: !piece.isEmpty) }
                condition.lock()
                bytes -= piece.count
                condition.broadcast()
                condition.unlock()
            }
        }
    }

    private func send(_ piece: [UInt8]) -> Bool {
        piece.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Glibc.send(
                    to, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    private func finish(broken: Bool) {
        shutdown(to, Int32(SHUT_WR))
        // Closes the sender's side too, because the receiver has closed the connection.
        if broken { shutdown(from, Int32(SHUT_RDWR)) }
        condition.lock()
        isOver = true
        condition.broadcast()
        condition.unlock()
    }
}

/// Helpers for sockets on this computer.
enum Loopback {
    static func address(_ port: UInt16) -> sockaddr_in {
        sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
            sin_addr: in_addr(s_addr: UInt32(0x7f00_0001).bigEndian), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
    }

    static func sendAtOnce(_ descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
}
