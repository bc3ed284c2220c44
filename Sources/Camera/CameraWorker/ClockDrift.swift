/// The published difference between a camera's clock and the host's.
enum ClockDrift {
    /// Returns the difference to publish, without one-second jitter. Both clocks count whole seconds and are
    /// read one after the other. Their difference varies by one second between readings, even if neither
    /// clock has drifted.
    ///
    /// - Parameters:
    ///   - seconds: The difference that was read now, in seconds.
    ///   - previous: The difference that was published last, in seconds, or `nil` if none was published yet.
    static func published(_ seconds: Int, previous: Int?) -> Int {
        guard let previous, (previous - 1...previous + 1).contains(seconds) else { return seconds }
        return previous
    }
}
