import FrameFastModel
import Synchronization

/// A classifier that decides whether a refusal concerns one photo or the destination. The classifier applies
/// ``RefusalRule``, and sends a probe if the reason is unclear or the photo is too large. Concurrent refusals
/// share one probe.
actor RefusalClassifier {
    private let destination: any UploadDestination
    private var pendingProbe: Task<RefusalRule.ProbeResult, Never>?
    private nonisolated let refusals = Atomic(0)
    /// The number of started attempts.
    private nonisolated let attempts = Atomic(0)
    /// The number of the latest attempt that delivered its photo.
    private nonisolated let latestDelivered = Atomic(0)
    /// For each refused photo, the number of attempts that had started at the time of its first refusal. A
    /// permanent failure removes the photo's entry. A delivery does not.
    private var refused: [JobID: Int] = [:]
    /// The largest number of stored refused photos.
    private static let refusedMax = 1000

    init(_ destination: any UploadDestination) { self.destination = destination }

    /// The number of refusals that concerned every photo.
    nonisolated var refusalCount: Int { refusals.load(ordering: .acquiring) }

    /// Counts a new attempt.
    ///
    /// - Returns: The attempt's number.
    nonisolated func beginAttempt() -> Int { attempts.add(1, ordering: .acquiringAndReleasing).newValue }

    /// Records that an attempt delivered its photo.
    nonisolated func recordDelivery(attempt: Int) { latestDelivered.max(attempt, ordering: .releasing) }

    /// Records the refusal of a photo, and returns the results of other photos.
    ///
    /// At the photo's first refusal, only refusals of other photos count. Such a refusal no longer counts if
    /// an attempt that started after it has delivered a photo. At a later refusal of the photo, only
    /// deliveries count, if their attempts started after the photo's first refusal. A delivery by an earlier
    /// attempt is no evidence that the destination still accepts photos.
    private func recordRefusal(of job: JobID) -> RefusalRule.OtherResults {
        let (now, delivered) = (
            attempts.load(ordering: .acquiring), latestDelivered.load(ordering: .acquiring)
        )
        if refused.count >= Self.refusedMax { refused = [:] }
        defer { refused[job] = refused[job] ?? now }
        guard let first = refused[job] else {
            return refused.contains { $0.key != job && $0.value >= delivered } ? .refused : .none
        }
        // This photo was refused before, so only deliveries of other photos count. Refusals of other photos
        // do not count, because two bad photos must not block all other photos.
        return first < delivered ? .delivered : .none
    }

    /// Returns the failure with its final kind.
    ///
    /// - Parameters:
    ///   - isRefusing: Whether the destination refuses all uploads. If `true`, an unclear reason counts for
    ///     all photos without a probe.
    ///   - count: The value of ``refusalCount`` at the start of the upload. If the destination refused all
    ///     uploads at any time since then, a successful probe is no evidence about this photo. The photo is
    ///     then sent again.
    func classify(
        _ failure: UploadFailure, _ item: UploadItem, isRefusing: Bool, refusalsBefore count: Int
    ) async -> UploadFailure {
        let classified = await classification(failure, item, isRefusing: isRefusing)
        switch classified.kind {
        case .refused: refusals.add(1, ordering: .releasing)
        case .permanent(let reason) where RefusalRule.scope(reason) == .unclear && refusalCount != count:
            return .stopped
        default: break
        }
        return classified
    }

    private func classification(_ failure: UploadFailure, _ item: UploadItem, isRefusing: Bool) async
        -> UploadFailure
    {
        guard case .permanent(let reason) = failure.kind else { return failure }
        let scope = RefusalRule.scope(reason)
        guard scope == .unclear || reason == .tooLarge else {
            return RefusalRule.classify(failure, .notProbed)
        }
        if isRefusing, scope == .unclear {
            return UploadFailure(
                .refused(reason), failure.sentence, nextStep: failure.nextStep, step: failure.step)
        }
        let result = await probeResult(like: item)
        let isFirst = refused[item.jobID] == nil
        let classified = RefusalRule.classify(
            failure, result, others: recordRefusal(of: item.jobID), isFirst: isFirst)
        if case .permanent = classified.kind { refused[item.jobID] = nil }
        return classified
    }

    /// Sends a probe with the photo's folder and extension, and returns the result.
    private func probeResult(like item: UploadItem) async -> RefusalRule.ProbeResult {
        if destination.refusesSinglePhotos { return .meantForPhoto }
        guard destination.acceptsProbes else { return .notProbed }
        let probe =
            pendingProbe
            ?? Task { [destination] in
                do throws(UploadFailure) {
                    try await destination.acceptsProbe(like: item)
                    return .accepted
                } catch { return .failed(error) }
            }
        pendingProbe = probe
        let result = await probe.value
        if pendingProbe == probe { pendingProbe = nil }
        return result
    }
}
