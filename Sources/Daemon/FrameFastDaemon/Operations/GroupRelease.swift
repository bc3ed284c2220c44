import Cameras
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Synchronization
import WorkerProtocol

/// A simultaneous release of the shutters of several cameras. Each camera's worker receives the release time
/// in advance and waits until that time.
final class GroupRelease: Sendable {
    /// A camera that takes part in a release.
    struct Member: Sendable {
        var id: CameraID
        var name: String
        var connection: CameraConnection
    }

    struct Result: Sendable {
        /// The cameras whose shutters were released.
        var fired: [(name: String, tick: IntervalTick)] = []
        /// The other cameras, with the reason.
        var missing: [MissingCamera] = []
    }

    /// The error for a release that was canceled because too few cameras were ready. No shutter was released.
    struct TooFewReady: Error {
        var ready: Int
        var missing: [MissingCamera]
    }

    private enum Event: Sendable {
        /// A worker is armed: it waits for the release time.
        case armed(CameraID)
        /// A camera can't take part.
        case refused(CameraID, reason: String)
        /// An armed camera reported its result.
        case reported(CameraID, CameraOperationProgress)
        /// The deadline for canceling the release has passed.
        case decision
        /// The time limit for reports has passed.
        case timeout
    }

    /// The deadline for canceling a release with too few ready cameras, in milliseconds before the release.
    /// Armed workers must receive the cancellation in time.
    private static let decisionMs = 100
    /// The longest wait for reports after the release, in milliseconds. Autofocus can take seconds.
    private static let reportTimeoutMs = 8_000

    private static let noReport = "The camera did not report the release."
    private static let takesPart = "The camera is taking part in another group shot."

    /// The event streams of running releases, by camera.
    private let waiting = Mutex<[CameraID: AsyncStream<Event>.Continuation]>([:])
    private let clock: HostClock

    init(clock: HostClock) { self.clock = clock }

    /// Handles the progress that a camera reports.
    func handle(_ status: CameraStatus) {
        // Ignore the report that a release has ended. This report follows the result, and may arrive during
        // the next release.
        guard let progress = status.operation, progress.kind == .release,
            progress.tick != nil || [.failed, .stopped].contains(progress.state)
        else { return }
        _ = waiting.withLock { $0[status.id]?.yield(.reported(status.id, progress)) }
    }

    /// Releases the shutters of some cameras at a given time, and waits for their reports.
    ///
    /// - Parameters:
    ///   - members: The cameras, each once.
    ///   - atNs: The time, in nanoseconds of ``HostClock/bootTimeNs``.
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
        let timer = Task { [clock] in
            let now = clock.bootTimeNs()
            let inMs = Int((atNs - min(now, atNs)) / 1_000_000)
            try await clock.sleep(for: .milliseconds(max(0, inMs - Self.decisionMs)))
            continuation.yield(.decision)
            try await clock.sleep(for: .milliseconds(Self.decisionMs + Self.reportTimeoutMs))
            continuation.yield(.timeout)
        }
        defer { timer.cancel() }

        var round = Round(members)
        for await event in events {
            round.apply(event)
            if round.isDecisive(event), round.ready < require {
                cancellation.cancel()
                // Stop all cameras in parallel, because a slow camera must not keep other cameras armed.
                await withTaskGroup(of: Void.self) { group in
                    for member in members where round.isReady(member.id) {
                        group.addTask { try? await member.connection.endOperation() }
                    }
                }
                throw round.tooFewReady
            }
            if round.isOver { break }
        }
        return round.result
    }

    /// Sends the release time to each camera. Stops a camera that responds after the cancellation.
    private func arm(
        _ members: [Member], atNs: UInt64, _ cancellation: Cancellation,
        _ continuation: AsyncStream<Event>.Continuation
    ) {
        for member in members {
            Task {
                do throws(WorkerFailure) {
                    try await member.connection.startOperation(.release(ReleaseCommand(atNs: atNs)))
                } catch {
                    let reason = ControlError(error, "release its shutter").message
                    continuation.yield(.refused(member.id, reason: reason))
                    return
                }
                continuation.yield(.armed(member.id))
                if cancellation.isCancelled { try? await member.connection.endOperation() }
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
        /// The number of cameras that responded to the request.
        private var responseCount = 0
        private var isDecided = false
        private let count: Int

        init(_ members: [Member]) {
            open = Dictionary(members.map { ($0.id, $0.name) }) { first, _ in first }
            count = members.count
        }

        /// The number of armed cameras.
        var ready: Int { open.keys.count(where: armed.contains) }

        func isReady(_ id: CameraID) -> Bool { open[id] != nil && armed.contains(id) }

        /// Returns whether the number of ready cameras is final after this event: the deadline has passed, or
        /// all cameras have responded.
        func isDecisive(_ event: Event) -> Bool {
            switch event {
            case .decision: true
            case .armed, .refused: !isDecided && responseCount == count
            case .reported, .timeout: false
            }
        }

        mutating func apply(_ event: Event) {
            switch event {
            case .armed(let id):
                responseCount += 1
                armed.insert(id)
            case .refused(let id, let reason):
                responseCount += 1
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
            // A shot proves that the release was not canceled.
            isOver = isOver || (open.isEmpty && (isDecided || !result.fired.isEmpty))
        }

        var tooFewReady: TooFewReady {
            let unresponsive = open.filter { !armed.contains($0.key) }.values.sorted()
            return TooFewReady(
                ready: ready,
                missing: result.missing
                    + unresponsive.map { .init(name: $0, reason: "The camera did not respond in time.") })
        }
    }
}

/// A flag that is set once.
private final class Cancellation: Sendable {
    private let value = Atomic(false)

    var isCancelled: Bool { value.load(ordering: .acquiring) }

    func cancel() { value.store(true, ordering: .releasing) }
}
