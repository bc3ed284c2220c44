public import SystemPackage

/// Groups of error numbers with the same meaning for the service. Only this file defines such groups.
extension Errno {
    /// Whether the disk is full or a quota is exceeded.
    public var isDiskFull: Bool { self == .noSpace || self == Errno(rawValue: 122) }

    /// Whether the file is missing, or a parent of its path is not a folder.
    public var isPathMissing: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }

    /// Whether the path is of another kind than the call requires, for example a folder instead of a file.
    public var isBlocked: Bool {
        [.notDirectory, .isDirectory, .tooManySymbolicLinkLevels].contains(self)
    }

    /// Whether the file system does not support the call for this kind of file.
    public var isUnsupported: Bool {
        [.invalidArgument, .notSupported, .notSupportedOnSocket, .noFunction].contains(self)
    }

    /// Whether the user of this process lacks the permission.
    public var isNotAllowed: Bool { self == .permissionDenied || self == .notPermitted }

    /// Whether the computer has no free descriptor or memory.
    public var isExhausted: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(self)
    }

    /// Whether the computer lacks a resource to start a program: a descriptor, memory, or a process below the
    /// user's limit.
    public var preventsStart: Bool { isExhausted || self == .resourceTemporarilyUnavailable }
}
