import Foundation
import FrameFastModel

/// A record of consecutive transient failures at one destination. The record counts all failures since the
/// last delivery. The record also counts the failures of each photo, even if other photos are delivered.
struct RepeatedFailure: Hashable, Sendable {
    /// The smallest number of consecutive failures that raises a condition. Fewer failures may be dropped
    /// connections.
    static let countMin = 4
    /// The largest number of stored photos.
    private static let photosMax = 1000

    /// A series of consecutive failures.
    private struct Series: Hashable, Sendable {
        /// The time of the first failure.
        let since: Date
        private(set) var last: UploadFailure
        /// The number of failures in the report, or 0 if the series is not reported. To limit the number of
        /// events, this number changes only if the count has doubled or the failure's sentence has changed.
        private(set) var shown = 0

        var isReported: Bool { shown > 0 }

        init(_ first: UploadFailure, at now: Date) {
            since = now
            last = first
        }

        /// - Parameter count: The number of failures, including `failure`.
        mutating func record(_ failure: UploadFailure, count: Int) {
            let isOther = last.sentence != failure.sentence
            last = failure
            if count >= RepeatedFailure.countMin, isOther || count >= shown * 2 { shown = count }
        }
    }

    /// A photo and its series of failures.
    private struct FailingPhoto: Hashable, Sendable {
        let name: String
        var series: Series
    }

    /// The number of failures of all photos since the last delivery.
    private var count = 0
    private var all: Series?
    /// The jobs that failed since the last delivery.
    private var failing: Set<JobID> = []
    /// The photos that failed and have not been delivered since.
    private var photos: [JobID: FailingPhoto] = [:]
    /// The last reported condition, or `nil` if it was cleared.
    private var lastReported: Condition?

    /// Whether failures of the whole destination are reported.
    var isReported: Bool { all?.isReported == true }

    /// The jobs in the report, or an empty set if no condition is reported.
    var reportedJobs: Set<JobID> { lastReported == nil ? [] : failing.union(photos.keys) }

    /// Records a failure.
    ///
    /// - Parameter job: The job before this failure.
    mutating func record(_ failure: UploadFailure, of job: UploadJob, at now: Date) {
        count += 1
        var series = all ?? Series(failure, at: now)
        series.record(failure, count: count)
        all = series
        if photos.count >= Self.photosMax { photos = photos.filter { $0.value.series.isReported } }
        if failing.count < Self.photosMax { failing.insert(job.id) }
        // A person's retry resets the photo's count.
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

    /// Removes a job that is no longer retried automatically, or that a person retries.
    mutating func remove(_ job: JobID) {
        photos[job] = nil
        if failing.remove(job) != nil, failing.isEmpty { (count, all) = (0, nil) }
    }

    /// Removes all failures.
    mutating func removeAll() {
        (count, all, failing, photos) = (0, nil, [], [:])
    }

    /// Returns the event for a change since the last call, or `nil` if nothing changed.
    mutating func event(of name: DestinationName) -> UploadEvent? {
        let next = condition(of: name)
        guard next != lastReported else { return nil }
        lastReported = next
        return next.map { UploadEvent.raised($0) }
            ?? .cleared(.uploadsRepeating, subject: .destination(name))
    }

    /// Returns the current condition, or `nil` if there are too few failures.
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
