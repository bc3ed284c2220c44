import Foundation
import FrameFastModel

/// The leftovers of one destination, and the times at which their removal is tried.
///
/// A removal that fails is tried again after a pause, which each failure doubles up to five minutes. A removal that the
/// destination refuses stays in the queue: it is tried again after an hour, and when a person resumes the destination.
struct LeftoverQueue: Hashable, Sendable {
    /// The most leftovers that are remembered of a destination; a person who drops more has emptied the place by hand.
    static let countMax = 5000
    /// The shortest and the longest time between two tries to remove something, in seconds.
    static let pauseSeconds = 30.0...300
    /// The time between two tries of a removal that the destination refused, in seconds.
    static let refusedPauseSeconds = 3_600.0

    /// The leftovers, oldest first.
    private(set) var all: [UploadLeftover] = []
    /// The jobs whose leftovers the destination refused to remove.
    private var refused: Set<JobID> = []
    /// The leftovers whose removal failed. One that gets another resume point is not among them.
    private var failed: Set<UploadLeftover> = []
    /// The time of the next try, or `nil` if nothing waits or a round runs.
    private var due: Date?
    /// The time of the next try of refused removals.
    private var refusedDue: Date?
    /// The time at which the last round began.
    private var lastRound = Date.distantPast
    /// The pause after the last round, in seconds.
    private var pause = LeftoverQueue.firstPause
    /// The first failure doubles it to the shortest pause.
    private static let firstPause = pauseSeconds.lowerBound / 2
    /// The number of leftovers at the beginning of the round.
    private var countBefore = 0

    /// The leftovers of an earlier run of the service.
    mutating func restore(_ kept: [UploadLeftover], at now: Date) {
        all = kept
        retry(at: now)
    }

    /// Adds a leftover in place of an older one of the same job and version, and makes it due.
    mutating func add(_ leftover: UploadLeftover, at now: Date) {
        let others = all.filter { $0.job != leftover.job || $0.sha256 != leftover.sha256 }
        all = others.suffix(Self.countMax - 1) + [leftover]
        refused.formIntersection(all.map(\.job))
        refused.remove(leftover.job)
        (due, pause) = (now, Self.firstPause)
    }

    /// Records a later resume point of a leftover, and makes it due.
    ///
    /// - Parameter sha256: The hash of the version that the attempt sent.
    /// - Returns: Whether the job has a leftover of this version.
    mutating func update(_ resumePoint: String, of job: JobID, sha256: String, at now: Date) -> Bool {
        guard let index = all.firstIndex(where: { $0.job == job && $0.sha256 == sha256 })
        else { return false }
        all[index].resumePoint = resumePoint
        refused.remove(job)
        due = now
        return true
    }

    /// Makes what these jobs left due, also what was refused before, now that their attempts have ended.
    ///
    /// - Returns: Whether one of them left something.
    mutating func attemptsEnded(_ jobs: [JobID], at now: Date) -> Bool {
        guard all.contains(where: { jobs.contains($0.job) }) else { return false }
        refused.subtract(jobs)
        due = now
        return true
    }

    /// Makes every leftover due: a person may have corrected the reason of a refusal.
    mutating func retry(at now: Date) {
        guard !all.isEmpty else { return }
        // A round that runs at this moment may refuse them again: the next one tries them all the same.
        (refused, failed) = ([], [])
        (due, refusedDue) = (now, now)
    }

    /// Makes failed removals due, because the destination answers again. There are at least 30 seconds between two rounds.
    mutating func destinationWorks(at now: Date) {
        guard let due, hasUnrefused else { return }
        let earliest = lastRound.addingTimeInterval(Self.pauseSeconds.lowerBound)
        // After the clock was set back, the last round is in the future.
        self.due = min(due, lastRound > now ? now : max(now, earliest))
    }

    /// Somebody set the clock: the pauses stay as long as they were.
    ///
    /// - Parameter seconds: How far it was set forward.
    mutating func clockWasSet(by seconds: Double) {
        due?.addTimeInterval(seconds)
        refusedDue?.addTimeInterval(seconds)
        lastRound.addTimeInterval(seconds)
    }

    /// The time of the next try, or `nil` if nothing waits.
    ///
    /// - Parameter now: A time that is too far away was made by a clock that was set back since then: it is due now.
    func nextTry(at now: Date) -> Date? {
        [(due, Self.pauseSeconds.upperBound), (refusedDue, Self.refusedPauseSeconds)]
            .compactMap { date, longest in
                date.map { $0.timeIntervalSince(now) > longest ? now : $0 }
            }
            .min()
    }

    /// The time until the next try, in seconds.
    ///
    /// - Parameters:
    ///   - canTry: Whether a round could begin now.
    ///   - longest: The longest time, in seconds; it is waited if no round can begin.
    func wait(at now: Date, canTry: Bool, longest: Double) -> Double {
        guard canTry, let next = nextTry(at: now) else { return longest }
        return min(max(next.timeIntervalSince(now), 0), longest)
    }

    /// Begins a round.
    ///
    /// - Returns: The leftovers that are tried.
    mutating func beginRound(at now: Date) -> [UploadLeftover] {
        let triesRefused =
            refusedDue.map { $0 <= now || $0.timeIntervalSince(now) > Self.refusedPauseSeconds } ?? false
        if triesRefused { refusedDue = nil }
        (due, lastRound, countBefore) = (nil, now, all.count)
        return all.filter { triesRefused || !refused.contains($0.job) }
    }

    /// Forgets a leftover that is removed. One that got another resume point since then has more to remove.
    mutating func removed(_ leftover: UploadLeftover) {
        all.removeAll { $0 == leftover }
        if !all.contains(where: { $0.job == leftover.job }) { refused.remove(leftover.job) }
    }

    /// Keeps a leftover whose removal failed for now.
    ///
    /// - Returns: Whether this is the first failure with this resume point, or the first since a person resumed the destination.
    mutating func removalFailed(_ leftover: UploadLeftover) -> Bool { failed.insert(leftover).inserted }

    /// Keeps a leftover that the destination refuses to remove.
    ///
    /// - Returns: Whether the destination did not refuse it before.
    mutating func refuse(_ leftover: UploadLeftover) -> Bool {
        // One that got another resume point since then has something that was not tried.
        guard all.contains(leftover) else { return true }
        return refused.insert(leftover.job).inserted
    }

    /// Keeps all leftovers, because the destination refuses every request.
    mutating func refuseAll() { refused = Set(all.map(\.job)) }

    private var hasUnrefused: Bool { all.contains { !refused.contains($0.job) } }

    /// Ends a round and plans the next one.
    ///
    /// - Parameter hasTried: Whether a removal was tried. None is while its upload runs.
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
