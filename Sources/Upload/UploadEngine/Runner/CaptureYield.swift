import Foundation
import Synchronization

/// The time of the most recent capture activity. Capture updates it, and the runners read it.
final class CaptureTraffic: Sendable {
    /// The time after a photo's last progress in which the next photo is expected, in seconds.
    static let lingerSeconds = 1.0

    private let last = Mutex(Date.distantPast)

    /// Records that a photo was announced or received more bytes.
    func recordProgress(at now: Date) { last.withLock { $0 = now } }

    /// Whether photos are arriving.
    func isActive(at now: Date) -> Bool {
        let passed = now.timeIntervalSince(last.withLock(\.self))
        return passed >= 0 && passed < Self.lingerSeconds
    }
}

/// The limit of concurrent uploads while photos arrive.
///
/// A lower thread priority alone does not protect captures, because a server or disk that both use takes what
/// it needs. While photos arrive and the processor is busy, the limit falls step by step to one upload with a
/// pause. If the processor is not busy, for example on a slow line, nothing changes.
struct CaptureYield: Hashable, Sendable {
    /// The share of its ready time that the uploads' thread waits for a busy processor. This thread yields to
    /// others.
    static let shortShare = 0.2
    /// The shortest time between two changes, in seconds. It is long enough for a few uploads.
    static let stepSeconds = 0.1
    /// The pause before the next single upload, in seconds. With it, uploads use less than a hundredth of a
    /// core during captures.
    static let restSeconds = 0.5

    /// The most concurrent uploads, or `nil` for the destination's own limit.
    private(set) var limit: Int?
    private var restsUntil = Date.distantPast
    private var changedAt = Date.distantPast

    /// Updates the limit from a measurement.
    ///
    /// - Parameters:
    ///   - waitedShare: The share of its ready time that the uploads' thread waited for the processor, 0...1,
    ///     or `nil` if unknown.
    ///   - workers: The destination's own limit of concurrent uploads.
    mutating func update(isCapturing: Bool, waitedShare: Double?, workers: Int, at now: Date) {
        guard isCapturing, let waitedShare else {
            self = CaptureYield()
            return
        }
        // A clock that was set back must not hold uploads.
        let passed = now.timeIntervalSince(changedAt)
        guard passed >= Self.stepSeconds || passed < 0 else { return }
        let isShort = waitedShare > Self.shortShare
        guard isShort || limit != nil else { return }
        changedAt = now
        if !isShort {
            limit = (limit ?? workers) + 1
            if limit ?? 0 > workers { limit = nil }
        } else if limit == 1 {
            restsUntil = now.addingTimeInterval(Self.restSeconds)
        } else {
            limit = max(1, (limit ?? workers) / 2)
        }
    }

    /// Returns the number of uploads that may run now.
    func allowance(of workers: Int, at now: Date) -> Int {
        guard let limit else { return workers }
        let left = restsUntil.timeIntervalSince(now)
        return left > 0 && left <= Self.restSeconds ? 0 : min(limit, workers)
    }

    /// The time of the next update, or `nil` if no upload is held back.
    func nextUpdate(at now: Date) -> Date? {
        limit.map { _ in now.addingTimeInterval(Self.restSeconds) }
    }
}
