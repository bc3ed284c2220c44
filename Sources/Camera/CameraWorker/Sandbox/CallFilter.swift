import CSeccomp
import Glibc

/// A seccomp filter that restricts a worker to the system calls that it needs. libseccomp generates the
/// filter.
///
/// The list of these calls was recorded with strace for every maker over network and USB: pairing, listing,
/// fetching, deleting, and a driver that aborts. The list also contains the variants of these calls on arm64
/// and in later C libraries.
///
/// Other calls fail with EPERM, and the process continues. A library whose call fails continues without the
/// call, and no photo is lost. An example is libnuma, which requests memory policies. `clone3` fails with
/// ENOSYS, because the C library then uses `clone`. The filter can inspect the arguments of `clone` to
/// distinguish threads from processes.
struct CallFilter {
    /// The calls that are allowed with any arguments.
    private static let calls = [
        // Memory and threads
        "brk", "mmap", "mprotect", "mremap", "munmap", "madvise", "futex", "rseq", "set_robust_list",
        "sched_yield", "sched_getaffinity", "gettid", "getpid", "getppid", "getrandom", "uname", "sysinfo",
        "exit",
        "exit_group",
        // Signals to this process
        "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "sigaltstack", "restart_syscall",
        // Time and waiting
        "clock_gettime", "clock_getres", "clock_nanosleep", "gettimeofday", "time", "nanosleep", "poll",
        "ppoll",
        "select", "pselect6", "timerfd_create", "timerfd_settime", "eventfd2",
        // Files. Landlock restricts their paths.
        "openat", "close", "read", "readv", "pread64", "write", "writev", "pwrite64", "lseek", "dup", "fsync",
        "fdatasync", "sync_file_range", "newfstatat", "fstat", "statx", "statfs", "fstatfs", "access",
        "faccessat",
        "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd", "mkdir", "mkdirat", "rename",
        "renameat",
        "renameat2", "unlink", "unlinkat",
        // Existing sockets. Sending descriptors and listening are not allowed.
        "connect", "bind", "sendto", "recvfrom", "recvmsg", "shutdown", "getsockname", "getpeername",
        "getsockopt",
        "setsockopt",
    ]

    /// The allowed commands of fcntl: descriptor numbers, flags and locks. `F_SETOWN` with `F_SETSIG` would
    /// send any signal to any process of this user.
    private static let descriptorCommands = [
        F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
    ]

    private let options: WorkerOptions

    init(_ options: WorkerOptions) { self.options = options }

    /// Installs the filter permanently for this thread and the threads that it starts. Requires
    /// `PR_SET_NO_NEW_PRIVS`.
    ///
    /// - Returns: The failed steps, phrased to follow "cannot".
    func enter() -> [String] {
        guard let filter = seccomp_init(framefast_refuse_with(EPERM)) else {
            return ["create the system call filter"]
        }
        defer { seccomp_release(filter) }
        var failures: [String] = []
        func check(_ what: String, _ status: Int32) {
            if status != 0 { failures.append("\(what): \(String(cString: strerror(-status)))") }
        }
        // Level 2 arranges the filter as a binary tree.
        check("optimize the system call filter", seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2))
        for rule in rules {
            let number = seccomp_syscall_resolve_name(rule.call)
            // The number is negative if this architecture or this libseccomp does not have the call.
            guard number >= 0 else { continue }
            check(
                "add a rule for \(rule.call)",
                seccomp_rule_add_array(filter, rule.action, number, UInt32(rule.when.count), rule.when))
        }
        check("install the system call filter", seccomp_load(filter))
        return failures
    }

    // MARK: Rules. A call is allowed if any of its rules matches.

    private struct Rule {
        let call: String
        var action = UInt32(SCMP_ACT_ALLOW)
        var when: [scmp_arg_cmp] = []
    }

    private var rules: [Rule] {
        Self.calls.map { Rule(call: $0) } + forItself + sockets
            + Self.descriptorCommands.map { Rule(call: "fcntl", when: [.argument(1, is: Int($0))]) }
    }

    /// Calls that are allowed for this process only.
    private var forItself: [Rule] {
        [
            // Allows threads but not processes.
            Rule(call: "clone", when: [.argument(0, masked: Int(CLONE_THREAD), is: Int(CLONE_THREAD))]),
            Rule(call: "clone3", action: framefast_refuse_with(ENOSYS)),
            // Allows abort(3) and stopping this process for a debugger.
            Rule(call: "tgkill", when: [.argument(0, is: Int(getpid()))]),
            Rule(call: "prctl", when: [.argument(0, is: Int(PR_SET_NAME))]),
            // Allows reading this process's limits.
            Rule(call: "prlimit64", when: [.argument(0, is: 0), .argument(2, is: 0)]),
            // Allows the requests of usbfs, which have the type 'U'.
            Rule(call: "ioctl", when: [.argument(1, masked: 0xFF00, is: Int(UInt8(ascii: "U")) << 8)]),
        ]
    }

    private var sockets: [Rule] {
        // Allows udev's messages about devices.
        var rules = [Rule(call: "socket", when: [.argument(0, is: Int(AF_NETLINK)), .argument(2, is: 15)])]
        if options.isOnNetwork {
            for family in [AF_INET, AF_INET6] {
                for number in [0, Int(IPPROTO_TCP)] {
                    rules.append(
                        Rule(
                            call: "socket",
                            when: [
                                .argument(0, is: Int(family)),
                                .argument(1, masked: 0xF, is: Int(SOCK_STREAM.rawValue)),
                                .argument(2, is: number),
                            ]))
                }
            }
        }
        if options.usbEmulation != nil {
            rules.append(Rule(call: "socket", when: [.argument(0, is: Int(AF_UNIX))]))
        }
        return rules
    }
}

extension scmp_arg_cmp {
    fileprivate static func argument(_ number: UInt32, is value: Int) -> Self {
        Self(arg: number, op: SCMP_CMP_EQ, datum_a: UInt64(value), datum_b: 0)
    }

    fileprivate static func argument(_ number: UInt32, masked mask: Int, is value: Int) -> Self {
        Self(arg: number, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(mask), datum_b: UInt64(value))
    }
}
