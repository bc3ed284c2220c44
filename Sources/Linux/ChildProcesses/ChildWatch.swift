import Glibc

/// Polling for the end of a child process that has no pidfd.
enum ChildWatch {
    /// The time between two polls.
    private static let pause: Duration = .milliseconds(500)

    /// Waits for the end of a child, reaps it and calls `onEnd` once.
    static func watch(_ pid: pid_t, onEnd: @escaping @Sendable (ChildProcess.End) -> Void) {
        Task.detached {
            while true {
                if let end = ended(pid) { return onEnd(end) }
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Returns the end of a child, or `nil` while the child is running. Reaps a child that has ended.
    static func ended(_ pid: pid_t) -> ChildProcess.End? {
        var status: Int32 = 0
        switch waitpid(pid, &status, WNOHANG) {
        case pid:
            // As in <sys/wait.h>: the signal is in the lower seven bits, the exit code in the next byte.
            let signal = status & 0x7f
            return signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal: signal)
        case -1 where errno == ECHILD: return .exited(127)
        default: return nil
        }
    }
}
