import FrameFastSystem
import Synchronization

/// The bandwidth limit of a destination, shared by all its uploads.
public final class UploadPace: Sendable {
    private let bucket: Mutex<TokenBucket>
    private let start = HostClock.system.uptime()

    /// - Parameter bytesPerSecond: The limit in bytes per second, at least 1.
    public init(bytesPerSecond: UInt64) { bucket = Mutex(TokenBucket(bytesPerSecond: bytesPerSecond)) }

    /// Reserves bandwidth for bytes that the caller is about to send.
    ///
    /// - Returns: The time to wait before or after sending these bytes; zero for no wait.
    public func reserve(_ bytes: Int) -> Duration {
        let seconds = HostClock.system.uptime() - start
        return .seconds(bucket.withLock { $0.reserve(bytes, at: seconds) })
    }

    /// Reserves bandwidth for the bytes, and waits until they may be sent.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func waitForBandwidth(_ bytes: Int) async throws {
        try await UploadActivity.current.sleep(for: reserve(bytes))
    }
}

/// A token bucket with a constant fill rate. A chunk may be larger than the bucket. The caller then waits
/// until the bucket has refilled the missing tokens. Except for one burst, the average rate never exceeds the
/// limit.
struct TokenBucket: Hashable, Sendable {
    /// The time in which an empty bucket fills, in seconds.
    static let burstSeconds = 0.25

    let bytesPerSecond: Double
    private var tokens: Double
    private var lastSeconds = 0.0

    init(bytesPerSecond: UInt64) {
        self.bytesPerSecond = max(Double(bytesPerSecond), 1)
        tokens = self.bytesPerSecond * Self.burstSeconds
    }

    /// - Returns: The time to wait, in seconds.
    mutating func reserve(_ bytes: Int, at seconds: Double) -> Double {
        tokens = min(
            tokens + max(seconds - lastSeconds, 0) * bytesPerSecond, bytesPerSecond * Self.burstSeconds)
        lastSeconds = max(seconds, lastSeconds)
        tokens -= Double(bytes)
        return tokens < 0 ? -tokens / bytesPerSecond : 0
    }
}
