import Glibc
import WorkerProtocol

/// Treats SIGTERM and SIGABRT as requests to close the connection cleanly. The worker then restores the
/// camera's settings.
///
/// systemd sends SIGTERM to every process of a service that is stopped or has died. If the service's watchdog
/// expires, systemd sends SIGABRT instead. The worker treats both signals as a request, but abort(3) in this
/// process still ends the process.
enum TerminationRequest {
    /// Blocks SIGHUP and the signals that ``waitForSignal(closing:)`` waits for. Call this before starting
    /// any thread, because threads inherit the signal mask.
    ///
    /// The kernel sends SIGHUP when the daemon's thread that started this process ends. The threads of a
    /// killed daemon end one after another, which takes more than a second on a busy system. The daemon's
    /// socket closes when the last thread ends. The closed socket, not SIGHUP, therefore indicates that the
    /// daemon has exited. ``ProcessShutdown`` then lets an exposure finish.
    static func blockSignals() {
        var signals = requests
        sigaddset(&signals, SIGHUP)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Enqueues `close` after the queued commands at each SIGTERM or SIGABRT. Runs until the process ends.
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
