import Foundation
import FrameFastModel

/// The leftovers of one destination, and the times of the next tries to delete them.
///
/// A failed deletion is retried after a pause. Each failure doubles the pause, up to five minutes. A refused
/// deletion is retried after an hour, and when a person resumes the destination.
struct LeftoverQueue: Hashable, Sendable {
    /// The largest number of stored leftovers. A person who drops more jobs has probably deleted the files at
    /// the destination by hand.
    static let countMax = 5000
    /// The shortest and the longest pause between two tries, in seconds.
    static let pauseSeconds = 30.0...300
    /// The pause between two tries of a refused deletion, in seconds.
    static let refusedPauseSeconds = 3_600.0

    /// The leftovers, oldest first.
    private(set) var all: [UploadLeftover] = []
    /// The jobs whose leftovers the destination refused to delete.
    private var refused: Set<JobID> = []
    /// The leftovers whose deletion failed. A new resume point removes a leftover from this set.
    private var failed: Set<UploadLeftover> = []
    /// The time of the next try, or `nil` if the queue is empty or a round is running.
    private var due: Date?
    /// The time of the next try of refused deletions.
    private var refusedDue: Date?
    /// The start of the last round.
    private var lastRound = Date.distantPast
    /// The pause after the last round, in seconds.
    private var pause = LeftoverQueue.firstPause
    /// The initial pause: half of the shortest pause, because the first failure doubles the pause.
    private static let firstPause = pauseSeconds.lowerBound / 2
    /// The number of leftovers at the start of the current round.
    private var countBefore = 0

    /// Restores the leftovers of an earlier run of the service.
    mutating func restore(_ kept: [UploadLeftover], at now: Date) {
        all = kept
        retryAll(at: now)
    }

    /// Adds a leftover that is due now. Replaces an older leftover of the same job and file version.
    mutating func add(_ leftover: UploadLeftover, at now: Date) {
        let others = all.filter { $0.job != leftover.job || $0.sha256 != leftover.sha256 }
        all = others.suffix(Self.countMax - 1) + [leftover]
        refused.formIntersection(all.map(\.job))
        refused.remove(leftover.job)
        (due, pause) = (now, Self.firstPause)
    }

    /// Updates the resume point of a leftover, and makes the leftover due.
    ///
    /// - Parameter sha256: The hash of the file version that the attempt sent.
    /// - Returns: Whether the job has a leftover of this version.
    mutating func update(_ resumePoint: String, of job: JobID, sha256: String, at now: Date) -> Bool {
        guard let index = all.firstIndex(where: { $0.job == job && $0.sha256 == sha256 })
        else { return false }
        all[index].resumePoint = resumePoint
        refused.remove(job)
        due = now
        return true
    }

    /// Makes the leftovers of these jobs due, including leftovers whose deletion was refused. Called when
    /// attempts of the jobs have ended.
    ///
    /// - Returns: Whether one of the jobs has a leftover.
    mutating func recordEndedAttempts(_ jobs: [JobID], at now: Date) -> Bool {
        guard all.contains(where: { jobs.contains($0.job) }) else { return false }
        refused.subtract(jobs)
        due = now
        return true
    }

    /// Makes all leftovers due. A person may have fixed the cause of a refusal.
    mutating func retryAll(at now: Date) {
        guard !all.isEmpty else { return }
        // A running round may record its refusals again, but the next round tries all leftovers.
        (refused, failed) = ([], [])
        (due, refusedDue) = (now, now)
    }

    /// Makes failed deletions due after the destination became reachable, but not within 30 seconds after the
    /// start of the last round.
    mutating func recordReachableDestination(at now: Date) {
        guard let due, hasUnrefused else { return }
        let earliest = lastRound.addingTimeInterval(Self.pauseSeconds.lowerBound)
        // If the clock was set back, the time of the last round is in the future.
        self.due = min(due, lastRound > now ? now : max(now, earliest))
    }

    /// Moves all times by a clock step. The pauses keep their lengths.
    ///
    /// - Parameter seconds: The step in seconds, positive for forward.
    mutating func shiftTimes(by seconds: Double) {
        due?.addTimeInterval(seconds)
        refusedDue?.addTimeInterval(seconds)
        lastRound.addTimeInterval(seconds)
    }

    /// Returns the time of the next try, or `nil` if no try is scheduled.
    ///
    /// - Parameter now: The current date. If the clock was set back, a stored time may be too far in the
    ///   future. The function then returns the current date.
    func nextTry(at now: Date) -> Date? {
        [(due, Self.pauseSeconds.upperBound), (refusedDue, Self.refusedPauseSeconds)]
            .compactMap { date, longest in
                date.map { $0.timeIntervalSince(now) > longest ? now : $0 }
            }
            .min()
    }

    /// Returns the time until the next try, in seconds.
    ///
    /// - Parameters:
    ///   - canTry: Whether a round can start now.
    ///   - longest: The longest time to wait, in seconds. The function returns this time if no round can
    ///     start.
    func wait(at now: Date, canTry: Bool, longest: Double) -> Double {
        guard canTry, let next = nextTry(at: now) else { return longest }
        return min(max(next.timeIntervalSince(now), 0), longest)
    }

    /// Starts a round.
    ///
    /// - Returns: The leftovers to try.
    mutating func beginRound(at now: Date) -> [UploadLeftover] {
        let triesRefused =
            refusedDue.map { $0 <= now || $0.timeIntervalSince(now) > Self.refusedPauseSeconds } ?? false
        if triesRefused { refusedDue = nil }
        (due, lastRound, countBefore) = (nil, now, all.count)
        return all.filter { triesRefused || !refused.contains($0.job) }
    }

    /// Removes a deleted leftover from the queue. A leftover with a newer resume point stays, because the
    /// server may have more of its files.
    mutating func remove(_ leftover: UploadLeftover) {
        all.removeAll { $0 == leftover }
        if !all.contains(where: { $0.job == leftover.job }) { refused.remove(leftover.job) }
    }

    /// Records a failed deletion.
    ///
    /// - Returns: Whether this is the first failure with this resume point, or the first since a person
    ///   resumed the destination.
    mutating func recordFailure(_ leftover: UploadLeftover) -> Bool { failed.insert(leftover).inserted }

    /// Records a refused deletion.
    ///
    /// - Returns: Whether this is the first refusal for the job, or the leftover has a newer resume point.
    mutating func recordRefusal(_ leftover: UploadLeftover) -> Bool {
        // The leftover has a newer resume point, so its current files were not tried.
        guard all.contains(leftover) else { return true }
        return refused.insert(leftover.job).inserted
    }

    /// Records that the destination refuses every request.
    mutating func recordRefusalOfAll() { refused = Set(all.map(\.job)) }

    private var hasUnrefused: Bool { all.contains { !refused.contains($0.job) } }

    /// Ends a round and schedules the next round.
    ///
    /// - Parameter hasTried: Whether a deletion was tried. Leftovers of running uploads are not tried.
    mutating func endRound(at now: Date, hasTried: Bool = true) {
        failed.formIntersection(all)
        let range = Self.pauseSeconds
        if all.count < countBefore {
            pause = range.lowerBound
        } else if hasTried {
            pause = min(pause * 2, range.upperBound)
        }
        if due == nil, hasUnrefused {
            due = now.addingTimeInterval(max(pause, range.lowerBound))
        }
        if refusedDue == nil, !refused.isEmpty {
            refusedDue = now.addingTimeInterval(Self.refusedPauseSeconds)
        }
    }
}
