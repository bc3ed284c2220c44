import Glibc

/// A fixed order of dictionaries and sets. By default, Swift uses a different order in each process.
enum StableHashing {
    private static let variable = "SWIFT_DETERMINISTIC_HASHING"

    /// Starts the program again with a fixed order, unless it already has one.
    static func require() {
        guard getenv(variable) == nil else { return }
        setenv(variable, "1", 1)
        execv("/proc/self/exe", CommandLine.unsafeArgv)
        fatalError("cannot start the program again: \(String(cString: strerror(errno)))")
    }
}
