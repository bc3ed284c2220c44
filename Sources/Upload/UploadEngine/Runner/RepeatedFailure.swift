import Foundation
import FrameFastModel

/// A record of transient failures that repeat at one destination. It counts all failures since the last
/// delivery, and the failures of single photos while others are delivered.
struct RepeatedFailure: Hashable, Sendable {
    /// The number of consecutive failures that is reported. One or two may be a dropped connection.
    static let countMin = 4
    /// The most photos that are stored.
    private static let photosMax = 1000

    /// A series of consecutive failures.
    private struct Series: Hashable, Sendable {
        /// The time of the first failure.
        let since: Date
        private(set) var last: UploadFailure
        /// The reported number of failures, or 0 if the series is not reported. It changes only after it has
        /// doubled, to limit the number of events.
        private(set) var shown = 0

        var isReported: Bool { shown > 0 }

        init(_ first: UploadFailure, at now: Date) {
            since = now
            last = first
        }

        /// - Parameter count: The number of failures, including this one.
        mutating func record(_ failure: UploadFailure, count: Int) {
            let isOther = last.sentence != failure.sentence
            last = failure
            if count >= RepeatedFailure.countMin, isOther || count >= shown * 2 { shown = count }
        }
    }

    /// A photo and its failures.
    private struct FailingPhoto: Hashable, Sendable {
        let name: String
        var series: Series
    }

    /// The number of failures since the last delivery, of all photos.
    private var count = 0
    private var all: Series?
    /// The uploads that failed since the last delivery.
    private var failing: Set<JobID> = []
    /// The photos that failed and were not delivered since.
    private var photos: [JobID: FailingPhoto] = [:]
    /// The last reported condition, or `nil` if it was cleared.
    private var lastReported: Condition?

    /// Whether failures of the whole destination are reported.
    var isReported: Bool { all?.isReported == true }

    /// The uploads that the report is about. Empty if there is no report.
    var reportedJobs: Set<JobID> { lastReported == nil ? [] : failing.union(photos.keys) }

    /// Records a failure.
    ///
    /// - Parameter job: The job before the failure.
    mutating func record(_ failure: UploadFailure, of job: UploadJob, at now: Date) {
        count += 1
        var series = all ?? Series(failure, at: now)
        series.record(failure, count: count)
        all = series
        if photos.count >= Self.photosMax { photos = photos.filter { $0.value.series.isReported } }
        if failing.count < Self.photosMax { failing.insert(job.id) }
        // A retry by a person starts a new count.
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
    mutating func recordDelivery(of job: JobID) {
        (count, all, failing) = (0, nil, [])
        photos[job] = nil
    }

    /// Removes an upload that is not retried any more, or that a person retries.
    mutating func remove(_ job: JobID) {
        photos[job] = nil
        if failing.remove(job) != nil, failing.isEmpty { (count, all) = (0, nil) }
    }

    /// Removes all failures.
    mutating func removeAll() {
        (count, all, failing, photos) = (0, nil, [], [:])
    }

    /// Returns the event for a change since the last event, or `nil` if nothing changed.
    mutating func event(of name: DestinationName) -> UploadEvent? {
        let next = condition(of: name)
        guard next != lastReported else { return nil }
        lastReported = next
        return next.map { UploadEvent.raised($0) }
            ?? .cleared(.uploadsRepeating, subject: .destination(name))
    }

    /// Returns the current condition of a destination, or `nil` without one.
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
                ?? "FrameFast retries automatically. If other photos are delivered, check this file and the server's log."
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
