import Glibc

/// How many files, sockets and pipes this process may have open.
public enum DescriptorLimit {
    /// More than a hundred cameras with all destinations need. Programs that are started inherit it.
    public static let wanted: UInt = 8_192
    /// Fewer than that are short even for a few cameras: each has a socket, a process and a growing file.
    public static let enough: UInt = 256

    /// Raises the limit as far as this user may, at most to ``wanted``. A service manager's usual limit is 1,024.
    ///
    /// - Returns: The limit from now on.
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
