/// The time limit for a server that computes a file's checksum. Such a server sends nothing until the
/// checksum is ready.
enum ChecksumTime {
    /// The time limit for an empty file.
    private static let shortest = Duration.seconds(120)
    /// The read speed to expect from a slow disk that other programs also use, in bytes a second.
    private static let bytesPerSecondMin = 5e6

    /// Returns the longest time that the checksum of a file of `bytes` bytes may take.
    static func limit(bytes: UInt64) -> Duration {
        shortest + .seconds(Double(bytes) / bytesPerSecondMin)
    }
}
