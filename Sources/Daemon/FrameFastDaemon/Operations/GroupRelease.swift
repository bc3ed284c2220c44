import Cameras
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Synchronization
import WorkerProtocol

/// Releases the shutters of several cameras at the same time. Each camera's worker gets the time in advance
/// and waits for it.
final class GroupRelease: Sendable {
    /// A camera that takes part.
    struct Member: Sendable {
        var id: CameraID
        var name: String
        var session: CameraSession
    }

    struct Result: Sendable {
        /// The cameras whose shutters were released.
        var fired: [(name: String, tick: IntervalTick)] = []
        /// The other cameras, with the reason.
        var missing: [MissingCamera] = []
    }

    /// No shutter was released, because too few cameras were ready.
    struct TooFewReady: Error {
        var ready: Int
        var missing: [MissingCamera]
    }

    private enum Event: Sendable {
        /// A worker waits for the time.
        case armed(CameraID)
        /// A camera can't take part.
        case refused(CameraID, reason: String)
        /// An armed camera reported its result.
        case reported(CameraID, CameraOperationProgress)
        /// The last time at which the release can be called off.
        case decision
        /// The limit of the wait for reports.
        case timeout
    }

    /// The time before the release at which it is called off if too few cameras are ready, in milliseconds:
    /// armed workers must get the cancellation in time.
    private static let decisionMs = 100
    /// The longest wait for reports after the release, in milliseconds. Autofocus can take seconds.
    private static let reportTimeoutMs = 8_000

    private static let noReport = "It did not report its release."
    private static let takesPart = "It is taking part in another group shot."

    /// The streams of releases that wait for a camera.
    private let waiting = Mutex<[CameraID: AsyncStream<Event>.Continuation]>([:])

    /// Handles the progress that a camera reports.
    func handle(_ status: CameraStatus) {
        // The end of a release follows its result, and may arrive during the next release: only results
        // count.
        guard let progress = status.operation, progress.kind == .release,
            progress.tick != nil || [.failed, .stopped].contains(progress.state)
        else { return }
        _ = waiting.withLock { $0[status.id]?.yield(.reported(status.id, progress)) }
    }

    /// Releases the shutters of some cameras at a given time, and waits for their reports.
    ///
    /// - Parameters:
    ///   - members: The cameras, each once.
    ///   - atNs: The time, in nanoseconds of CLOCK_BOOTTIME.
    ///   - require: The smallest number of cameras that must be ready.
    func release(_ members: [Member], atNs: UInt64, require: Int) async throws(TooFewReady) -> Result {
        let (events, continuation) = AsyncStream<Event>.makeStream()
        // A camera takes part in one release at a time.
        let free = waiting.withLock { waiting in
            let free = members.filter { waiting[$0.id] == nil }
            for member in free { waiting[member.id] = continuation }
            return free
        }
        defer { waiting.withLock { waiting in for member in free { waiting[member.id] = nil } } }
        for id in Set(members.map(\.id)).subtracting(free.map(\.id)) {
            continuation.yield(.refused(id, reason: Self.takesPart))
        }
        let cancellation = Cancellation()
        arm(free, atNs: atNs, cancellation, continuation)
        let clock = Task {
            let now = BootTime.nowNs
            let inMs = Int((atNs - min(now, atNs)) / 1_000_000)
            try await Task.sleep(for: .milliseconds(max(0, inMs - Self.decisionMs)))
            continuation.yield(.decision)
            try await Task.sleep(for: .milliseconds(Self.decisionMs + Self.reportTimeoutMs))
            continuation.yield(.timeout)
        }
        defer { clock.cancel() }

        var round = Round(members)
        for await event in events {
            round.apply(event)
            if round.isDecisive(event), round.ready < require {
                cancellation.cancel()
                // At the same time: one camera that answers slowly must not keep the others armed.
                await withTaskGroup(of: Void.self) { group in
                    for member in members where round.isReady(member.id) {
                        group.addTask { try? await member.session.endOperation() }
                    }
                }
                throw round.tooFewReady
            }
            if round.isOver { break }
        }
        return round.result
    }

    /// Sends the time to each camera. A camera that answers after the cancellation is stopped again.
    private func arm(
        _ members: [Member], atNs: UInt64, _ cancellation: Cancellation,
        _ continuation: AsyncStream<Event>.Continuation
    ) {
        for member in members {
            Task {
                do throws(WorkerFailure) {
                    try await member.session.startOperation(.release(ReleaseOrder(atNs: atNs)))
                } catch {
                    let reason = ControlError(error, "release its shutter").message
                    continuation.yield(.refused(member.id, reason: reason))
                    return
                }
                continuation.yield(.armed(member.id))
                if cancellation.isCancelled { try? await member.session.endOperation() }
            }
        }
    }

    /// The state of one release.
    private struct Round {
        private(set) var result = Result()
        private(set) var isOver = false
        /// The cameras without a result, with their names.
        private var open: [CameraID: String]
        private var armed: Set<CameraID> = []
        /// The number of cameras that answered the order.
        private var answers = 0
        private var isDecided = false
        private let count: Int

        init(_ members: [Member]) {
            open = Dictionary(members.map { ($0.id, $0.name) }) { first, _ in first }
            count = members.count
        }

        /// The number of cameras that wait for the time.
        var ready: Int { open.keys.count(where: armed.contains) }

        func isReady(_ id: CameraID) -> Bool { open[id] != nil && armed.contains(id) }

        /// Whether the event decides if enough cameras are ready: the time for it has come, or all cameras
        /// have answered.
        func isDecisive(_ event: Event) -> Bool {
            switch event {
            case .decision: true
            case .armed, .refused: !isDecided && answers == count
            case .reported, .timeout: false
            }
        }

        mutating func apply(_ event: Event) {
            switch event {
            case .armed(let id):
                answers += 1
                armed.insert(id)
            case .refused(let id, let reason):
                answers += 1
                if let name = open.removeValue(forKey: id) {
                    result.missing.append(.init(name: name, reason: reason))
                }
            case .reported(let id, let progress):
                // A report before the camera is armed belongs to an earlier release.
                guard armed.contains(id), let name = open.removeValue(forKey: id) else { break }
                if let tick = progress.tick, tick.outcome == .shot {
                    result.fired.append((name, tick))
                } else {
                    let reason = progress.tick?.reason ?? progress.reason
                    result.missing.append(.init(name: name, reason: reason ?? GroupRelease.noReport))
                }
            case .decision: isDecided = true
            case .timeout:
                result.missing += open.values.sorted().map { .init(name: $0, reason: GroupRelease.noReport) }
                isOver = true
            }
            // A shot proves that the release was not called off.
            isOver = isOver || (open.isEmpty && (isDecided || !result.fired.isEmpty))
        }

        var tooFewReady: TooFewReady {
            let silent = open.filter { !armed.contains($0.key) }.values.sorted()
            return TooFewReady(
                ready: ready,
                missing: result.missing
                    + silent.map { .init(name: $0, reason: "It did not answer in time.") })
        }
    }
}

/// A flag that is set once.
private final class Cancellation: Sendable {
    private let value = Atomic(false)

    var isCancelled: Bool { value.load(ordering: .acquiring) }

    func cancel() { value.store(true, ordering: .releasing) }
}
