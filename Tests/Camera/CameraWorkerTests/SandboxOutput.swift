/// The expected output of the sandbox trial for a worker of a USB camera, line by line. The comparison fails
/// if a try is missing.
enum SandboxOutput {
    static let ofUSB: [String] = all.split(separator: "\n").map(String.init).filter { !isLegacyCall($0) }

    /// Returns whether a line is about a legacy system call that exists only on x86.
    private static func isLegacyCall(_ line: String) -> Bool {
        #if arch(x86_64)
            false
        #else
            line.contains("legacy call (ch")
        #endif
    }

    private static let all = """
        a network socket: refused, Operation not permitted
        a network socket over IPv6: refused, Operation not permitted
        a raw socket to the network card: refused, Operation not permitted
        a local socket: refused, Operation not permitted
        device events from the kernel: allowed
        the network routing table: refused, Operation not permitted
        /etc/shadow: refused, Permission denied
        /etc/passwd: refused, Permission denied
        /proc/1/environ: refused, Permission denied
        reading a file outside its folders: refused, Permission denied
        writing a file outside its folders: refused, Permission denied
        truncating a file outside its folders: refused, Permission denied
        removing a file outside its folders: refused, Permission denied
        renaming a file outside its folders: refused, Permission denied
        a file in /tmp: refused, Permission denied
        a file next to the photos: refused, Permission denied
        a part file: allowed
        a file in its home: allowed
        a thread: allowed
        a signal to itself: allowed
        another program: refused, Operation not permitted
        a different kind of device: refused, Permission denied
        truncating a file (truncate): refused, Operation not permitted
        truncating an open file (ftruncate): refused, Operation not permitted
        allocating space for an open file (fallocate): refused, Operation not permitted
        changing a file's mode (fchmodat): refused, Operation not permitted
        changing a file's mode, legacy call (chmod): refused, Operation not permitted
        changing an open file's mode (fchmod): refused, Operation not permitted
        changing a file's owner (fchownat): refused, Operation not permitted
        changing a file's owner, legacy call (chown): refused, Operation not permitted
        changing an open file's owner (fchown): refused, Operation not permitted
        changing a file's times (utimensat): refused, Operation not permitted
        setting a file's attributes (setxattr): refused, Operation not permitted
        removing a file's attributes (removexattr): refused, Operation not permitted
        setting an open file's attributes (fsetxattr): refused, Operation not permitted
        creating a hard link (linkat): refused, Operation not permitted
        creating a symbolic link (symlinkat): refused, Operation not permitted
        creating a device file (mknodat): refused, Operation not permitted
        opening a file by its handle (open_by_handle_at): refused, Operation not permitted
        watching file access (fanotify_init): refused, Operation not permitted
        signaling another process (kill): refused, Operation not permitted
        signaling all processes (kill): refused, Operation not permitted
        signaling another process's thread (tgkill): refused, Operation not permitted
        signaling another process's thread, legacy call (tkill): refused, Operation not permitted
        queueing a signal with a value (rt_sigqueueinfo): refused, Operation not permitted
        opening a handle to another process (pidfd_open): refused, Operation not permitted
        signaling by a process handle (pidfd_send_signal): refused, Operation not permitted
        copying another process's descriptor (pidfd_getfd): refused, Operation not permitted
        sending a descriptor's signals elsewhere (fcntl): refused, Operation not permitted
        changing another process's limits (prlimit64): refused, Operation not permitted
        changing its own limits (prlimit64): refused, Operation not permitted
        changing another process's CPU affinity (sched_setaffinity): refused, Operation not permitted
        changing another process's scheduler (sched_setscheduler): refused, Operation not permitted
        changing another process's priority (setpriority): refused, Operation not permitted
        changing another process's I/O priority (ioprio_set): refused, Operation not permitted
        debugging (ptrace): refused, Operation not permitted
        reading another process's memory (process_vm_readv): refused, Operation not permitted
        writing another process's memory (process_vm_writev): refused, Operation not permitted
        comparing processes (kcmp): refused, Operation not permitted
        creating a process (clone): refused, Operation not permitted
        creating a process (clone3): not available
        executing a program (execve): refused, Operation not permitted
        executing an open file (execveat): refused, Operation not permitted
        outliving the daemon (prctl): refused, Operation not permitted
        making its memory readable (prctl): refused, Operation not permitted
        switching to another user (setresuid): refused, Operation not permitted
        creating a process group (setpgid): refused, Operation not permitted
        a socket pair (socketpair): refused, Operation not permitted
        a UDP socket (socket): refused, Operation not permitted
        a UDP socket over IPv6 (socket): refused, Operation not permitted
        a raw socket (socket): refused, Operation not permitted
        a multipath socket (socket): refused, Operation not permitted
        a kernel crypto socket (socket): refused, Operation not permitted
        a socket to the hypervisor (socket): refused, Operation not permitted
        sending descriptors (sendmsg): refused, Operation not permitted
        sending several messages (sendmmsg): refused, Operation not permitted
        listening for connections (listen): refused, Operation not permitted
        accepting a connection (accept4): refused, Operation not permitted
        injecting terminal input (ioctl): refused, Operation not permitted
        changing a file's flags (ioctl): refused, Operation not permitted
        io_uring, which bypasses the filter (io_uring_setup): refused, Operation not permitted
        loading a BPF program (bpf): refused, Operation not permitted
        performance counters (perf_event_open): refused, Operation not permitted
        handling page faults (userfaultfd): refused, Operation not permitted
        the kernel's keyring (keyctl): refused, Operation not permitted
        adding a kernel key (add_key): refused, Operation not permitted
        requesting a kernel key (request_key): refused, Operation not permitted
        mounting a file system (mount): refused, Operation not permitted
        mounting a file system (fsopen): refused, Operation not permitted
        cloning a mount (open_tree): refused, Operation not permitted
        moving a mount (move_mount): refused, Operation not permitted
        unmounting a file system (umount2): refused, Operation not permitted
        changing the root directory (chroot): refused, Operation not permitted
        switching the root mount (pivot_root): refused, Operation not permitted
        creating a namespace (unshare): refused, Operation not permitted
        joining a namespace (setns): refused, Operation not permitted
        loading a kernel module (init_module): refused, Operation not permitted
        loading another kernel (kexec_load): refused, Operation not permitted
        setting the clock (clock_settime): refused, Operation not permitted
        setting the host name (sethostname): refused, Operation not permitted
        creating a memory file (memfd_create): refused, Operation not permitted
        creating shared memory (shmget): refused, Operation not permitted
        creating a message queue (mq_open): refused, Operation not permitted
        installing another seccomp filter (seccomp): refused, Operation not permitted
        changing the execution domain (personality): refused, Operation not permitted
        """
}
