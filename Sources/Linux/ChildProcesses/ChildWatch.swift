import Glibc

/// Notices the end of a child by asking for it: for the case in which no descriptor was left to wait with.
enum ChildWatch {
    /// Time between two questions.
    private static let pause: Duration = .milliseconds(500)

    /// Calls `onEnd` once when a child has ended, and takes it from the list of processes.
    static func watch(_ pid: pid_t, onEnd: @escaping @Sendable (ChildProcess.End) -> Void) {
        Task.detached {
            while true {
                if let end = ended(pid) { return onEnd(end) }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// How a child ended, or `nil` while it runs.
    static func ended(_ pid: pid_t) -> ChildProcess.End? {
        var status: Int32 = 0
        switch waitpid(pid, &status, WNOHANG) {
        case pid:
            // As in <sys/wait.h>: the signal in seven bits, the exit code above.
            let signal = status & 0x7f
            return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
        case -1 where errno == ECHILD: return .exited(127)
        default: return nil
        }
    }
}
