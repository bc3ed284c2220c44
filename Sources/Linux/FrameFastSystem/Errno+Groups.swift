public import SystemPackage

/// Groups of error numbers with the same meaning for the service. Only this file defines such groups.
extension Errno {
    /// Whether the disk is full or a quota is exceeded.
    public var isDiskFull: Bool { self == .noSpace || self == Errno(rawValue: 122) }

    /// Whether the file is missing, or a parent of its path is not a folder.
    public var isPathMissing: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }

    /// Whether the path refers to a different kind of file than the call requires, for example a folder.
    public var isBlocked: Bool {
        [.notDirectory, .isDirectory, .tooManySymbolicLinkLevels].contains(self)
    }

    /// Whether the file system does not support the call for this kind of file.
    public var isUnsupported: Bool {
        [.invalidArgument, .notSupported, .notSupportedOnSocket, .noFunction].contains(self)
    }

    /// Whether this process's user lacks the permission for the call.
    public var isNotAllowed: Bool { self == .permissionDenied || self == .notPermitted }

    /// Whether the computer has run out of file descriptors or memory.
    public var isExhausted: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(self)
    }

    /// Whether a program cannot be started because a resource is missing: descriptors or memory are
    /// exhausted, or the user's process limit is reached.
    public var preventsStart: Bool { isExhausted || self == .resourceTemporarilyUnavailable }
}
