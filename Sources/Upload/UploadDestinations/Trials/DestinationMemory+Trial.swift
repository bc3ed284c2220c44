import UploadEngine

extension DestinationMemory {
    /// Whether an attempt can recognize by size or bytes that an earlier attempt stored the photo. Otherwise
    /// photos get unique names, and a later attempt uses the same name again.
    var recognisesPhotos: Bool { offers(.size) || offers(.readBack) }

    /// Whether a file is deleted or replaced without a check. This applies if an earlier attempt for the same
    /// photo created it, and the server reports nothing about it.
    func replacesUnseen(_ item: UploadItem, isOnlyOurs: Bool) -> Bool {
        isOnlyOurs && !item.isFirstTry && !recognisesPhotos
    }

    /// Tests a feature in a trial, and records whether the server offers it.
    ///
    /// A temporary failure proves nothing. In that case this waits, stores the small file again, and tests
    /// once more. A server that stores the file but fails again at the same step does not offer the feature.
    /// Some servers close the connection instead of refusing.
    ///
    /// - Parameters:
    ///   - pause: The time between the two tests, in which a slow operation can complete.
    ///   - store: Stores the small file in its state before the first test. If it throws, the server has a
    ///     problem, and nothing is recorded.
    ///   - use: Uses the feature. Returns whether the server offers it, or `nil` if the response does not
    ///     show that.
    /// - Returns: Whether the server offers the feature.
    @discardableResult
    func tryOut(
        _ feature: DestinationFeature,
        isolation: isolated (any Actor)? = #isolation,
        pause: Duration = .seconds(1),
        storing store: () async throws(UploadFailure) -> Void,
        _ use: () async throws(UploadFailure) -> Bool?
    ) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { return await record(feature, try await use(), nil) } catch {
            guard error.isOfOneFeature else { throw error }
            guard error.isOutage else { return await record(feature, false, error.sentence) }
        }
        do { try await Task.sleep(for: pause) } catch { throw UploadFailure.stopped }
        try await store()
        do throws(UploadFailure) { return await record(feature, try await use(), nil) } catch {
            guard error.isOfOneFeature else { throw error }
            return await record(feature, false, error.sentence)
        }
    }

    private func record(_ feature: DestinationFeature, _ isOffered: Bool?, _ reason: String?) async -> Bool {
        if let isOffered { await learn(feature, isOffered: isOffered, reason: reason) }
        return isOffered ?? false
    }
}
