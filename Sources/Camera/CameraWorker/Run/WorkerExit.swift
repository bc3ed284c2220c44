import PlainThreads

/// How the worker ends. The daemon reads signals and these.
enum WorkerExit {
    /// Asked to close, and did.
    static let asked: Int32 = 0
    /// The daemon is gone: descriptor 0 is at its end.
    static let daemonGone: Int32 = 70
    /// Started with other arguments than the daemon's.
    static let usage: Int32 = 64
    /// A trial of the sandbox found it open, or too narrow.
    static let notConfined: Int32 = 1
    /// The folder of the part files was exchanged: the sandbox is cut to the old one.
    static let shutOut: Int32 = 75
    /// The daemon sent what is no frame of this protocol.
    static let badFrame: Int32 = 76
    /// A thread cannot be started, or memory or a descriptor cannot be had.
    static let noRoom = PlainThread.cannotStart
}
