import Glibc
import WorkerProtocol

/// Handles SIGTERM as a request to close the connection in order. The worker then restores the camera's
/// settings.
///
/// systemd sends SIGTERM to every process of a service that is stopped or has died. It sends SIGABRT to every
/// process of a service whose watchdog expired. An abort(3) of this process still ends it.
enum TerminationRequest {
    /// Blocks the signals for ``waitForSignal(closing:)``, and SIGHUP. Call it before any other thread is
    /// started, so that the threads inherit the mask.
    ///
    /// The kernel sends SIGHUP when the thread that started this process ends. The threads of a killed daemon
    /// end one after another, on a busy computer over more than a second. Its socket closes with the last
    /// one. Therefore the closed socket, not SIGHUP, signals that the daemon is gone. See
    /// ``ProcessShutdown``, which lets an exposure finish.
    static func blockSignals() {
        var signals = requests
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for one of the signals, then enqueues `close` behind the waiting commands. Runs until the
    /// process ends.
    static func waitForSignal(closing queue: CommandQueue) {
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
