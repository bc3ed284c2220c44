import Glibc

/// A failed system call of ``IO``, without the name of the file. `FrameFastSystem` adds the name
/// (`SystemCallError`).
public struct SystemCallFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error number (errno).
    public let number: Int32

    /// Creates an error with this error number.
    public init(number: Int32) { self.number = number }

    /// The system's text for the error number.
    public var description: String { String(cString: strerror(number)) }

    /// Returns the failure of the last call of this thread, or `nil` if a signal interrupted the call.
    @usableFromInline
    static func unlessInterrupted() -> SystemCallFailure? {
        let number = errno
        return number == EINTR ? nil : SystemCallFailure(number: number)
    }
}
