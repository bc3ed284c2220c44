import Glibc

/// The limit on the number of this process's open files, sockets and pipes.
public enum DescriptorLimit {
    /// The requested limit. A hundred cameras with all destinations need fewer descriptors. Child processes
    /// inherit the limit.
    public static let wanted: UInt = 8_192
    /// The lowest limit that is sufficient for a few cameras and all connections. Each camera needs a socket,
    /// a process descriptor and an open file. The web page has up to 256 connections, and the Unix socket up
    /// to 128.
    public static let enough: UInt = 512

    /// Raises the limit to ``wanted``, or to the highest limit that the system permits. The usual limit of a
    /// service is 1,024. Never lowers the limit.
    ///
    /// - Returns: The new limit, or 0 if it cannot be read.
    @discardableResult
    public static func raise(to wanted: UInt = wanted) -> UInt {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let raised = min(max(limit.rlim_cur, wanted), limit.rlim_max)
        guard raised > limit.rlim_cur else { return limit.rlim_cur }
        var both = rlimit(rlim_cur: raised, rlim_max: limit.rlim_max)
        guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &both) == 0 else {
            return limit.rlim_cur
        }
        return raised
    }
}
