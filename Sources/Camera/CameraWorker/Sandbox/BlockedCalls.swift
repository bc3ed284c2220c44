import CLinux
import CSeccomp
import Glibc

/// The system calls that the sandbox must block. If a call is not blocked, its arguments make sure that it
/// has no effect.
struct BlockedCalls {
    /// A system call with a description of its effect, its name and its arguments.
    struct Call {
        let what: String
        let name: String
        var arguments: [Int] = []

        /// Makes the call. Returns 0 or the errno.
        func attempt() -> Int32 {
            let four = arguments + Array(repeating: 0, count: 4 - arguments.count)
            return framefast_try_call(seccomp_syscall_resolve_name(name), four)
        }

        var isAvailable: Bool { seccomp_syscall_resolve_name(name) >= 0 }
    }

    /// Returns the calls that exist on this architecture.
    static func all(_ fixture: TrialFixture) -> [Call] {
        // These strings are never freed, because the process exits after the trial.
        let file = Int(bitPattern: strdup(fixture.foreignFile))
        let attribute = Int(bitPattern: strdup("user.trial"))
        return (onFiles(file, attribute) + onProcesses(Int(fixture.neighbor)) + onSockets + onKernel)
            .filter(\.isAvailable)
    }

    private static let here = Int(AT_FDCWD)

    /// Returns the file calls. Landlock in kernel 6.1 does not restrict most of them.
    private static func onFiles(_ file: Int, _ attribute: Int) -> [Call] {
        [
            Call(what: "truncating a file", name: "truncate", arguments: [file, 0]),
            Call(what: "truncating an open file", name: "ftruncate", arguments: [-1, 0]),
            Call(what: "allocating space for an open file", name: "fallocate", arguments: [-1, 0, 0, 1]),
            Call(what: "changing a file's mode", name: "fchmodat", arguments: [here, file, 0o600]),
            Call(what: "changing a file's mode, legacy call", name: "chmod", arguments: [file, 0o600]),
            Call(what: "changing an open file's mode", name: "fchmod", arguments: [-1, 0o600]),
            Call(what: "changing a file's owner", name: "fchownat", arguments: [here, file, -1, -1]),
            Call(what: "changing a file's owner, legacy call", name: "chown", arguments: [file, -1, -1]),
            Call(what: "changing an open file's owner", name: "fchown", arguments: [-1, -1, -1]),
            Call(what: "changing a file's times", name: "utimensat", arguments: [here, file]),
            Call(
                what: "setting a file's attributes", name: "setxattr",
                arguments: [file, attribute, attribute, 1]),
            Call(what: "removing a file's attributes", name: "removexattr", arguments: [file, attribute]),
            Call(
                what: "setting an open file's attributes", name: "fsetxattr",
                arguments: [-1, attribute, attribute, 1]),
            Call(what: "creating a hard link", name: "linkat", arguments: [here, file, -1, 0]),
            Call(what: "creating a symbolic link", name: "symlinkat", arguments: [0, -1, 0]),
            Call(what: "creating a device file", name: "mknodat", arguments: [-1, 0]),
            Call(what: "opening a file by its handle", name: "open_by_handle_at", arguments: [-1, 0]),
            Call(what: "watching file access", name: "fanotify_init", arguments: [-1, -1]),
        ]
    }

    private static func onProcesses(_ pid: Int) -> [Call] {
        [
            Call(what: "signaling another process", name: "kill", arguments: [pid, 0]),
            Call(what: "signaling all processes", name: "kill", arguments: [-1, 0]),
            Call(what: "signaling another process's thread", name: "tgkill", arguments: [pid, pid, 0]),
            Call(
                what: "signaling another process's thread, legacy call", name: "tkill", arguments: [pid, 0]),
            Call(what: "queueing a signal with a value", name: "rt_sigqueueinfo", arguments: [pid, 0, 0]),
            Call(what: "opening a handle to another process", name: "pidfd_open", arguments: [pid, 0]),
            Call(what: "signaling by a process handle", name: "pidfd_send_signal", arguments: [-1, 0]),
            Call(what: "copying another process's descriptor", name: "pidfd_getfd", arguments: [-1, 0]),
            Call(
                what: "sending a descriptor's signals elsewhere", name: "fcntl",
                arguments: [0, Int(F_SETOWN), pid]),
            Call(what: "changing another process's limits", name: "prlimit64", arguments: [pid, 4]),
            Call(what: "changing its own limits", name: "prlimit64", arguments: [0, 4, 1]),
            Call(
                what: "changing another process's CPU affinity", name: "sched_setaffinity",
                arguments: [pid, 0, 0]),
            Call(
                what: "changing another process's scheduler", name: "sched_setscheduler",
                arguments: [pid, -1, 0]),
            Call(what: "changing another process's priority", name: "setpriority", arguments: [0, pid, 0]),
            Call(
                what: "changing another process's I/O priority", name: "ioprio_set", arguments: [1, pid, -1]),
            Call(what: "debugging", name: "ptrace", arguments: [1, pid]),
            Call(what: "reading another process's memory", name: "process_vm_readv", arguments: [pid]),
            Call(what: "writing another process's memory", name: "process_vm_writev", arguments: [pid]),
            Call(what: "comparing processes", name: "kcmp", arguments: [pid, pid, -1]),
            Call(what: "creating a process", name: "clone", arguments: [Int(CLONE_SIGHAND)]),
            Call(what: "creating a process", name: "clone3"),
            Call(what: "executing a program", name: "execve", arguments: [0]),
            Call(what: "executing an open file", name: "execveat", arguments: [-1, 0]),
            Call(what: "outliving the daemon", name: "prctl", arguments: [Int(PR_SET_PDEATHSIG), -1]),
            Call(what: "making its memory readable", name: "prctl", arguments: [Int(PR_SET_DUMPABLE), -1]),
            Call(what: "switching to another user", name: "setresuid", arguments: [-1, -1, -1]),
            Call(what: "creating a process group", name: "setpgid", arguments: [-1, -1]),
        ]
    }

    private static let onSockets: [Call] = [
        Call(what: "a socket pair", name: "socketpair", arguments: [Int(AF_UNIX), 1]),
        Call(what: "a UDP socket", name: "socket", arguments: [Int(AF_INET), 2]),
        Call(what: "a UDP socket over IPv6", name: "socket", arguments: [Int(AF_INET6), 2]),
        Call(what: "a raw socket", name: "socket", arguments: [Int(AF_INET), 3, 1]),
        Call(what: "a multipath socket", name: "socket", arguments: [Int(AF_INET), 1, 262]),
        Call(what: "a kernel crypto socket", name: "socket", arguments: [38, 5]),
        Call(what: "a socket to the hypervisor", name: "socket", arguments: [40, 1]),
        Call(what: "sending descriptors", name: "sendmsg", arguments: [-1]),
        Call(what: "sending several messages", name: "sendmmsg", arguments: [-1]),
        Call(what: "listening for connections", name: "listen", arguments: [-1]),
        Call(what: "accepting a connection", name: "accept4", arguments: [-1]),
    ]

    private static let onKernel: [Call] = [
        Call(what: "injecting terminal input", name: "ioctl", arguments: [2, 0x5412]),
        Call(what: "changing a file's flags", name: "ioctl", arguments: [-1, 0x4008_6602]),
        Call(what: "io_uring, which bypasses the filter", name: "io_uring_setup"),
        Call(what: "loading a BPF program", name: "bpf", arguments: [-1]),
        Call(what: "performance counters", name: "perf_event_open"),
        Call(what: "handling page faults", name: "userfaultfd", arguments: [-1]),
        Call(what: "the kernel's keyring", name: "keyctl", arguments: [-1]),
        Call(what: "adding a kernel key", name: "add_key"),
        Call(what: "requesting a kernel key", name: "request_key"),
        Call(what: "mounting a file system", name: "mount"),
        Call(what: "mounting a file system", name: "fsopen"),
        Call(what: "cloning a mount", name: "open_tree", arguments: [-1]),
        Call(what: "moving a mount", name: "move_mount", arguments: [-1]),
        Call(what: "unmounting a file system", name: "umount2"),
        Call(what: "changing the root directory", name: "chroot"),
        Call(what: "switching the root mount", name: "pivot_root"),
        Call(what: "creating a namespace", name: "unshare"),
        Call(what: "joining a namespace", name: "setns", arguments: [-1]),
        Call(what: "loading a kernel module", name: "init_module"),
        Call(what: "loading another kernel", name: "kexec_load", arguments: [0, 0, 0, -1]),
        Call(what: "setting the clock", name: "clock_settime", arguments: [-1]),
        Call(what: "setting the host name", name: "sethostname", arguments: [0, -1]),
        Call(what: "creating a memory file", name: "memfd_create"),
        Call(what: "creating shared memory", name: "shmget", arguments: [0, 0, 0]),
        Call(what: "creating a message queue", name: "mq_open"),
        Call(what: "installing another seccomp filter", name: "seccomp", arguments: [-1]),
        Call(what: "changing the execution domain", name: "personality", arguments: [0xFFFF_FFFF]),
    ]
}
