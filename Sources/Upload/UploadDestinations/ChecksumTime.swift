/// The time that a server gets for the checksum of a file. It sends nothing until the checksum is known.
enum ChecksumTime {
    /// The limit for a small file.
    private static let shortest = Duration.seconds(120)
    /// The speed of a slow disk that other programs use, too, in bytes a second.
    private static let bytesPerSecondMin = 5e6

    /// The longest time for a file of so many bytes.
    static func limit(bytes: UInt64) -> Duration {
        shortest + .seconds(Double(bytes) / bytesPerSecondMin)
    }
}
