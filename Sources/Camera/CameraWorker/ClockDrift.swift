/// How far a camera's clock is ahead, as it is told.
enum ClockDrift {
    /// Two clocks of whole seconds that are read one after the other differ by one second more or less from reading to
    /// reading, without having moved: that is no news.
    ///
    /// - Parameters:
    ///   - seconds: What was read now.
    ///   - before: What was told last; `nil` when nothing was.
    static func told(_ seconds: Int, before: Int?) -> Int {
        guard let before, (before - 1...before + 1).contains(seconds) else { return seconds }
        return before
    }
}
