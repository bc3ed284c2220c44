import ChildProcesses
import FrameFastModel
import FrameFastSystem
import Hooks
import Logging
import Synchronization

/// The programs of the service's hooks, and the rules for their starts.
///
/// A hook handles each event once: its program does not start again after a run with exit code 0. A failed
/// run is repeated at most as often as configured. Each saved photo and each delivery is an event. The events
/// of a run of the service are lost when this run ends.
final class SimulatedHooks: Sendable {
    private struct Runs {
        var starts = 0
        var hasSucceeded = false
    }

    private struct State {
        /// The runs of each event's program.
        var runs: [String: Runs] = [:]
        /// The events whose program has not started. They belong to the current run of the service.
        var waiting: Set<String> = []
        /// The photos that an earlier run of the service saved, or may have saved.
        var earlier: Set<CaptureID> = []
    }

    /// An existing program that passes the service's check. The simulation does not start it.
    private static let program = "/bin/sh"
    /// The longest time of a run, in milliseconds.
    private static let runMsMax = 500
    /// The chance of a failed run, in percent.
    private static let failureChance = 20

    private let retries: Int
    private let disk: SimulatedDisk
    private let executor: SimulationExecutor
    private let trace: SimulationTrace
    private let violations: ViolationLog
    private let state = Mutex(State())

    /// - Parameter retries: The number of repetitions of a failed run.
    init(
        retries: Int, disk: SimulatedDisk, executor: SimulationExecutor, trace: SimulationTrace,
        violations: ViolationLog
    ) {
        (self.retries, self.disk, self.executor) = (retries, disk, executor)
        (self.trace, self.violations) = (trace, violations)
    }

    // MARK: the service

    /// Creates the hook service of a run of the service.
    func makeService(clock: HostClock, logger: Logger) -> HookService {
        let kinds: [Hook.EventKind] = [.saved, .delivered]
        let hooks = kinds.map { kind in
            Hook(
                name: kind.rawValue, on: [kind], command: CommandSettings(program: Self.program),
                parallel: kind == .saved ? 1 : 2, retries: retries)
        }
        return HookService(hooks: hooks, logger: logger, clock: clock)
    }

    /// Records which photos earlier runs of the service saved. Call this when a run starts.
    ///
    /// - Parameter records: The records at the start.
    func recordStart(_ records: [CaptureRecord]) {
        let earlier = records.filter { $0.state == .publishing || Self.isComplete($0) }.map(\.id)
        state.withLock { $0.earlier = Set(earlier) }
    }

    /// Drops the waiting events, because the service has ended.
    func recordEnd() { state.withLock { $0.waiting = [] } }

    /// Passes a saved photo to the hooks.
    func enqueueSaved(_ record: CaptureRecord, for service: HookService) {
        let facts: Facts = [.capture: record.id.description]
        enqueue(HookEvent(.saved, facts: facts), for: service)
    }

    /// Passes a delivery to the hooks.
    func enqueueDelivered(_ job: UploadJob, for service: HookService) {
        enqueue(HookEvent(.delivered, facts: Facts(job), job: job), for: service)
    }

    private func enqueue(_ event: HookEvent, for service: HookService) {
        let name = Self.name(event.kind.rawValue, event.facts.byName)
        state.withLock { _ = $0.waiting.insert(name) }
        service.enqueue(event)
    }

    // MARK: programs

    /// Runs the program of a hook.
    ///
    /// - Returns: The exit code.
    func run(facts: [String: String]) async -> Int32 {
        let name = Self.name(facts[FactName.event.rawValue] ?? "", facts)
        // A killed service starts no program.
        guard !disk.isKilled else { return 1 }
        trace.add("hook: \(name)")
        recordRun(of: name)
        let pause = executor.draw { $0.number(1...Self.runMsMax) }
        do { try await executor.clock.sleep(Double(pause) / 1_000) } catch { return 1 }
        guard !executor.draw({ $0.chance(Self.failureChance) }) else { return 1 }
        state.withLock { $0.runs[name, default: Runs()].hasSucceeded = true }
        return 0
    }

    private func recordRun(of name: String) {
        let before = state.withLock { state in
            defer { state.runs[name, default: Runs()].starts += 1 }
            state.waiting.remove(name)
            return state.runs[name] ?? Runs()
        }
        if before.hasSucceeded {
            violations.add("the hook '\(name)' started again after it succeeded")
        } else if before.starts > retries {
            violations.add("the hook '\(name)' started \(before.starts + 1) times, with \(retries) retries")
        }
    }

    private static func name(_ event: String, _ facts: [String: String]) -> String {
        let number = facts[FactName.job.rawValue].map { "upload \($0)" }
        return "\(event): \(number ?? "capture \(facts[FactName.capture.rawValue] ?? "none")")"
    }

    // MARK: checks

    /// Returns the hooks that have not started for photos and deliveries of the current run of the service.
    func waiting(_ records: [CaptureRecord]) -> [String] {
        state.withLock { state in
            let saved = records.filter { Self.isComplete($0) && !state.earlier.contains($0.id) }
            let names = saved.map { Self.name("saved", [FactName.capture.rawValue: $0.id.description]) }
            return Set(names.filter { state.runs[$0] == nil }).union(state.waiting).sorted()
                .map { "the hook '\($0)' has not started" }
        }
    }

    /// Whether a photo is saved, and does not wait for a second reading.
    private static func isComplete(_ record: CaptureRecord) -> Bool {
        record.state == .saved && record.verified != .awaitingReread
    }
}
