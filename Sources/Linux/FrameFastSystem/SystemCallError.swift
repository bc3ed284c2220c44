public import SystemPackage

/// A system call that failed: which one, on what, and why.
public struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call, for example `fsync`.
    public var call: String
    /// The file or name that it was about.
    public var subject: String
    /// The reason.
    public var errno: Errno

    /// Creates an error from a call's name, its subject and its reason.
    public init(call: String, subject: String, errno: Errno) {
        self.call = call
        self.subject = subject
        self.errno = errno
    }

    /// The reason as the kernel's number.
    public var number: Int32 { errno.rawValue }

    /// Whether the host has no room: disk full or over quota.
    public var isDiskFull: Bool { errno.isNoRoom }

    /// Whether the file is not there.
    public var isMissing: Bool { errno == .noSuchFileOrDirectory }

    /// Whether it cannot be found under its path: it is not there, or a folder on the way is none.
    public var isPathMissing: Bool { errno.isPathMissing }

    /// For people: what is wrong, and where it helps what to do.
    public var description: String { "cannot \(call) \(subject): \(errno)" }
}
