import UploadEngine

extension DestinationMemory {
    /// Whether an attempt can tell by size or bytes that an earlier one has brought the photo. Where it can't, photos get
    /// names of their own, and a later attempt makes such a name again.
    var recognisesPhotos: Bool { offers(.size) || offers(.readBack) }

    /// Whether a file under a name is removed or replaced without a look: an earlier attempt for the same photo made it, and
    /// the server tells nothing about it.
    func replacesUnseen(_ item: UploadItem, isOnlyOurs: Bool) -> Bool {
        isOnlyOurs && !item.isFirstTry && !recognisesPhotos
    }

    /// Uses a feature in a trial, and records whether the server offers it.
    ///
    /// Trouble that may pass is no answer: the feature is used once more after a moment, when a small file was stored. A
    /// server that stores the file and fails at the same step again refuses the step; some end the connection in place of an
    /// answer.
    ///
    /// - Parameters:
    ///   - pause: Time between the two uses, so that what is slow can end.
    ///   - store: Stores a small file, as it was before the first use. If it throws, the server has trouble of its own, and
    ///     nothing is recorded.
    ///   - use: Returns whether the server offers the feature, or `nil` if its answer doesn't tell.
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
