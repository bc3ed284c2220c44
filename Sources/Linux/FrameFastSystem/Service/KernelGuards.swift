import CLinux

/// What this kernel can take away from a process for good. Camera workers are kept in both.
public struct KernelGuards: Hashable, Sendable {
    /// Version of Landlock, which keeps a process to a list of files; 0 when there is none.
    public var landlockVersion: Int
    /// Whether there are filters of system calls (seccomp).
    public var filtersCalls: Bool

    /// Creates a description.
    public init(landlockVersion: Int, filtersCalls: Bool) {
        self.landlockVersion = landlockVersion
        self.filtersCalls = filtersCalls
    }

    /// The running kernel's.
    public static var current: Self {
        .init(
            landlockVersion: Int(framefast_landlock_version()),
            filtersCalls: framefast_has_call_filters() == 1)
    }

    /// What is missing, in words that fit behind "the kernel has no"; `nil` when nothing is.
    public var missing: String? {
        switch (landlockVersion > 0, filtersCalls) {
        case (true, true): nil
        case (false, true): "Landlock"
        case (true, false): "seccomp filters"
        case (false, false): "Landlock and no seccomp filters"
        }
    }
}
