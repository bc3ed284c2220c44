import Foundation
import FrameFastModel

/// A pause of uploads after this computer has run out of file descriptors, processes or memory.
///
/// During a shortage, each upload fails immediately. Without the pause, the runner would try every queued job
/// every few seconds and write each failure to the ledger.
struct ShortagePause: Hashable, Sendable {
    /// The time of the next try, or `nil` if there is no shortage.
    private var until: Date?

    /// Whether an upload failed because of a shortage that has not ended since.
    var isOn: Bool { until != nil }

    /// Starts or extends the pause after an upload failed because of a shortage.
    mutating func start(at now: Date) { until = now.addingTimeInterval(UploadBackoff.sourceSeconds) }

    /// Ends the pause after the shortage.
    mutating func stop() { until = nil }

    /// Returns the number of uploads that may run at this time. After the pause, one upload runs as a trial.
    func allowance(of uploads: Int, at now: Date) -> Int {
        guard let until else { return uploads }
        return now < until ? 0 : min(uploads, 1)
    }

    /// Returns the end of the pause, or `nil` if no pause is running.
    func endDate(at now: Date) -> Date? { until.flatMap { $0 > now ? $0 : nil } }

    /// Moves the end of the pause by a clock step. The pause keeps its length.
    ///
    /// - Parameter seconds: The step in seconds, positive for forward.
    mutating func shiftTimes(by seconds: Double) { until = until?.addingTimeInterval(seconds) }
}
