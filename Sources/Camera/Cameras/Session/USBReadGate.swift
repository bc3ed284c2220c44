import FrameFastModel
import Synchronization
import USBTopology
import WorkerProtocol

/// Lets only so many cameras read on the USB at a time as the kernel has memory for: the one more would fail.
///
/// More than some on one bus share its wire and gain nothing. The shutter and everything else that is short never waits here.
public final class USBReadGate: Sendable {
    private struct State {
        var turns = USBReadTurns()
        var nextTicket: UInt64 = 1
        var waiting: [UInt64: CheckedContinuation<Bool, Never>] = [:]
        var onEachBus: Int
    }

    private let state: Mutex<State>
    /// Cameras that the kernel has memory for, now: somebody may change its limit.
    private let inAll: @Sendable () -> Int

    /// - Parameter onEachBus: How many may read on one bus at a time, 1 or more.
    public convenience init(onEachBus: Int) {
        self.init(onEachBus: onEachBus) { USBMemory.readers(limitBytes: USBMemory.limitBytes) }
    }

    init(onEachBus: Int, inAll: @escaping @Sendable () -> Int) {
        state = Mutex(State(onEachBus: onEachBus))
        self.inAll = inAll
    }

    /// How many may read on one bus at a time from now on.
    public func set(onEachBus: Int) {
        changing { $0.onEachBus = onEachBus }
    }

    /// Reads when it is this camera's turn.
    func read<Result: Sendable>(
        _ reader: USBReadTurns.Reader, _ body: () async throws(WorkerFailure) -> Result
    ) async throws(WorkerFailure) -> Result {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        let isIn = await withCheckedContinuation { continuation in
            changing { state in
                state.waiting[ticket] = continuation
                state.turns.wait(ticket, reader)
            }
        }
        guard isIn else { throw WorkerLink.gone("the camera is gone") }
        defer { changing { $0.turns.end(ticket) } }
        return try await body()
    }

    /// A camera is gone: it waits for nothing any more.
    func abandon(_ camera: CameraID) {
        let gone = state.withLock { state in
            state.turns.abandon(camera).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in gone { continuation.resume(returning: false) }
    }

    /// Changes who waits, and lets in whom there is room for then.
    private func changing(_ change: (inout State) -> Void) {
        let inAll = inAll()
        let admitted = state.withLock { state in
            change(&state)
            return state.turns.admit(.init(inAll: inAll, onEachBus: state.onEachBus))
                .compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in admitted { continuation.resume(returning: true) }
    }
}
