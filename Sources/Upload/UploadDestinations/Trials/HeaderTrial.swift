import UploadEngine

/// Finds the headers that a server refuses, by storing a small file with all of them and then with fewer.
struct HeaderTrial {
    let memory: DestinationMemory
    /// Features that a header stands for, in the order in which they are left out.
    let headers: [DestinationFeature]

    /// Stores a small file until the server takes it, and records what had to be left out.
    ///
    /// - Parameters:
    ///   - names: Names for the file; the first one that the server takes is used.
    ///   - store: Stores the file without the headers of these features.
    /// - Returns: The name that the file has, or `nil` if the server refuses all of them.
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
                    // Trouble may have passed: the headers are refused only if they fail once more.
                    if first?.isOutage == true, try await takes(name, Set(known), store) {
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
                    guard error.isOfOneFeature else { throw error }
                    first = first ?? error
                }
            }
        }
        // Whatever is left out, the server has trouble of its own.
        if let first, first.isOutage { throw first }
        return nil
    }

    private func takes(
        _ name: String, _ without: Set<DestinationFeature>,
        _ store:
            @Sendable (_ name: String, _ without: Set<DestinationFeature>) async throws(UploadFailure) -> Void
    ) async throws(UploadFailure) -> Bool {
        do throws(UploadFailure) { try await store(name, without) } catch {
            guard error.isOfOneFeature else { throw error }
            return false
        }
        return true
    }
}
