import SystemIO

/// The exit statuses of a worker. The daemon reads them, and signals.
enum WorkerExit {
    /// The daemon requested the end.
    static let requested: Int32 = 0
    /// The daemon is gone: descriptor 0 is at end of file.
    static let daemonGone: Int32 = 70
    /// The command line is invalid.
    static let usage: Int32 = 64
    /// The trial of the sandbox found an allowed call that must be refused, or the reverse.
    static let notConfined: Int32 = 1
    /// The folder of the part files was replaced. The sandbox allows only the old one.
    static let folderReplaced: Int32 = 75
    /// The daemon sent an invalid message.
    static let badFrame: Int32 = 76
    /// A thread can't be started, or memory or a descriptor can't be allocated.
    static let outOfResources = PlainThread.cannotStart
}
