import Glibc
import SystemIO

/// A blocking wait for the end of a child process.
enum ChildWatch {
    /// Waits until a child ends, and does not reap the child. Until the child is reaped, the kernel reuses
    /// neither its process id nor the id of its group.
    ///
    /// - Returns: The end, or exit code 127 if the child has already been reaped.
    static func waitForEnd(of pid: pid_t) -> ChildProcess.End {
        var info = siginfo_t()
        do throws(SystemCallFailure) {
            _ = try IO.retrying { waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) }
        } catch { return .exited(127) }
        // Swift does not import the C macro `si_status`.
        let status = info._sifields._sigchld.si_status
        return info.si_code == Int32(CLD_EXITED) ? .exited(status) : .killed(signal: status)
    }
}
