import CLinux
import CSeccomp
import Glibc

/// The system calls that the sandbox must block. Their arguments change nothing if a call is allowed after
/// all.
struct BlockedCalls {
    /// A system call with its effect, its name and its arguments.
    struct Call {
        let what: String
        let name: String
        var arguments: [Int] = []

        /// Makes the call. Returns 0 or an errno.
        func attempt() -> Int32 {
            let four = arguments + Array(repeating: 0, count: 4 - arguments.count)
            return framefast_try_call(seccomp_syscall_resolve_name(name), four)
        }

        var isAvailable: Bool { seccomp_syscall_resolve_name(name) >= 0 }
    }

    /// Returns the calls that this machine has.
    static func all(_ fixture: TrialFixture) -> [Call] {
        // Never freed: the process ends after the trial.
        let file = Int(bitPattern: strdup(fixture.foreignFile))
        let attribute = Int(bitPattern: strdup("user.trial"))
        return (onFiles(file, attribute) + onProcesses(Int(fixture.neighbour)) + onSockets + onKernel)
            .filter(\.isAvailable)
    }

    private static let here = Int(AT_FDCWD)

    /// Landlock of kernel 6.1 does not restrict these calls.
    private static func onFiles(_ file: Int, _ attribute: Int) -> [Call] {
        [
            Call(what: "cutting a file", name: "truncate", arguments: [file, 0]),
            Call(what: "cutting an open file", name: "ftruncate", arguments: [-1, 0]),
            Call(what: "giving an open file room", name: "fallocate", arguments: [-1, 0, 0, 1]),
            Call(what: "the mode of a file", name: "fchmodat", arguments: [here, file, 0o600]),
            Call(what: "the mode of a file, in the old way", name: "chmod", arguments: [file, 0o600]),
            Call(what: "the mode of an open file", name: "fchmod", arguments: [-1, 0o600]),
            Call(what: "the owner of a file", name: "fchownat", arguments: [here, file, -1, -1]),
            Call(what: "the owner of a file, in the old way", name: "chown", arguments: [file, -1, -1]),
            Call(what: "the owner of an open file", name: "fchown", arguments: [-1, -1, -1]),
            Call(what: "the times of a file", name: "utimensat", arguments: [here, file]),
            Call(
                what: "the attributes of a file", name: "setxattr",
                arguments: [file, attribute, attribute, 1]),
            Call(what: "removing attributes of a file", name: "removexattr", arguments: [file, attribute]),
            Call(
                what: "attributes of an open file", name: "fsetxattr",
                arguments: [-1, attribute, attribute, 1]),
            Call(what: "a second name of a file", name: "linkat", arguments: [here, file, -1, 0]),
            Call(what: "a symbolic link", name: "symlinkat", arguments: [0, -1, 0]),
            Call(what: "a device file", name: "mknodat", arguments: [-1, 0]),
            Call(what: "a file by its number", name: "open_by_handle_at", arguments: [-1, 0]),
            Call(what: "who opens a file", name: "fanotify_init", arguments: [-1, -1]),
        ]
    }

    private static func onProcesses(_ pid: Int) -> [Call] {
        [
            Call(what: "a signal to another process", name: "kill", arguments: [pid, 0]),
            Call(what: "a signal to all processes", name: "kill", arguments: [-1, 0]),
            Call(what: "a signal to another's thread", name: "tgkill", arguments: [pid, pid, 0]),
            Call(what: "a signal to another's thread, in the old way", name: "tkill", arguments: [pid, 0]),
            Call(what: "a signal with a value", name: "rt_sigqueueinfo", arguments: [pid, 0, 0]),
            Call(what: "a handle of another process", name: "pidfd_open", arguments: [pid, 0]),
            Call(what: "a signal by a handle", name: "pidfd_send_signal", arguments: [-1, 0]),
            Call(what: "a descriptor of another process", name: "pidfd_getfd", arguments: [-1, 0]),
            Call(
                what: "signals of a descriptor to others", name: "fcntl", arguments: [0, Int(F_SETOWN), pid]),
            Call(what: "another's limits", name: "prlimit64", arguments: [pid, 4]),
            Call(what: "its own limits", name: "prlimit64", arguments: [0, 4, 1]),
            Call(what: "another's processors", name: "sched_setaffinity", arguments: [pid, 0, 0]),
            Call(what: "another's scheduling", name: "sched_setscheduler", arguments: [pid, -1, 0]),
            Call(what: "another's priority", name: "setpriority", arguments: [0, pid, 0]),
            Call(what: "another's turn at the disk", name: "ioprio_set", arguments: [1, pid, -1]),
            Call(what: "debugging", name: "ptrace", arguments: [1, pid]),
            Call(what: "reading another's memory", name: "process_vm_readv", arguments: [pid]),
            Call(what: "writing another's memory", name: "process_vm_writev", arguments: [pid]),
            Call(what: "comparing processes", name: "kcmp", arguments: [pid, pid, -1]),
            Call(what: "a process of its own", name: "clone", arguments: [Int(CLONE_SIGHAND)]),
            Call(what: "a process in the new way", name: "clone3"),
            Call(what: "a program in its place", name: "execve", arguments: [0]),
            Call(what: "an open program in its place", name: "execveat", arguments: [-1, 0]),
            Call(what: "outliving the service", name: "prctl", arguments: [Int(PR_SET_PDEATHSIG), -1]),
            Call(what: "showing its memory", name: "prctl", arguments: [Int(PR_SET_DUMPABLE), -1]),
            Call(what: "another user", name: "setresuid", arguments: [-1, -1, -1]),
            Call(what: "a session of its own", name: "setpgid", arguments: [-1, -1]),
        ]
    }

    private static let onSockets: [Call] = [
        Call(what: "a pair of sockets", name: "socketpair", arguments: [Int(AF_UNIX), 1]),
        Call(what: "datagrams", name: "socket", arguments: [Int(AF_INET), 2]),
        Call(what: "datagrams of version 6", name: "socket", arguments: [Int(AF_INET6), 2]),
        Call(what: "a raw socket", name: "socket", arguments: [Int(AF_INET), 3, 1]),
        Call(what: "a socket of several paths", name: "socket", arguments: [Int(AF_INET), 1, 262]),
        Call(what: "a socket of the kernel's ciphers", name: "socket", arguments: [38, 5]),
        Call(what: "a socket to a host of this machine", name: "socket", arguments: [40, 1]),
        Call(what: "sending descriptors", name: "sendmsg", arguments: [-1]),
        Call(what: "sending many messages", name: "sendmmsg", arguments: [-1]),
        Call(what: "being called", name: "listen", arguments: [-1]),
        Call(what: "taking a call", name: "accept4", arguments: [-1]),
    ]

    private static let onKernel: [Call] = [
        Call(what: "typing into a terminal", name: "ioctl", arguments: [2, 0x5412]),
        Call(what: "flags of a file", name: "ioctl", arguments: [-1, 0x4008_6602]),
        Call(what: "calls past this filter", name: "io_uring_setup"),
        Call(what: "programs in the kernel", name: "bpf", arguments: [-1]),
        Call(what: "what the processor does", name: "perf_event_open"),
        Call(what: "faults of memory", name: "userfaultfd", arguments: [-1]),
        Call(what: "the kernel's keys", name: "keyctl", arguments: [-1]),
        Call(what: "a key for the kernel", name: "add_key"),
        Call(what: "asking for a key", name: "request_key"),
        Call(what: "a mount", name: "mount"),
        Call(what: "a mount in the new way", name: "fsopen"),
        Call(what: "a copy of a mount", name: "open_tree", arguments: [-1]),
        Call(what: "moving a mount", name: "move_mount", arguments: [-1]),
        Call(what: "the end of a mount", name: "umount2"),
        Call(what: "another root", name: "chroot"),
        Call(what: "exchanging the root", name: "pivot_root"),
        Call(what: "a namespace", name: "unshare"),
        Call(what: "another's namespace", name: "setns", arguments: [-1]),
        Call(what: "a module", name: "init_module"),
        Call(what: "another kernel", name: "kexec_load", arguments: [0, 0, 0, -1]),
        Call(what: "the clock", name: "clock_settime", arguments: [-1]),
        Call(what: "the computer's name", name: "sethostname", arguments: [0, -1]),
        Call(what: "memory with a name", name: "memfd_create"),
        Call(what: "shared memory", name: "shmget", arguments: [0, 0, 0]),
        Call(what: "a queue of messages", name: "mq_open"),
        Call(what: "another filter", name: "seccomp", arguments: [-1]),
        Call(what: "another personality", name: "personality", arguments: [0xFFFF_FFFF]),
    ]
}
