import FrameFastSystem
import UploadEngine

extension DestinationMemory {
    /// Whether an attempt can verify, by size or bytes, that an earlier attempt stored the photo. If `false`,
    /// photos have unique names, and all attempts of an upload use the same name.
    var recognisesPhotos: Bool { offers(.size) || offers(.readBack) }

    /// Returns whether an upload may delete or replace a file without a check. Returns `true` only if an
    /// earlier attempt of the same upload created the file, and the server reports neither size nor bytes.
    func replacesUnseen(_ item: UploadItem, isOnlyOurs: Bool) -> Bool {
        isOnlyOurs && !item.isFirstTry && !recognisesPhotos
    }

    /// The pause before the repetition of a test, in seconds. A slow operation on the server can complete in
    /// this time.
    private static let trialPause = 1.0

    /// Tests a feature in a trial, and records whether the server offers it.
    ///
    /// A single temporary failure is inconclusive. The function then waits, stores the trial's small test
    /// file again, and repeats the test. If the server stores the file but fails the test again, the server
    /// does not offer the feature. For example, some servers close the connection instead of refusing a
    /// request.
    ///
    /// - Parameters:
    ///   - clock: The clock for the pause before the test is repeated.
    ///   - store: Restores the test file to its state before the first test. If this function throws, the
    ///     server has a problem, and no observation is recorded.
    ///   - use: Uses the feature. Returns whether the server offers the feature, or `nil` if this is unknown.
    /// - Returns: Whether uploads use the feature.
    @discardableResult
    func runTrial(
        _ feature: DestinationFeature,
        isolation: isolated (any Actor)? = #isolation,
        clock: HostClock,
        storing store: () async throws(UploadFailure) -> Void,
        _ use: () async throws(UploadFailure) -> Bool?
    ) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { return await record(feature, try await use(), nil) } catch {
            guard error.mayConcernOneRequest else { throw error }
            guard error.isOutage else { return await record(feature, false, error.sentence) }
        }
        do { try await clock.sleep(Self.trialPause) } catch { throw UploadFailure.stopped }
        try await store()
        do throws(UploadFailure) { return await record(feature, try await use(), nil) } catch {
            guard error.mayConcernOneRequest else { throw error }
            return await record(feature, false, error.sentence)
        }
    }

    private func record(_ feature: DestinationFeature, _ isOffered: Bool?, _ reason: String?) async -> Bool {
        if let isOffered { await learn(feature, isOffered: isOffered, reason: reason) }
        return isOffered ?? false
    }
}
