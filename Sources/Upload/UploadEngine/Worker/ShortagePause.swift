import Foundation
import FrameFastModel

/// Keeps a queue from being tried again and again while this computer has too few files, processes or memory. A value.
///
/// An upload that cannot begin fails at once. Without a pause all of the queue would be tried and written down every few
/// seconds, on a computer that is short already.
struct ShortagePause: Hashable, Sendable {
    /// When the next upload tries; `nil` if nothing is short.
    private var until: Date?

    /// Whether an upload failed for want of something, and none has worked since then.
    var isOn: Bool { until != nil }

    /// An upload failed for want of something.
    mutating func begin(at now: Date) { until = now.addingTimeInterval(UploadBackoff.sourceSeconds) }

    /// Nothing is short any more.
    mutating func end() { until = nil }

    /// How many of so many uploads may run now. After the pause one tries.
    func allowance(of uploads: Int, at now: Date) -> Int {
        guard let until else { return uploads }
        return now < until ? 0 : min(uploads, 1)
    }

    /// When the pause ends; `nil` if there is none, or it has ended.
    func nextLook(at now: Date) -> Date? { until.flatMap { $0 > now ? $0 : nil } }

    /// Somebody set the clock: the pause stays as long as it was.
    ///
    /// - Parameter seconds: How far it was set forward.
    mutating func clockWasSet(by seconds: Double) { until = until?.addingTimeInterval(seconds) }
}
