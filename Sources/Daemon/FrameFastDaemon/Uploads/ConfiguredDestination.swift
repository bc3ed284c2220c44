import FrameFastConfiguration
import Logging
import Synchronization
import UploadDestinations
import UploadEngine

/// A destination from the configuration that is created at its first use.
///
/// The creation reads the destination's passwords and keys from their files. If a secret can't be read, the
/// photos of this destination wait, and each upload retries the creation.
///
/// A person may change a secret later. After ``renewCredentials()``, the next upload therefore creates the
/// destination again. Running uploads finish with the old destination.
final class ConfiguredDestination: UploadDestination {
    private struct State {
        var current: (any UploadDestination)?
        /// The number of running calls of the current destination.
        var users = 0
        /// The replaced destinations, each with the number of its running calls.
        var retired: [(destination: any UploadDestination, users: Int, number: Int)] = []
        /// The number of the current destination. The number grows by one with each replacement.
        var number = 0
    }

    private let make: @Sendable () throws -> any UploadDestination
    private let state = Mutex(State())
    let acceptsProbes: Bool
    let refusesSinglePhotos: Bool

    /// - Parameters:
    ///   - acceptsProbes: See ``UploadDestination/acceptsProbes``. The value is needed before the destination
    ///     is created.
    ///   - refusesSinglePhotos: See ``UploadDestination/refusesSinglePhotos``.
    ///   - make: Creates the destination, or throws if its secrets can't be read.
    init(
        acceptsProbes: Bool, refusesSinglePhotos: Bool = false,
        _ make: @escaping @Sendable () throws -> any UploadDestination
    ) {
        self.make = make
        self.acceptsProbes = acceptsProbes
        self.refusesSinglePhotos = refusesSinglePhotos
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try await withDestination { destination throws(UploadFailure) in
            try await destination.upload(item, progress: progress)
        }
    }

    func probe() async throws(UploadFailure) {
        try await withDestination { destination throws(UploadFailure) in try await destination.probe() }
    }

    func test() async throws(UploadFailure) {
        try await withDestination { destination throws(UploadFailure) in try await destination.test() }
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await withDestination { destination throws(UploadFailure) in
            try await destination.remove(probe, named: name)
        }
    }

    func discardLeftovers(of item: UploadItem) async throws(UploadFailure) {
        try await withDestination { destination throws(UploadFailure) in
            try await destination.discardLeftovers(of: item)
        }
    }

    func adoptPlace() async throws(UploadFailure) {
        try await withDestination { destination throws(UploadFailure) in try await destination.adoptPlace() }
    }

    func relearnFeatures() async { await state.withLock(\.current)?.relearnFeatures() }

    func replacesTakenNames() async -> Bool? {
        await state.withLock(\.current)?.replacesTakenNames()
    }

    func renewCredentials() async {
        let idle = state.withLock { state -> (any UploadDestination)? in
            guard let destination = state.current.take() else { return nil }
            defer { state.number += 1 }
            guard state.users > 0 else { return destination }
            state.retired.append((destination, state.users, state.number))
            state.users = 0
            return nil
        }
        await idle?.close()
    }

    func close() async {
        let all = state.withLock { state in
            defer { state.retired = [] }
            return [state.current].compactMap(\.self) + state.retired.map(\.destination)
        }
        for destination in all { await destination.close() }
    }

    // MARK: The current destination

    private func withDestination<Value: Sendable>(
        _ body: (any UploadDestination) async throws(UploadFailure) -> Value
    ) async throws(UploadFailure) -> Value {
        let (destination, number) = try acquireDestination()
        do throws(UploadFailure) {
            let value = try await body(destination)
            await releaseDestination(number)
            return value
        } catch {
            await releaseDestination(number)
            throw error
        }
    }

    private func acquireDestination() throws(UploadFailure) -> (any UploadDestination, number: Int) {
        let known = state.withLock { state -> (any UploadDestination, Int)? in
            guard let destination = state.current else { return nil }
            state.users += 1
            return (destination, state.number)
        }
        if let known { return known }
        let new: any UploadDestination
        do { new = try make() } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "The destination's secret cannot be read: \(error).",
                nextStep: "Correct the secret. Uploads then resume automatically.")
        }
        return state.withLock { state in
            let destination = state.current ?? new
            state.current = destination
            state.users += 1
            return (destination, state.number)
        }
    }

    /// Ends a call. Closes a replaced destination after its last call.
    private func releaseDestination(_ number: Int) async {
        let unused = state.withLock { state -> (any UploadDestination)? in
            guard number != state.number else {
                state.users -= 1
                return nil
            }
            guard let index = state.retired.firstIndex(where: { $0.number == number }) else { return nil }
            state.retired[index].users -= 1
            return state.retired[index].users == 0 ? state.retired.remove(at: index).destination : nil
        }
        await unused?.close()
    }
}

extension Configuration.Destination {
    /// Creates a destination that reads its secrets at its first use, and again after each
    /// ``ConfiguredDestination/renewCredentials()``.
    func makeConfiguredDestination(
        stateDirectory: String, workers: Int, memory: DestinationMemory, logger: Logger
    ) -> any UploadDestination {
        ConfiguredDestination(acceptsProbes: acceptsProbes, refusesSinglePhotos: self.kind == .command) {
            try makeDestination(
                stateDirectory: stateDirectory, workers: workers, memory: memory, logger: logger)
        }
    }
}
