import Glibc
import PlainThreads

/// Signals as messages: a screen in raw mode must restore the terminal before the process stops or ends.
public enum SignalThread {
    /// What a screen has to answer itself.
    public static let handled = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    /// Takes these signals away from the process, and hands them over. Call it before other threads start.
    public static func start(_ handle: @escaping @Sendable (Int32) -> Void) {
        var set = Self.set
        pthread_sigmask(SIG_BLOCK, &set, nil)
        PlainThread.startOrExit("signals") {
            var set = Self.set
            while true {
                var signal: Int32 = 0
                if sigwait(&set, &signal) == 0 { handle(signal) }
            }
        }
    }

    /// Ends the process in the way in which the signal would have ended it.
    public static func die(of signal: Int32) -> Never {
        Glibc.signal(signal, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, signal)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(signal)
        exit(128 + signal)
    }

    private static var set: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in handled { sigaddset(&set, signal) }
        return set
    }
}
