import CSeccomp
import Glibc

/// What this process may still do when it reads the first picture: compute, take memory, and read and write what it was
/// given. Pictures come from devices that nobody can trust.
enum PictureFence {
    /// Memory in bytes: the largest picture, and what decoding it needs.
    private static let memoryMax: rlim_t = 1_024 * 1_024 * 1_024
    /// Calls that remain. Of files and sockets only those can be used that are open.
    private static let calls = [
        "read", "write", "brk", "mmap", "munmap", "mremap", "madvise", "futex", "exit", "exit_group",
        "rt_sigreturn", "rt_sigprocmask", "getrandom", "clock_gettime", "restart_syscall", "pread64", "lseek",
    ]

    /// Closes the fence.
    ///
    /// - Returns: false when it cannot be closed: nothing is read then.
    static func close() -> Bool {
        var memory = rlimit(rlim_cur: memoryMax, rlim_max: memoryMax)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &memory) == 0,
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0,
            let filter = seccomp_init(SCMP_ACT_KILL_PROCESS)
        else { return false }
        defer { seccomp_release(filter) }
        for call in calls {
            let number = seccomp_syscall_resolve_name(call)
            // A call that this kind of processor does not have.
            guard number >= 0 else { continue }
            guard seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 0, nil) == 0 else { return false }
        }
        return seccomp_load(filter) == 0
    }
}
