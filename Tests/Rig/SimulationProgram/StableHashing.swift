import Glibc

/// The order of dictionaries and sets, which Swift otherwise changes in each process.
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
