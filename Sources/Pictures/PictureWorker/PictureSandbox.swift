import CLinux
import CSeccomp
import Glibc
import PictureProtocol

/// The sandbox of this process. The process enters the sandbox before it reads the first picture, because
/// pictures come from untrusted devices. In the sandbox, the process can only compute, allocate memory, and
/// read and write its open files. The kernel ends the process with SIGSYS at any other system call.
enum PictureSandbox {
    /// The input of the process.
    enum Input {
        /// Pictures on the standard input, for the command line.
        case bytes
        /// Descriptors on a socket, for the daemon.
        case descriptors
    }

    /// The limit of the address space, in bytes. The limit suffices to decode the largest picture.
    private static let addressSpaceMax: rlim_t = 1_024 * 1_024 * 1_024
    /// The highest number of open descriptors: three standard streams, two of a request, and some for files
    /// that the C library opened before.
    private static let descriptorsMax: rlim_t = 16
    /// The largest file to write, in bytes: a copied JPEG with its added orientation.
    private static let fileBytesMax = rlim_t(PictureLimits.jpegBytesMax + 4_096)
    /// The processor time at which the kernel ends the process with SIGXCPU, in seconds. A worker exits
    /// before this limit.
    private static let processorSecondsMax = rlim_t(
        PictureLimits.workerSecondsMax + 2 * PictureLimits.pictureSecondsMax)
    /// The processor time between SIGXCPU and SIGKILL, in seconds. Without this time, the kernel only sends
    /// SIGKILL, which the service cannot distinguish from a lack of memory.
    private static let signalSeconds: rlim_t = 2

    /// The allowed system calls. Only files and sockets that are already open can be used.
    private static let calls = [
        "read", "write", "brk", "mmap", "munmap", "mremap", "madvise", "futex", "exit", "exit_group",
        "rt_sigreturn", "rt_sigprocmask", "getrandom", "clock_gettime", "restart_syscall",
    ]
    /// Further calls for requests with descriptors.
    private static let descriptorCalls = ["recvmsg", "sendmsg", "pread64", "pwrite64", "lseek", "close"]

    /// Enters the sandbox.
    ///
    /// - Returns: `false` if the sandbox cannot be entered. The process must then not read any input.
    static func enter(for input: Input) -> Bool {
        guard limit(RLIMIT_AS, to: addressSpaceMax), limit(RLIMIT_CORE, to: 0) else { return false }
        switch input {
        case .bytes: return filter(calls)
        case .descriptors:
            // A failure to set the priority is ignored, because the process may already have a lower
            // priority.
            _ = framefast_lower_priority(0)
            return limit(RLIMIT_DATA, to: rlim_t(PictureLimits.memoryBytesMax))
                && limit(RLIMIT_NOFILE, to: descriptorsMax) && limit(RLIMIT_FSIZE, to: fileBytesMax)
                && limit(RLIMIT_CPU, to: processorSecondsMax, hard: processorSecondsMax + signalSeconds)
                && framefast_refuse_new_privileges() == 0 && framefast_hide_memory() == 0 && forbidPaths()
                && filter(calls + descriptorCalls)
        }
    }

    /// Sets a limit, at most to the current hard limit.
    ///
    /// - Parameter hard: The hard limit, or `nil` if the soft limit is also the hard limit.
    private static func limit(
        _ resource: __rlimit_resource, to value: rlim_t, hard: rlim_t? = nil
    ) -> Bool {
        let number = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard getrlimit(number, &limit) == 0 else { return false }
        var both = rlimit(
            rlim_cur: min(value, limit.rlim_max), rlim_max: min(hard ?? value, limit.rlim_max))
        return setrlimit(number, &both) == 0
    }

    /// Forbids opening any path, if the kernel supports Landlock. The system call filter also forbids opening
    /// a path.
    private static func forbidPaths() -> Bool {
        guard framefast_landlock_version() > 0 else { return true }
        let list = framefast_landlock_begin()
        return list >= 0 && framefast_landlock_enforce(list) == 0
    }

    /// Allows only these system calls.
    private static func filter(_ calls: [String]) -> Bool {
        guard let filter = seccomp_init(SCMP_ACT_KILL_PROCESS) else { return false }
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
