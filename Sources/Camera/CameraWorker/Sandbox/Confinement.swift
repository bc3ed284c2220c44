import CLinux
import Glibc

/// Drops what a worker does not need. It parses what an untrusted device sends.
enum Confinement {
    /// Descriptors: standard streams, two connections, an eventfd, a few photos being written. 64 is plenty, and
    /// the search for the driver's sockets is as short.
    static let descriptorLimit: rlim_t = 64
    /// Data memory in bytes. A reply announces up to 4 GiB and the driver allocates it; a worker at work needs
    /// under 30 MB, and the largest single allocation is an object read whole (cameras without GetPartialObject).
    static let dataLimit: rlim_t = 512 * 1_024 * 1_024
    /// Allocations up to this size come from the heap: packet buffers that grow by realloc would otherwise be
    /// mapped, touched and unmapped for every packet.
    static let mmapThreshold: Int32 = 32 * 1_024 * 1_024
    /// Free heap kept at most, so that one photo's buffers serve the next.
    static let trimThreshold: Int32 = 6 * 1_024 * 1_024
    /// Heap asked for at a time.
    static let topPad: Int32 = 1_024 * 1_024

    /// Applies everything; what could not be done is returned as words that fit behind "cannot".
    static func apply() -> [String] {
        var failures: [String] = []
        func check(_ what: String, _ status: Int32) {
            if status != 0 { failures.append("\(what): \(String(cString: strerror(status)))") }
        }
        signal(SIGPIPE, SIG_IGN)
        // Swift's own crash report takes half a second and a debugger's rights. Whoever finds this process dead
        // learns enough from the signal and the call trace, and wants the next worker to start.
        for crash in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] { signal(crash, SIG_DFL) }
        let parent = getppid()
        // In place of the SIGKILL that `setpriv` asked for: a camera may have to be set back first. What hangs is ended by
        // ``ControlLoop``.
        check("ask to end with the daemon", framefast_end_with_parent())
        // The daemon may have died before that call: then init or a subreaper has taken over.
        if getppid() != parent { _exit(WorkerExit.daemonGone) }
        check("refuse new privileges", framefast_refuse_new_privileges())
        check("hide memory", framefast_hide_memory())
        check("limit core files", limit(__rlimit_resource_t(RLIMIT_CORE.rawValue), 0))
        check("limit descriptors", limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), descriptorLimit))
        check("limit memory", limit(__rlimit_resource_t(RLIMIT_DATA.rawValue), dataLimit))
        check("set up the allocator", framefast_tune_malloc(mmapThreshold, trimThreshold, topPad, 1))
        // The driver looks for events with a select of 1 µs before every packet; with the usual slack of 50 µs that
        // is most of a transfer's waiting.
        check("set the timer slack", framefast_set_timer_slack(1))
        // Object names are converted from UTF-16 to the locale's character set: in plain "C" every name that is not
        // ASCII becomes a row of question marks, and two such files in a folder cannot be told apart.
        if setlocale(LC_CTYPE, "C.UTF-8") == nil { failures.append("use UTF-8 for object names") }
        // Camera times are wall clock times without a zone; the library converts them as if they were local.
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
