/// Keeps all uploads of a destination together below a number of bytes a second.
actor BytePace {
    private let bytesPerSecond: Int
    private var free = ContinuousClock.now

    init(bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }

    /// Waits until `bytes` may go.
    func spend(_ bytes: Int) async throws {
        let start = max(free, .now)
        free = start + .seconds(Double(bytes) / Double(bytesPerSecond))
        try await Task.sleep(until: start, clock: .continuous)
    }
}
