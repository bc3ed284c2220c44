import CLinux

/// The kernel's features to restrict a process permanently. Camera workers run with both.
public struct KernelSandboxing: Hashable, Sendable {
    /// The version of Landlock, which restricts a process to a list of files; 0 without it.
    public var landlockVersion: Int
    /// Whether the kernel has filters of system calls (seccomp).
    public var filtersCalls: Bool

    /// Creates a description.
    public init(landlockVersion: Int, filtersCalls: Bool) {
        self.landlockVersion = landlockVersion
        self.filtersCalls = filtersCalls
    }

    /// The features of the running kernel.
    public static var current: Self {
        .init(
            landlockVersion: Int(framefast_landlock_version()),
            filtersCalls: framefast_has_call_filters() == 1)
    }

    /// The missing features, in words that fit after "the kernel has no", or `nil` if none is missing.
    public var missing: String? {
        switch (landlockVersion > 0, filtersCalls) {
        case (true, true): nil
        case (false, true): "Landlock"
        case (true, false): "seccomp filters"
        case (false, false): "Landlock or seccomp filters"
        }
    }
}
