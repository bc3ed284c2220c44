import Glibc
import SystemIO

/// Passes signals to a handler on a thread. A screen in raw mode must restore the terminal before the process
/// stops or ends.
public enum SignalThread {
    /// The signals that a screen handles.
    public static let handled = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    /// Blocks the ``handled`` signals in this thread and the threads that it starts later, and passes the
    /// signals to a handler. Call this method before other threads start.
    ///
    /// Also ignores SIGPIPE, which would end the process in raw mode if a program at the other end of a pipe
    /// exits.
    public static func start(_ handle: @escaping @Sendable (Int32) -> Void) {
        Glibc.signal(SIGPIPE, SIG_IGN)
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

    /// Ends the process with the default action of a signal.
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
