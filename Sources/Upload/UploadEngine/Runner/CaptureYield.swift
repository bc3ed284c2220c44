import Foundation
import Synchronization

/// The time of the latest capture activity. The daemon updates the time, and the runners read it.
final class CaptureTraffic: Sendable {
    /// The time for which capture counts as active after a photo's progress, in seconds.
    static let lingerSeconds = 1.0

    private let last = Mutex(Date.distantPast)

    /// Records that a photo was announced or received more bytes.
    func recordProgress(at now: Date) { last.withLock { $0 = now } }

    /// Returns whether a photo made progress in the last ``lingerSeconds``.
    func isActive(at now: Date) -> Bool {
        let passed = now.timeIntervalSince(last.withLock(\.self))
        return passed >= 0 && passed < Self.lingerSeconds
    }
}

/// The limit of concurrent uploads during captures.
///
/// A lower thread priority alone does not protect captures, because uploads and captures can share a server
/// or a disk. If the processor is busy during captures, the limit falls step by step to one upload at a time,
/// with pauses between uploads. If the processor is not busy, for example with a slow network, a lowered
/// limit rises by one in each step.
struct CaptureYield: Hashable, Sendable {
    /// The waiting share above which the processor counts as busy. The waiting share is the part of the
    /// upload thread's ready time (running or waiting) in which the thread waits for the processor.
    static let busyShare = 0.2
    /// The shortest time between two changes of the limit, in seconds. A few uploads can finish in this time.
    static let stepSeconds = 0.1
    /// The pause between single uploads, in seconds. With this pause, uploads use less than 1 % of a core
    /// during captures.
    static let restSeconds = 0.5

    /// The limit of concurrent uploads, or `nil` for the destination's own limit.
    private(set) var limit: Int?
    private var restsUntil = Date.distantPast
    private var changedAt = Date.distantPast

    /// Updates the limit from a measurement.
    ///
    /// - Parameters:
    ///   - waitedShare: The share of the upload thread's ready time that the thread waited for the processor,
    ///     0...1, or `nil` if unknown.
    ///   - workers: The destination's own limit of concurrent uploads.
    mutating func update(isCapturing: Bool, waitedShare: Double?, workers: Int, at now: Date) {
        guard isCapturing, let waitedShare else {
            self = CaptureYield()
            return
        }
        // If the clock was set back, the interval is negative. A negative interval must not block uploads.
        let passed = now.timeIntervalSince(changedAt)
        guard passed >= Self.stepSeconds || passed < 0 else { return }
        let isBusy = waitedShare > Self.busyShare
        guard isBusy || limit != nil else { return }
        changedAt = now
        if !isBusy {
            limit = (limit ?? workers) + 1
            if limit ?? 0 > workers { limit = nil }
        } else if limit == 1 {
            restsUntil = now.addingTimeInterval(Self.restSeconds)
        } else {
            limit = max(1, (limit ?? workers) / 2)
        }
    }

    /// Returns the number of uploads that may run at this time.
    func allowance(of workers: Int, at now: Date) -> Int {
        guard let limit else { return workers }
        let remaining = restsUntil.timeIntervalSince(now)
        return remaining > 0 && remaining <= Self.restSeconds ? 0 : min(limit, workers)
    }

    /// Returns the time of the next update, or `nil` if the limit delays no upload.
    func nextUpdate(at now: Date) -> Date? {
        limit.map { _ in now.addingTimeInterval(Self.restSeconds) }
    }
}
