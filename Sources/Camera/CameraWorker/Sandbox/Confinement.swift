import CLinux
import Glibc

/// Drops the privileges and resources that a worker does not need. A worker parses data from an untrusted
/// device.
enum Confinement {
    /// The maximum number of descriptors. A worker uses the standard streams, two connections, an event
    /// descriptor and a few photos being written. A low limit also shortens the search for the driver's
    /// sockets.
    static let descriptorLimit: rlim_t = 64
    /// The maximum data memory, in bytes. A reply can announce up to 4 GiB, and the driver allocates that
    /// much. A working worker needs under 30 MB. Its largest single allocation is an object that is read as a
    /// whole (cameras without GetPartialObject).
    static let dataLimit: rlim_t = 512 * 1_024 * 1_024
    /// The largest allocation that is made on the heap, in bytes. Otherwise packet buffers that grow by
    /// realloc would be mapped, touched and unmapped for every packet.
    static let mmapThreshold: Int32 = 32 * 1_024 * 1_024
    /// The maximum free heap to keep, in bytes, so that the next photo reuses one photo's buffers.
    static let trimThreshold: Int32 = 6 * 1_024 * 1_024
    /// The step by which the heap grows, in bytes.
    static let topPad: Int32 = 1_024 * 1_024

    /// Applies all restrictions.
    ///
    /// - Returns: The failed steps, worded to follow "cannot".
    static func apply() -> [String] {
        var failures: [String] = []
        func check(_ what: String, _ status: Int32) {
            if status != 0 { failures.append("\(what): \(String(cString: strerror(status)))") }
        }
        signal(SIGPIPE, SIG_IGN)
        // Swift's crash report takes half a second and needs a debugger's rights. The signal and the call
        // trace are sufficient for the daemon, which has to start the next worker soon.
        for crash in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] { signal(crash, SIG_DFL) }
        let parent = getppid()
        // Replaces the SIGKILL that `setpriv` requested: the worker may have to restore the camera first.
        // ``ControlLoop`` ends a worker that hangs.
        check("request to end with the daemon", framefast_end_with_parent())
        // If the daemon died before that call, init or a subreaper is the parent now.
        if getppid() != parent { _exit(WorkerExit.daemonGone) }
        check("refuse new privileges", framefast_refuse_new_privileges())
        check("hide memory", framefast_hide_memory())
        check("limit core files", limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0))
        check("limit descriptors", limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), descriptorLimit))
        check("limit memory", limit(__rlimit_resource_t(RLIMIT_DATA.rawValue), dataLimit))
        check("set up the allocator", framefast_tune_malloc(mmapThreshold, trimThreshold, topPad, 1))
        // The driver polls for events with a select of 1 µs before every packet. With the usual slack of 50
        // µs, this would be most of a transfer's waiting time.
        check("set the timer slack", framefast_set_timer_slack(1))
        // The library converts object names from UTF-16 to the locale's character set. In the "C" locale,
        // every name outside ASCII becomes question marks, and two such files in a folder have the same name.
        if setlocale(LC_CTYPE, "C.UTF-8") == nil { failures.append("use UTF-8 for object names") }
        // Camera times are wall-clock times without a zone. The library converts them as local time.
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
