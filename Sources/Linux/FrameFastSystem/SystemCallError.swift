public import SystemPackage

/// The error of a system call, with its name, its subject and the error number.
public struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the call, for example `fsync`.
    public var call: String
    /// The file or object that the call was applied to.
    public var subject: String
    /// The error number.
    public var errno: Errno

    /// Creates an error.
    public init(call: String, subject: String, errno: Errno) {
        self.call = call
        self.subject = subject
        self.errno = errno
    }

    /// The kernel's error number.
    public var number: Int32 { errno.rawValue }

    /// Whether the disk is full or a quota is exceeded.
    public var isDiskFull: Bool { errno.isDiskFull }

    /// Whether the file is missing.
    public var isMissing: Bool { errno == .noSuchFileOrDirectory }

    /// Whether the file is missing, or a parent of its path is not a folder.
    public var isPathMissing: Bool { errno.isPathMissing }

    /// The error message.
    public var description: String { "cannot \(call) \(subject): \(errno)" }
}
