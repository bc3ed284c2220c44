import Synchronization

/// A destination's share of the line, for all its uploads together.
public final class UploadPace: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let start = ContinuousClock.now

    /// - Parameter bytesPerSecond: At least one.
    public init(bytesPerSecond: UInt64) { bucket = Mutex(TokenBucket(bytesPerSecond: bytesPerSecond)) }

    /// Takes room for bytes that are about to be sent.
    ///
    /// - Returns: how long to wait before anything more is sent; zero when there is no need to.
    public func take(_ bytes: Int) -> Duration {
        let now = start.duration(to: .now)
        let seconds = Double(now.components.seconds) + Double(now.components.attoseconds) / 1e18
        return .seconds(bucket.withLock { $0.take(bytes, at: seconds) })
    }

    /// Waits until bytes may be sent.
    public func spend(_ bytes: Int) async throws {
        try await UploadActivity.current.sleep(for: take(bytes))
    }
}

/// Bytes that may be sent, filled at a steady rate. Taking more than is there makes a debt, which is waited for: large
/// pieces get through, and the mean is kept.
struct TokenBucket: Hashable, Sendable {
    /// How many seconds' worth can be saved up.
    static let burstSeconds = 0.25

    let bytesPerSecond: Double
    private var tokens: Double
    private var lastSeconds = 0.0

    init(bytesPerSecond: UInt64) {
        self.bytesPerSecond = max(Double(bytesPerSecond), 1)
        tokens = self.bytesPerSecond * Self.burstSeconds
    }

    /// - Returns: seconds to wait.
    mutating func take(_ bytes: Int, at seconds: Double) -> Double {
        tokens = min(
            tokens + max(seconds - lastSeconds, 0) * bytesPerSecond, bytesPerSecond * Self.burstSeconds)
        lastSeconds = max(seconds, lastSeconds)
        tokens -= Double(bytes)
        return tokens < 0 ? -tokens / bytesPerSecond : 0
    }
}
