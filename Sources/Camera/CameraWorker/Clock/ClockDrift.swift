/// The published difference between the camera's clock and the host's clock.
enum ClockDrift {
    /// Returns the difference to publish, without one-second jitter. Both clocks count whole seconds, and the
    /// worker reads the clocks one after the other. Even without drift, the measured difference can therefore
    /// vary by one second.
    ///
    /// - Parameters:
    ///   - seconds: The newly measured difference, in seconds.
    ///   - previous: The last published difference, in seconds, or `nil` if no difference was published.
    static func published(_ seconds: Int, previous: Int?) -> Int {
        guard let previous, (previous - 1...previous + 1).contains(seconds) else { return seconds }
        return previous
    }
}
