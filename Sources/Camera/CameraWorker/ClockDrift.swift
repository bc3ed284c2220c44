/// The published difference between the camera's clock and the host's clock.
enum ClockDrift {
    /// Returns the difference to publish, without one-second jitter. Both clocks count whole seconds, and the
    /// worker reads one after the other. The result can vary by one second even if neither clock has drifted.
    ///
    /// - Parameters:
    ///   - seconds: The newly measured difference, in seconds.
    ///   - previous: The last published difference, in seconds, or `nil` if no difference was published.
    static func published(_ seconds: Int, previous: Int?) -> Int {
        guard let previous, (previous - 1...previous + 1).contains(seconds) else { return seconds }
        return previous
    }
}
