import CSeccomp
import Glibc

/// The sandbox of this process. The process enters the sandbox before it reads the first picture, because
/// pictures come from untrusted devices. In the sandbox, the process can only compute, allocate memory, and
/// read and write its open files.
enum PictureSandbox {
    /// The memory limit, in bytes. The limit suffices to decode the largest picture.
    private static let memoryMax: rlim_t = 1_024 * 1_024 * 1_024
    /// The allowed system calls. Only files and sockets that are already open can be used.
    private static let calls = [
        "read", "write", "brk", "mmap", "munmap", "mremap", "madvise", "futex", "exit", "exit_group",
        "rt_sigreturn", "rt_sigprocmask", "getrandom", "clock_gettime", "restart_syscall",
    ]

    /// Enters the sandbox.
    ///
    /// - Returns: `false` if the sandbox cannot be entered. The process must then not read any input.
    static func enter() -> Bool {
        var memory = rlimit(rlim_cur: memoryMax, rlim_max: memoryMax)
        var noCoreDump = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory) == 0,
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCoreDump) == 0,
            let filter = seccomp_init(SCMP_ACT_KILL_PROCESS)
        else { return false }
        defer { seccomp_release(filter) }
        for call in calls {
            let number = seccomp_syscall_resolve_name(call)
            // Skips a call that this processor architecture does not have.
            guard number >= 0 else { continue }
            guard seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 0, nil) == 0 else { return false }
        }
        return seccomp_load(filter) == 0
    }
}
