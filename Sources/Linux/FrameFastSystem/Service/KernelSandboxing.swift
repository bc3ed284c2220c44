import CLinux

/// The kernel's features that restrict a process permanently. Camera workers use all of them.
public struct KernelSandboxing: Hashable, Sendable {
    /// The version of Landlock, which restricts a process to a list of files, or 0 if the kernel lacks it.
    public var landlockVersion: Int
    /// Whether the kernel supports filters for system calls (seccomp).
    public var filtersCalls: Bool

    /// The features of the running kernel.
    public static var current: Self {
        .init(
            landlockVersion: Int(framefast_landlock_version()),
            filtersCalls: framefast_has_call_filters() == 1)
    }

    /// The missing features, as a phrase after "the kernel has no", or `nil` if the kernel has all of them.
    public var missing: String? {
        switch (landlockVersion > 0, filtersCalls) {
        case (true, true): nil
        case (false, true): "Landlock"
        case (true, false): "seccomp filters"
        case (false, false): "Landlock or seccomp filters"
        }
    }
}
