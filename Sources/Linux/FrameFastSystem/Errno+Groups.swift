public import SystemPackage

/// Groups of error numbers for decisions by error. Only this file defines such groups.
extension Errno {
    /// Whether the disk is full or a quota is exceeded.
    public var isDiskFull: Bool { self == .noSpace || self == Errno(rawValue: 122) }

    /// Whether the file is missing, or a parent of its path is not a folder.
    public var isPathMissing: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }

    /// Whether an object of another kind has the name: a folder, a file or a link.
    public var isBlocked: Bool {
        [.notDirectory, .isDirectory, .tooManySymbolicLinkLevels].contains(self)
    }

    /// Whether the file system does not support the call, or not for this kind of file.
    public var isUnsupported: Bool {
        [.invalidArgument, .notSupported, .notSupportedOnSocket, .noFunction].contains(self)
    }

    /// Whether this user lacks the permission.
    public var isNotAllowed: Bool { self == .permissionDenied || self == .notPermitted }

    /// Whether the host lacks a resource that every program needs: open files or memory.
    public var isExhausted: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(self)
    }

    /// Whether the host lacks a resource to start a program, including the limit of this user's processes.
    public var preventsStart: Bool { isExhausted || self == .resourceTemporarilyUnavailable }
}
