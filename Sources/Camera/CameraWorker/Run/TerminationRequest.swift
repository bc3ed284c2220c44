import Glibc
import WorkerProtocol

/// SIGTERM means "end in order": the camera gets its settings back. systemd sends it to every process of a service that
/// is stopped or has died, and SIGABRT to every process of one that its watchdog no longer hears. An abort(3) of our own
/// is not held back: it ends the process as ever.
enum TerminationRequest {
    /// From the first signal of a dying process until its sockets are closed, in milliseconds.
    private static let deathMs: Int32 = 500

    /// Keeps the signals for ``await(then:)``. Before any other thread is started, which then keeps it as well.
    static func hold() {
        var signals = all
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for one of the signals, then closes the session behind what is waiting. Runs for the rest of the process' life.
    ///
    /// The death of the daemon is such a signal too, in the daemon's name and once for each of its threads: of that
    /// ``ProcessEnd`` takes care, which lets an exposure come to its end.
    static func await(then queue: CommandQueue, daemon: DaemonLink, parent: pid_t) {
        var signals = all
        var received = siginfo_t()
        while true {
            guard sigwaitinfo(&signals, &received) > 0 else { continue }
            if received._sifields._kill.si_pid == parent, daemon.isGone(withinMs: deathMs) { continue }
            _ = queue.push(.close)
        }
    }

    private static var all: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        sigaddset(&signals, SIGABRT)
        return signals
    }
}
