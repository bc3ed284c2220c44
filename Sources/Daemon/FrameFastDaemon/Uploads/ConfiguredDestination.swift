import FrameFastConfiguration
import Logging
import Synchronization
import UploadDestinations
import UploadEngine

/// A destination as the configuration has it, with the passwords and keys that its files hold now.
///
/// One whose secrets cannot be read keeps nothing else from going on: its photos wait, and it is set up as soon as it
/// can be. When a person may have corrected a secret, the place is made anew; what runs at the old one ends there.
final class ConfiguredDestination: UploadDestination {
    private typealias Place = any UploadDestination

    private struct State {
        var place: Place?
        var users = 0
        /// Places of before, with the number of uploads that still run at each.
        var former: [(place: Place, users: Int, number: Int)] = []
        var number = 0
    }

    private let make: @Sendable () throws -> any UploadDestination
    private let state = Mutex(State())
    let takesProbes: Bool
    let refusesSinglePhotos: Bool

    /// - Parameters:
    ///   - takesProbes: See ``UploadDestination/takesProbes``; asked before the place can be made.
    ///   - refusesSinglePhotos: See ``UploadDestination/refusesSinglePhotos``.
    init(
        takesProbes: Bool, refusesSinglePhotos: Bool = false,
        _ make: @escaping @Sendable () throws -> any UploadDestination
    ) {
        self.make = make
        self.takesProbes = takesProbes
        self.refusesSinglePhotos = refusesSinglePhotos
    }

    func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        try await use { place throws(UploadFailure) in try await place.upload(item, progress: progress) }
    }

    func probe() async throws(UploadFailure) {
        try await use { place throws(UploadFailure) in try await place.probe() }
    }

    func test() async throws(UploadFailure) {
        try await use { place throws(UploadFailure) in try await place.test() }
    }

    func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await use { place throws(UploadFailure) in try await place.remove(probe, named: name) }
    }

    func discard(_ item: UploadItem) async throws(UploadFailure) {
        try await use { place throws(UploadFailure) in try await place.discard(item) }
    }

    func adopt() async throws(UploadFailure) {
        try await use { place throws(UploadFailure) in try await place.adopt() }
    }

    func relearn() async { await state.withLock(\.place)?.relearn() }

    func replacesTakenNames() async -> Bool? {
        await state.withLock(\.place)?.replacesTakenNames()
    }

    func renew() async {
        let idle = state.withLock { state -> Place? in
            guard let place = state.place.take() else { return nil }
            defer { state.number += 1 }
            guard state.users > 0 else { return place }
            state.former.append((place, state.users, state.number))
            state.users = 0
            return nil
        }
        await idle?.close()
    }

    func close() async {
        let all = state.withLock { state in
            defer { state.former = [] }
            return [state.place].compactMap(\.self) + state.former.map(\.place)
        }
        for place in all { await place.close() }
    }

    // MARK: The place

    private func use<Value: Sendable>(
        _ body: (any UploadDestination) async throws(UploadFailure) -> Value
    ) async throws(UploadFailure) -> Value {
        let (place, number) = try enter()
        do throws(UploadFailure) {
            let value = try await body(place)
            await leave(number)
            return value
        } catch {
            await leave(number)
            throw error
        }
    }

    private func enter() throws(UploadFailure) -> (any UploadDestination, number: Int) {
        let known = state.withLock { state -> (any UploadDestination, Int)? in
            guard let place = state.place else { return nil }
            state.users += 1
            return (place, state.number)
        }
        if let known { return known }
        let new: any UploadDestination
        do { new = try make() } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "Its secret cannot be read: \(error).",
                nextStep: "Fix it: uploads resume automatically.")
        }
        return state.withLock { state in
            let place = state.place ?? new
            state.place = place
            state.users += 1
            return (place, state.number)
        }
    }

    /// The last one out of a place of before closes it.
    private func leave(_ number: Int) async {
        let over = state.withLock { state -> (any UploadDestination)? in
            guard number != state.number else {
                state.users -= 1
                return nil
            }
            guard let index = state.former.firstIndex(where: { $0.number == number }) else { return nil }
            state.former[index].users -= 1
            return state.former[index].users == 0 ? state.former.remove(at: index).place : nil
        }
        await over?.close()
    }
}

extension Configuration.Destination {
    /// The place, made when it is needed, and anew when its secrets may have changed.
    func placeOnDemand(
        stateDirectory: String, workers: Int, memory: DestinationMemory, logger: Logger
    ) -> any UploadDestination {
        ConfiguredDestination(takesProbes: takesProbes, refusesSinglePhotos: self.kind == .command) {
            try place(stateDirectory: stateDirectory, workers: workers, memory: memory, logger: logger)
        }
    }
}
