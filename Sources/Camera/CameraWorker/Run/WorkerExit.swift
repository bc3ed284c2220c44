import SystemIO

/// The exit statuses of a worker. The daemon evaluates exit statuses and signals.
enum WorkerExit {
    /// The daemon requested the end.
    static let requested: Int32 = 0
    /// The daemon has exited, or the worker can't use the daemon's socket.
    static let daemonGone: Int32 = 70
    /// The command line is invalid.
    static let usage: Int32 = 64
    /// The sandbox trial failed: the sandbox allowed a forbidden operation or refused a permitted operation.
    static let notConfined: Int32 = 1
    /// The folder for part files was replaced. The sandbox allows only the old folder.
    static let folderReplaced: Int32 = 75
    /// The daemon sent an invalid message.
    static let badMessage: Int32 = 76
    /// A thread can't be started, or memory or a descriptor can't be allocated.
    static let outOfResources = PlainThread.cannotStart
}
