public import SystemPackage

/// What the kernel's reasons have in common for whoever decides by them: these groups are made here and nowhere else.
extension Errno {
    /// The disk is full, or a quota is used up.
    public var isNoRoom: Bool { self == .noSpace || self == Errno(rawValue: 122) }

    /// Nothing has the name, or what should be a folder on the way to it is none.
    public var isPathMissing: Bool { self == .noSuchFileOrDirectory || self == .notDirectory }

    /// Something else than what is wanted has the name: a folder, a file, a link.
    public var isBlocked: Bool {
        [.notDirectory, .isDirectory, .tooManySymbolicLinkLevels].contains(self)
    }

    /// The file system does not have the call, or not for this kind of file.
    public var isNotOffered: Bool {
        [.invalidArgument, .notSupported, .notSupportedOnSocket, .noFunction].contains(self)
    }

    /// This user may not.
    public var isNotAllowed: Bool { self == .permissionDenied || self == .notPermitted }

    /// The host has too little left of what every program needs: open files, memory.
    public var isExhausted: Bool {
        [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory].contains(self)
    }

    /// The host has too little left to start a program: also when this user may start no more processes.
    public var preventsStart: Bool { isExhausted || self == .resourceTemporarilyUnavailable }
}
