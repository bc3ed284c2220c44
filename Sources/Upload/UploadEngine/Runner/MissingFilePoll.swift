import Foundation
import FrameFastModel

/// A schedule for checking whether missing files exist again. Each poll covers one page of jobs. The schedule
/// is a value without access to the ledger or the disk.
struct MissingFilePoll: Hashable, Sendable {
    /// The time between two polls, in seconds. The time is short, because a person who restored a file
    /// expects its upload soon.
    static let pauseSeconds = 60.0
    /// The largest number of files that one poll checks.
    static let pageMax = 500

    /// The time of the next poll. `nil` while a poll is running, and if no file is missing.
    private(set) var due: Date?
    private var after: JobID = 0

    /// Schedules the first poll for now, because files may be missing since the last run of the service.
    init(at now: Date) { due = now }

    /// Records that a job failed because of a missing file. Schedules another poll, because the page of a
    /// running poll might not contain this job.
    mutating func recordMissingFile(at now: Date) { schedulePoll(at: now) }

    /// Starts a poll if it is due. ``recordPage(_:at:)`` or ``recordFailure(at:)`` ends the poll.
    ///
    /// - Returns: The job after which the page starts, or `nil` if no poll is due.
    mutating func beginPoll(at now: Date) -> JobID? {
        guard let due, due <= now else { return nil }
        self.due = nil
        return after
    }

    /// Ends a poll.
    ///
    /// - Parameter page: The checked jobs in order, whether or not their files exist.
    mutating func recordPage(_ page: [JobID], at now: Date) {
        // An empty first page means that no file is missing, so no further poll is needed.
        if !page.isEmpty || after > 0 { schedulePoll(at: now) }
        after = page.count == Self.pageMax ? page.last ?? 0 : 0
    }

    /// Ends a poll after the ledger could not list the missing files.
    mutating func recordFailure(at now: Date) { schedulePoll(at: now) }

    /// Moves the next poll by a clock step. The pause keeps its length.
    ///
    /// - Parameter seconds: The step in seconds, positive for forward.
    mutating func shiftTimes(by seconds: Double) { due?.addTimeInterval(seconds) }

    private mutating func schedulePoll(at now: Date) {
        due = min(due ?? .distantFuture, now.addingTimeInterval(Self.pauseSeconds))
    }
}
