import CLinux
import Glibc

/// An event descriptor that wakes a thread sleeping in `poll`.
public final class WakeDescriptor: Sendable {
    /// The descriptor for `poll`, which is readable after ``signal()``.
    public let descriptor: Int32

    /// Creates a descriptor that is not readable.
    public init() throws(SystemCallFailure) {
        descriptor = try IO.retrying { framefast_eventfd() }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable, until ``reset()``.
    public func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Makes the descriptor unreadable, until the next ``signal()``.
    public func reset() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
