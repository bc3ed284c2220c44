import CLinux
import Glibc

/// Drops the privileges and resources that a worker does not need. A worker parses data from an untrusted
/// device.
enum Confinement {
    /// The maximum number of descriptors. A worker uses the standard streams, two connections, an event
    /// descriptor and a few photo files. A low limit also speeds up the search for the driver's sockets.
    static let descriptorLimit: rlim_t = 64
    /// The maximum data memory, in bytes. A response can announce up to 4 GiB, and the driver allocates that
    /// amount. A worker normally uses less than 30 MB. Its largest single allocation is an object that is
    /// read as a whole (cameras without GetPartialObject).
    static let dataLimit: rlim_t = 512 * 1_024 * 1_024
    /// The size from which the allocator maps memory instead of using the heap, in bytes. With a lower
    /// threshold, the allocator would map and unmap the growing packet buffers for every packet.
    static let mmapThreshold: Int32 = 32 * 1_024 * 1_024
    /// The maximum free memory that the allocator keeps on the heap, in bytes. The next chunk reuses the
    /// memory of the previous chunk: the driver's copy of the chunk, and a packet of up to the same size.
    /// With a lower threshold, the kernel would map and clear this memory again for each chunk. An idle
    /// worker releases the memory with ``DriverConnection/releaseBuffers()``.
    static let trimThreshold = Int32(2 * ChunkSize.most) + 4 * topPad
    /// The step by which the heap grows, in bytes.
    static let topPad: Int32 = 1_024 * 1_024

    /// Applies all restrictions.
    ///
    /// - Returns: The failed steps, phrased to follow "cannot".
    static func apply() -> [String] {
        var failures: [String] = []
        func check(_ what: String, _ status: Int32) {
            if status != 0 { failures.append("\(what): \(String(cString: strerror(status)))") }
        }
        signal(SIGPIPE, SIG_IGN)
        // Disables Swift's crash report, which takes half a second and requires a debugger's privileges. The
        // daemon needs only the signal and the call trace, and has to start the next worker soon.
        for crash in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] { signal(crash, SIG_DFL) }
        let parent = getppid()
        // `setpriv` has requested a SIGKILL for the end of the daemon. This call requests SIGHUP instead,
        // because the worker may have to restore the camera's state first. ``ControlLoop`` ends a worker that
        // hangs.
        check("request to end with the daemon", framefast_end_with_parent())
        // If the daemon died before that call, the parent process has changed.
        if getppid() != parent { _exit(WorkerExit.daemonGone) }
        check("refuse new privileges", framefast_refuse_new_privileges())
        check("hide memory", framefast_hide_memory())
        check("limit core files", limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0))
        check("limit descriptors", limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), descriptorLimit))
        check("limit memory", limit(__rlimit_resource_t(RLIMIT_DATA.rawValue), dataLimit))
        check("set up the allocator", framefast_tune_malloc(mmapThreshold, trimThreshold, topPad, 1))
        // The driver polls for events with a `select` of 1 µs before every packet. The default slack of 50 µs
        // would account for most of a transfer's waiting time.
        check("set the timer slack", framefast_set_timer_slack(1))
        // The library converts object names from UTF-16 to the locale's character set. In the "C" locale,
        // every character outside ASCII becomes a question mark, and different files can get the same name.
        if setlocale(LC_CTYPE, "C.UTF-8") == nil { failures.append("use UTF-8 for object names") }
        // Camera times are wall-clock times without a zone. libgphoto2 interprets them as local time. The
        // time zone UTC keeps the times unchanged.
        setenv("TZ", "UTC", 1)
        tzset()
        umask(0o027)
        return failures
    }

    private static func limit(_ resource: __rlimit_resource_t, _ most: rlim_t) -> Int32 {
        var both = rlimit(rlim_cur: most, rlim_max: most)
        return setrlimit(resource, &both) == 0 ? 0 : errno
    }
}
