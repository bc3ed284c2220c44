import CLinux
import Glibc

/// Starts a thread that lives as long as the process.
///
/// Plain POSIX threads: a driver call blocks for as long as it likes, which Swift's cooperative pool must not.
func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(name: name, body: body)).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
        &thread, nil,
        { box in
            guard let box else { return nil }
            let start = Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue()
            framefast_name_thread(start.name)
            start.body()
            return nil
        }, box)
    guard status == 0 else {
        Log.line("cannot start the \(name) thread: \(String(cString: strerror(status)))")
        _exit(WorkerExit.noThread)
    }
    pthread_detach(thread)
}

private final class ThreadBody {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

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
    /// A thread cannot be started, or memory is short.
    static let noThread: Int32 = 71
}
