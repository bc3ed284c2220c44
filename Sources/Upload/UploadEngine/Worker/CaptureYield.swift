import Foundation
import Synchronization

/// Whether photos come in now: told by capture, asked by the upload workers.
final class CaptureTraffic: Sendable {
    /// How long after a photo was heard of the next one is expected, in seconds.
    static let lingerSeconds = 1.0

    private let last = Mutex(Date.distantPast)

    /// A photo was announced, or is further.
    func photoMoved(at now: Date) { last.withLock { $0 = now } }

    /// Whether photos come in.
    func isUnderWay(at now: Date) -> Bool {
        let passed = now.timeIntervalSince(last.withLock(\.self))
        return passed >= 0 && passed < Self.lingerSeconds
    }
}

/// How many uploads of a destination may run while photos come in. A value.
///
/// A lower priority alone does not keep uploads from captures: a server or a disk that works for both takes what it needs.
/// So as long as photos come in and the processor is short, fewer and fewer uploads run, down to one after a rest; where
/// it is not short, as on any line that is slower than this computer, nothing changes.
struct CaptureYield: Hashable, Sendable {
    /// The processor is short when the uploads' thread, which yields, waits for it for more than this share of the time
    /// in which it has something to do.
    static let shortShare = 0.2
    /// Shortest time between two changes, in seconds: a few uploads each.
    static let stepSeconds = 0.1
    /// Rest before the next single upload, in seconds: what goes on beside captures costs less than a hundredth of a core.
    static let restSeconds = 0.5

    /// Most uploads; `nil` for as many as the destination allows.
    private(set) var most: Int?
    private var restsUntil = Date.distantPast
    private var changedAt = Date.distantPast

    /// Looks how things stand.
    ///
    /// - Parameters:
    ///   - waitedShare: How much of its time the uploads' thread waited for the processor, 0...1; `nil` when not known.
    ///   - workers: Most uploads of the destination.
    mutating func look(isCapturing: Bool, waitedShare: Double?, workers: Int, at now: Date) {
        guard isCapturing, let waitedShare else {
            self = CaptureYield()
            return
        }
        // A clock that was set back must not hold uploads.
        let passed = now.timeIntervalSince(changedAt)
        guard passed >= Self.stepSeconds || passed < 0 else { return }
        let isShort = waitedShare > Self.shortShare
        guard isShort || most != nil else { return }
        changedAt = now
        if !isShort {
            most = (most ?? workers) + 1
            if most ?? 0 > workers { most = nil }
        } else if most == 1 {
            restsUntil = now.addingTimeInterval(Self.restSeconds)
        } else {
            most = max(1, (most ?? workers) / 2)
        }
    }

    /// How many may run at a time now.
    func allowance(of workers: Int, at now: Date) -> Int {
        guard let most else { return workers }
        let left = restsUntil.timeIntervalSince(now)
        return left > 0 && left <= Self.restSeconds ? 0 : min(most, workers)
    }

    /// When to look again; `nil` when nothing is kept back.
    func nextLook(at now: Date) -> Date? {
        most.map { _ in now.addingTimeInterval(Self.restSeconds) }
    }
}
