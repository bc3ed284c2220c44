import Synchronization
import WorkerProtocol

/// Lets only some cameras on the USB be opened at a time: a rig that is switched on comes in waves, each ready sooner than all
/// together would be.
final class ArrivalWaves: Sendable {
    /// Cameras that are opened at a time.
    static let together = 8
    /// How long a camera that does not answer keeps the next one waiting.
    static let patience = Duration.seconds(3)

    private struct State {
        var isOpening = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private let together: Int
    private let patience: Duration

    init(together: Int = together, patience: Duration = patience) {
        self.together = together
        self.patience = patience
    }

    /// Opens a camera when it is its turn.
    func open<Result>(
        _ body: () async throws(WorkerFailure) -> Result
    ) async throws(WorkerFailure) -> Result {
        await begin()
        let place = Place(waves: self)
        let clock = Task { [patience] in
            try await Task.sleep(for: patience)
            place.end()
        }
        defer {
            clock.cancel()
            place.end()
        }
        return try await body()
    }

    private func begin() async {
        await withCheckedContinuation { continuation in
            let isIn = state.withLock { state in
                guard state.isOpening >= together else {
                    state.isOpening += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isIn { continuation.resume() }
        }
    }

    private func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isOpening -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    /// A place in the wave, given up once.
    private final class Place: Sendable {
        private let waves: Mutex<ArrivalWaves?>

        init(waves: ArrivalWaves) { self.waves = Mutex(waves) }

        func end() {
            waves.withLock { waves in
                defer { waves = nil }
                return waves
            }?.end()
        }
    }
}
