extension Task where Success == Never, Failure == Never {
    /// The longest piece of a ``sleepInPieces(for:)``. Whoever is woken ten times a second leaves some 0.4 MB.
    private static var longestPiece: Duration { .seconds(60) }

    /// Sleeps like `sleep(for:)`, for what is woken often and long before its time, which is by being cancelled.
    ///
    /// A cancelled sleep returns at once, but its task and its timer stay in memory (some 0.6 KB, Swift 6.3 on Linux:
    /// `dispatch_after(3)` cannot be taken back) until the time would have been up. In pieces that is a minute away, not an
    /// hour.
    ///
    /// - Throws: `CancellationError`.
    public static func sleepInPieces(for duration: Duration) async throws {
        try await sleep(for: duration, piece: longestPiece)
    }

    static func sleep(for duration: Duration, piece: Duration) async throws {
        let end = ContinuousClock.now + duration
        repeat {
            let left = ContinuousClock.now.duration(to: end)
            try await sleep(for: min(max(left, .zero), piece))
        } while ContinuousClock.now < end
    }
}
