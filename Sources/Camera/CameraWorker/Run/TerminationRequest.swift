import Glibc
import WorkerProtocol

/// SIGTERM means "end in order": the camera gets its settings back. systemd sends it to every process of a service.
enum TerminationRequest {
    /// From the first signal of a dying process until its sockets are closed, in milliseconds.
    private static let deathMs: Int32 = 500

    /// Keeps the signal for ``await(then:)``. Before any other thread is started, which then keeps it as well.
    static func hold() {
        var signals = only
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for the signal, then closes the session behind what is waiting. Runs for the rest of the process' life.
    ///
    /// The death of the daemon is such a signal too, in the daemon's name and once for each of its threads: of that
    /// ``ProcessEnd`` takes care, which lets an exposure come to its end.
    static func await(then queue: CommandQueue, daemon: DaemonLink, parent: pid_t) {
        var signals = only
        var received = siginfo_t()
        while true {
            guard sigwaitinfo(&signals, &received) > 0 else { continue }
            if received._sifields._kill.si_pid == parent, daemon.isGone(withinMs: deathMs) { continue }
            _ = queue.push(.close)
        }
    }

    private static var only: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTERM)
        return signals
    }
}
