import Glibc
import WorkerProtocol

/// SIGTERM means "end in order": the camera gets its settings back. systemd sends it to every process of a service that
/// is stopped or has died, and SIGABRT to every process of one that its watchdog no longer hears. An abort(3) of our own
/// is not held back: it ends the process as ever.
enum TerminationRequest {
    /// Keeps the signals for ``await(then:)``, and blocks SIGHUP. Before any other thread is started, which then blocks them
    /// as well.
    ///
    /// The kernel sends SIGHUP when the thread that started this process ends. The threads of a daemon that is killed end one
    /// after the other, on a busy computer for more than a second, and its socket closes with the last one. So the socket
    /// tells that the daemon is gone: see ``ProcessEnd``, which lets an exposure come to its end.
    static func hold() {
        var signals = requests
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for one of the signals, then closes the session behind what is waiting. Runs for the rest of the process' life.
    static func await(then queue: CommandQueue) {
        var signals = requests
        while true {
            guard sigwaitinfo(&signals, nil) > 0 else { continue }
            _ = queue.push(.close)
        }
    }

    private static var requests: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGABRT)
        return signals
    }
}
