/// The expected output of the sandbox trial of a USB camera's worker, line by line. A try that is missing in
/// the trial fails the comparison.
enum SandboxOutput {
    static let ofUSB: [String] = all.split(separator: "\n").map(String.init).filter { !isOldSpelling($0) }

    /// Returns whether a line is for an old call that only x86 has in addition to the newer one.
    private static func isOldSpelling(_ line: String) -> Bool {
        #if arch(x86_64)
            false
        #else
            line.contains("in the old way (ch")
        #endif
    }

    private static let all = """
        a network socket: refused, Operation not permitted
        a network socket of version 6: refused, Operation not permitted
        a raw socket to the network card: refused, Operation not permitted
        a local socket: refused, Operation not permitted
        messages of the kernel about devices: allowed
        a table of the network: refused, Operation not permitted
        /etc/shadow: refused, Permission denied
        /etc/passwd: refused, Permission denied
        /proc/1/environ: refused, Permission denied
        reading a file of others: refused, Permission denied
        writing a file of others: refused, Permission denied
        emptying a file of others: refused, Permission denied
        removing a file of others: refused, Permission denied
        taking a file of others: refused, Permission denied
        a file in /tmp: refused, Permission denied
        a file beside the photos: refused, Permission denied
        a part file: allowed
        a file in its home: allowed
        a thread: allowed
        a signal to itself: allowed
        another program: refused, Operation not permitted
        a device of another kind: refused, Permission denied
        cutting a file (truncate): refused, Operation not permitted
        cutting an open file (ftruncate): refused, Operation not permitted
        giving an open file room (fallocate): refused, Operation not permitted
        the mode of a file (fchmodat): refused, Operation not permitted
        the mode of a file, in the old way (chmod): refused, Operation not permitted
        the mode of an open file (fchmod): refused, Operation not permitted
        the owner of a file (fchownat): refused, Operation not permitted
        the owner of a file, in the old way (chown): refused, Operation not permitted
        the owner of an open file (fchown): refused, Operation not permitted
        the times of a file (utimensat): refused, Operation not permitted
        the attributes of a file (setxattr): refused, Operation not permitted
        removing attributes of a file (removexattr): refused, Operation not permitted
        attributes of an open file (fsetxattr): refused, Operation not permitted
        a second name of a file (linkat): refused, Operation not permitted
        a symbolic link (symlinkat): refused, Operation not permitted
        a device file (mknodat): refused, Operation not permitted
        a file by its number (open_by_handle_at): refused, Operation not permitted
        who opens a file (fanotify_init): refused, Operation not permitted
        a signal to another process (kill): refused, Operation not permitted
        a signal to all processes (kill): refused, Operation not permitted
        a signal to another's thread (tgkill): refused, Operation not permitted
        a signal to another's thread, in the old way (tkill): refused, Operation not permitted
        a signal with a value (rt_sigqueueinfo): refused, Operation not permitted
        a handle of another process (pidfd_open): refused, Operation not permitted
        a signal by a handle (pidfd_send_signal): refused, Operation not permitted
        a descriptor of another process (pidfd_getfd): refused, Operation not permitted
        signals of a descriptor to others (fcntl): refused, Operation not permitted
        another's limits (prlimit64): refused, Operation not permitted
        its own limits (prlimit64): refused, Operation not permitted
        another's processors (sched_setaffinity): refused, Operation not permitted
        another's scheduling (sched_setscheduler): refused, Operation not permitted
        another's priority (setpriority): refused, Operation not permitted
        another's turn at the disk (ioprio_set): refused, Operation not permitted
        debugging (ptrace): refused, Operation not permitted
        reading another's memory (process_vm_readv): refused, Operation not permitted
        writing another's memory (process_vm_writev): refused, Operation not permitted
        comparing processes (kcmp): refused, Operation not permitted
        a process of its own (clone): refused, Operation not permitted
        a process in the new way (clone3): not there
        a program in its place (execve): refused, Operation not permitted
        an open program in its place (execveat): refused, Operation not permitted
        outliving the service (prctl): refused, Operation not permitted
        showing its memory (prctl): refused, Operation not permitted
        another user (setresuid): refused, Operation not permitted
        a session of its own (setpgid): refused, Operation not permitted
        a pair of sockets (socketpair): refused, Operation not permitted
        datagrams (socket): refused, Operation not permitted
        datagrams of version 6 (socket): refused, Operation not permitted
        a raw socket (socket): refused, Operation not permitted
        a socket of several paths (socket): refused, Operation not permitted
        a socket of the kernel's ciphers (socket): refused, Operation not permitted
        a socket to a host of this machine (socket): refused, Operation not permitted
        sending descriptors (sendmsg): refused, Operation not permitted
        sending many messages (sendmmsg): refused, Operation not permitted
        being called (listen): refused, Operation not permitted
        taking a call (accept4): refused, Operation not permitted
        typing into a terminal (ioctl): refused, Operation not permitted
        flags of a file (ioctl): refused, Operation not permitted
        calls past this filter (io_uring_setup): refused, Operation not permitted
        programs in the kernel (bpf): refused, Operation not permitted
        what the processor does (perf_event_open): refused, Operation not permitted
        faults of memory (userfaultfd): refused, Operation not permitted
        the kernel's keys (keyctl): refused, Operation not permitted
        a key for the kernel (add_key): refused, Operation not permitted
        asking for a key (request_key): refused, Operation not permitted
        a mount (mount): refused, Operation not permitted
        a mount in the new way (fsopen): refused, Operation not permitted
        a copy of a mount (open_tree): refused, Operation not permitted
        moving a mount (move_mount): refused, Operation not permitted
        the end of a mount (umount2): refused, Operation not permitted
        another root (chroot): refused, Operation not permitted
        exchanging the root (pivot_root): refused, Operation not permitted
        a namespace (unshare): refused, Operation not permitted
        another's namespace (setns): refused, Operation not permitted
        a module (init_module): refused, Operation not permitted
        another kernel (kexec_load): refused, Operation not permitted
        the clock (clock_settime): refused, Operation not permitted
        the computer's name (sethostname): refused, Operation not permitted
        memory with a name (memfd_create): refused, Operation not permitted
        shared memory (shmget): refused, Operation not permitted
        a queue of messages (mq_open): refused, Operation not permitted
        another filter (seccomp): refused, Operation not permitted
        another personality (personality): refused, Operation not permitted
        """
}
