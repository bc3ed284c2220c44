/// The time limit for a checksum that a server computes from a file. The server sends no data until the
/// checksum is ready.
enum ChecksumTime {
    /// The time limit for an empty file.
    private static let shortest = Duration.seconds(120)
    /// The expected read speed of a slow disk that other programs also use, in bytes per second.
    private static let bytesPerSecondMin = 5e6

    /// Returns the time limit for the checksum of a file of `bytes` bytes.
    static func limit(bytes: UInt64) -> Duration {
        shortest + .seconds(Double(bytes) / bytesPerSecondMin)
    }
}
