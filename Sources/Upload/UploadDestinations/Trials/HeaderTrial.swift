import UploadEngine

/// A trial that tests which headers a server refuses. The trial stores a small file with all headers, and
/// then with fewer headers.
struct HeaderTrial {
    let memory: DestinationMemory
    /// The features that headers implement, in the order in which the trial removes the headers.
    let headers: [DestinationFeature]

    /// Stores a small file, and removes headers until the server accepts the file. Records the refused
    /// headers.
    ///
    /// - Parameters:
    ///   - names: The names for the file, in the order in which they are tried.
    ///   - store: Stores the file without the headers of these features.
    /// - Returns: The name of the stored file, or `nil` if the server refuses all names.
    func run(
        _ names: [String],
        _ store:
            @Sendable (_ name: String, _ without: Set<DestinationFeature>) async throws(UploadFailure) -> Void
    ) async throws(UploadFailure) -> String? {
        let known = headers.filter { !memory.offers($0) }
        var first: UploadFailure?
        for name in names {
            for count in known.count...headers.count {
                let without = Set(known).union(headers.prefix(count))
                do throws(UploadFailure) {
                    try await store(name, without)
                    // The first failure may have been temporary. The headers count as refused only if they
                    // fail again.
                    if first?.isOutage == true, try await accepts(name, Set(known), store) {
                        for feature in headers {
                            await memory.learn(feature, isOffered: !known.contains(feature))
                        }
                        return name
                    }
                    for feature in headers {
                        await memory.learn(
                            feature, isOffered: !without.contains(feature), reason: first?.sentence)
                    }
                    return name
                } catch {
                    guard error.mayConcernOneRequest else { throw error }
                    first = first ?? error
                }
            }
        }
        // The server also fails without the headers, so the headers are not the cause.
        if let first, first.isOutage { throw first }
        return nil
    }

    private func accepts(
        _ name: String, _ without: Set<DestinationFeature>,
        _ store:
            @Sendable (_ name: String, _ without: Set<DestinationFeature>) async throws(UploadFailure) -> Void
    ) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { try await store(name, without) } catch {
            guard error.mayConcernOneRequest else { throw error }
            return false
        }
        return true
    }
}
