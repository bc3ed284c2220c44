import Foundation
import FrameFastModel

/// Transient failures of one destination since its last delivery.
struct RepeatedFailure: Hashable, Sendable {
    /// The failures in a row that are reported: one or two may be a broken line.
    static let countMin = 4
    /// A change of the count is reported when it has doubled, to keep the events few.
    private var reported = 0

    /// Failures without a delivery in between.
    private(set) var count = 0
    /// When the first of them happened.
    private(set) var since: Date?
    /// The last one.
    private(set) var last: UploadFailure?

    /// Whether it is reported to people.
    var isReported: Bool { count >= Self.countMin }

    /// Records a failure.
    ///
    /// - Returns: Whether the report is due, or has to change.
    mutating func failed(_ failure: UploadFailure, at now: Date) -> Bool {
        count += 1
        since = since ?? now
        let isOther = last?.sentence != failure.sentence
        last = failure
        guard isReported, isOther || count >= reported * 2 else { return false }
        reported = count
        return true
    }

    /// Records a delivery.
    ///
    /// - Returns: Whether the report is over.
    mutating func delivered() -> Bool {
        defer { self = RepeatedFailure() }
        return isReported
    }

    /// The condition of a destination.
    func condition(of name: DestinationName) -> Condition? {
        guard isReported, let since, let last else { return nil }
        return Condition(
            .uploadsRepeating, since: since, subject: .destination(name),
            sentence: "Uploads to \(name) failed \(count) times in a row: \(last.sentence)",
            nextStep: last.failedAttempt.nextStep ?? "Check the server's log.")
    }
}
