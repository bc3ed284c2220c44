import Foundation
import FrameFastModel

/// Transient failures that repeat at one destination: of all its uploads since the last delivery, and of single photos while
/// others are delivered.
struct RepeatedFailure: Hashable, Sendable {
    /// The failures in a row that are reported: one or two may be a broken line.
    static let countMin = 4
    /// The most photos that are remembered.
    private static let photosMax = 1000

    /// Failures in a row.
    private struct Series: Hashable, Sendable {
        /// When the first of them happened.
        let since: Date
        private(set) var last: UploadFailure
        /// The number of failures that is shown, or 0 if they are not reported. It changes when it has doubled, to keep the
        /// events few.
        private(set) var shown = 0

        var isReported: Bool { shown > 0 }

        init(_ first: UploadFailure, at now: Date) {
            since = now
            last = first
        }

        /// - Parameter count: The number of failures with this one.
        mutating func record(_ failure: UploadFailure, count: Int) {
            let isOther = last.sentence != failure.sentence
            last = failure
            if count >= RepeatedFailure.countMin, isOther || count >= shown * 2 { shown = count }
        }
    }

    /// A photo with its failures.
    private struct FailingPhoto: Hashable, Sendable {
        let name: String
        var series: Series
    }

    /// Failures without a delivery in between, whichever the photo was.
    private var count = 0
    private var all: Series?
    /// The uploads that failed since the last delivery.
    private var failing: Set<JobID> = []
    /// The photos that failed and were not delivered since.
    private var photos: [JobID: FailingPhoto] = [:]
    /// The condition that was reported last, or `nil` if it was cleared.
    private var told: Condition?

    /// Whether failures of the destination as a whole are reported to people.
    var isReported: Bool { all?.isReported == true }

    /// The uploads that a report is about; empty if there is no report.
    var reportedJobs: Set<JobID> { told == nil ? [] : failing.union(photos.keys) }

    /// Records a failure.
    ///
    /// - Parameter job: The job as it was before the failure.
    mutating func failed(_ failure: UploadFailure, of job: UploadJob, at now: Date) {
        count += 1
        var series = all ?? Series(failure, at: now)
        series.record(failure, count: count)
        all = series
        if photos.count >= Self.photosMax { photos = photos.filter { $0.value.series.isReported } }
        if failing.count < Self.photosMax { failing.insert(job.id) }
        // A person who retries it begins a new count.
        let known = job.attempts == 0 ? nil : photos[job.id]
        guard photos.count < Self.photosMax || photos[job.id] != nil else { return }
        var photo =
            known
            ?? FailingPhoto(
                name: job.remoteName.split(separator: "/").last.map(String.init) ?? job.remoteName,
                series: Series(failure, at: now))
        photo.series.record(failure, count: job.attempts + 1)
        photos[job.id] = photo
    }

    /// Records a delivery.
    mutating func delivered(_ job: JobID) {
        (count, all, failing) = (0, nil, [])
        photos[job] = nil
    }

    /// Records that an upload is not tried any more, or that a person retries it.
    mutating func ended(_ job: JobID) {
        photos[job] = nil
        if failing.remove(job) != nil, failing.isEmpty { (count, all) = (0, nil) }
    }

    /// Forgets all failures.
    mutating func forget() {
        (count, all, failing, photos) = (0, nil, [], [:])
    }

    /// The event that tells people of a change since the last event; `nil` for no change.
    mutating func event(of name: DestinationName) -> UploadEvent? {
        let next = condition(of: name)
        guard next != told else { return nil }
        told = next
        return next.map { UploadEvent.raised($0) }
            ?? .cleared(.uploadsRepeating, subject: .destination(name))
    }

    /// The condition of a destination.
    func condition(of name: DestinationName) -> Condition? {
        let reported = photos.filter { $0.value.series.isReported }
        if let all, all.isReported, failing.count > 1 || reported.isEmpty {
            return Self.condition(
                name, all, "Uploads to \(name) failed \(all.shown) times in a row",
                all.last.failedAttempt.nextStep ?? "Check the server's log.")
        }
        guard let photo = reported.min(by: { $0.key < $1.key })?.value else { return nil }
        let failed =
            reported.count == 1
            ? "The upload of \(photo.name) to \(name) failed \(photo.series.shown) times in a row"
            : "The uploads of \(photo.name) and other photos to \(name) failed at least \(Self.countMin) times in a row"
        return Self.condition(
            name, photo.series, failed,
            photo.series.last.nextStep
                ?? "It is retried automatically. If other photos are delivered, look at this file and at the server's log."
        )
    }

    private static func condition(
        _ name: DestinationName, _ series: Series, _ failed: String, _ nextStep: String
    ) -> Condition {
        Condition(
            .uploadsRepeating, since: series.since, subject: .destination(name),
            sentence: "\(failed): \(series.last.sentence)", nextStep: nextStep)
    }
}
