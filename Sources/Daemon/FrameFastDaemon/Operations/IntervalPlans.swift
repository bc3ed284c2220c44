import Cameras
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Logging
import Synchronization
import WorkerProtocol

/// The plans of the intervals of all cameras. An interval continues after its camera reconnects or the
/// service restarts. The workers release the shutters at the planned times.
final class IntervalPlans: Sendable {
    /// The time from the command to the first tick, in nanoseconds. A resumed interval has the same minimum
    /// lead time, because a worker that has just opened a camera is still busy.
    private static let leadNs: UInt64 = 500_000_000
    /// The additional time for each further camera that starts together with the first camera, in
    /// nanoseconds. Each plan is written to disk before its camera receives the command.
    private static let leadForEachNs: UInt64 = 20_000_000

    private struct State {
        var plans: [CameraID: IntervalPlan]
        /// The ``CameraConnection/identity`` of the connection whose worker runs the camera's command.
        var connectionIdentities: [CameraID: UInt64] = [:]
        /// The placeholder identity of a command that no worker accepted. Identities start at 1.
        static let noConnection: UInt64 = 0
        /// A semaphore for each camera, so its interval can't start and resume at the same time.
        var semaphores: [CameraID: AsyncSemaphore] = [:]

        mutating func recordStart(of plan: IntervalPlan, in connection: CameraConnection) {
            plans[plan.camera] = plan
            connectionIdentities[plan.camera] = connection.identity
        }
    }

    private let store: IntervalStore
    private let logger: Logger
    private let clock: HostClock
    private let state: Mutex<State>

    init(store: IntervalStore, logger: Logger, clock: HostClock) {
        self.store = store
        self.logger = logger
        self.clock = clock
        let plans = store.load { path, reason in
            logger.error(
                "cannot continue an interval: its plan cannot be read",
                metadata: ["path": "\(path)", "error": "\(reason)"])
        }
        state = Mutex(State(plans: Dictionary(plans.map { ($0.camera, $0) }) { $1 }))
    }

    /// Returns the plan of a camera's running or last interval.
    func plan(of camera: CameraID) -> IntervalPlan? { state.withLock { $0.plans[camera] } }

    /// Returns the plan of a camera's interval. If the report of the last tick is overdue, ends the plan
    /// first, because the camera did not reconnect in time.
    func updatedPlan(of camera: CameraID) -> IntervalPlan? {
        let hasEnded = state.withLock { state -> Bool in
            let ended = state.plans[camera]?.endedIfOverdue(
                nowNs: clock.bootTimeNs(), nowWallMs: wallMs,
                isSameStart: state.connectionIdentities[camera] != nil)
            guard let ended else { return false }
            state.plans[camera] = ended
            return true
        }
        if hasEnded { savePlan(of: camera) }
        return plan(of: camera)
    }

    private func semaphore(for camera: CameraID) -> AsyncSemaphore {
        state.withLock { state in
            let semaphore = state.semaphores[camera] ?? AsyncSemaphore(permits: 1)
            state.semaphores[camera] = semaphore
            return semaphore
        }
    }

    /// Returns the time of the first tick of an interval that starts now, in nanoseconds of
    /// ``HostClock/bootTimeNs``.
    ///
    /// - Parameter cameras: The number of cameras that start together.
    func epochNs(cameras: Int = 1) -> UInt64 {
        clock.bootTimeNs() + Self.leadNs + UInt64(max(0, cameras - 1)) * Self.leadForEachNs
    }

    /// Starts an interval, which replaces the camera's last interval. The plan is written to disk before the
    /// first photo.
    func start(_ command: IntervalCommand, with connection: CameraConnection) async throws {
        let camera = connection.camera
        let wallMs = self.wallMs + (Int64(command.epochNs) - Int64(clock.bootTimeNs())) / 1_000_000
        let plan = IntervalPlan(
            camera: camera, serial: connection.serial, command: command, epochWallMs: wallMs)
        let started: Void? = try await semaphore(for: camera).withPermit {
            let before = self.plan(of: camera)
            if before?.state == .running {
                // The worker refuses the command while another interval runs. After a refusal, keep the old
                // plan.
                try await connection.startOperation(.interval(command))
                state.withLock { $0.recordStart(of: plan, in: connection) }
                do { try store.create(plan) } catch {
                    // An interval without its plan on disk would not continue after a crash.
                    try? await connection.endOperation()
                    throw error
                }
                return
            }
            do {
                // Write the plan before the first photo. The interval can then continue after a crash.
                try store.create(plan)
                state.withLock { $0.recordStart(of: plan, in: connection) }
                try await connection.startOperation(.interval(command))
            } catch {
                state.withLock { $0.plans[camera] = before }
                try? store.restore(before, of: camera)
                throw error
            }
        }
        guard started != nil else { throw CancellationError() }
    }

    /// Continues the interval of a newly connected camera at the next tick.
    ///
    /// - Returns: `false` if the camera is busy with an operation that a person started. Call the function
    ///   again later. `true` if this connection needs no further call.
    @discardableResult
    func resume(_ connection: CameraConnection) async -> Bool {
        let camera = connection.camera
        let isSettled: Bool? = await semaphore(for: camera).withPermit { () async -> Bool in
            let command = state.withLock { state -> IntervalCommand? in
                // If the interval started during this connection, the worker already has the command.
                guard state.plans[camera]?.state == .running, connection.canBe(state.plans[camera]?.serial),
                    state.connectionIdentities[camera] != connection.identity
                else { return nil }
                let isSameStart =
                    state.connectionIdentities.updateValue(connection.identity, forKey: camera) != nil
                return state.plans[camera]?.resumed(
                    nowNs: clock.bootTimeNs(), nowWallMs: wallMs, leadNs: Self.leadNs,
                    isSameStart: isSameStart)
            }
            savePlan(of: camera)
            guard let command else { return true }
            do throws(WorkerFailure) {
                try await connection.startOperation(.interval(command))
                // A person may have stopped the interval before the worker received the command.
                if plan(of: camera)?.state != .running { try await connection.endOperation() }
            } catch {
                guard error.kind != .disconnected, error.kind != .timeout else { return true }
                if error.kind == .occupied || error.kind == .busy {
                    state.withLock { $0.connectionIdentities[camera] = State.noConnection }
                    return false
                }
                logger.error(
                    "cannot continue an interval",
                    metadata: ["camera": "\(connection.configured.name)", "error": "\(error.text)"])
                endInterval(of: camera, .failed, ControlError(error, "continue the interval").message)
            }
            return true
        }
        return isSettled ?? true
    }

    /// Records the progress that a camera reports.
    func handle(_ status: CameraStatus) {
        guard let progress = status.operation, progress.kind == .interval,
            plan(of: status.id)?.isSubject(of: progress) == true
        else { return }
        let isChanged = state.withLock { state -> Bool in
            guard state.plans[status.id]?.state == .running, let tick = progress.tick else { return false }
            return state.plans[status.id]?.record(tick) ?? false
        }
        if isChanged, let tick = progress.tick { store.add(tick, of: status.id) }
        if let failed = progress.failedChanges {
            let isChanged = state.withLock { state -> Bool in
                guard state.plans[status.id]?.state == .running else { return false }
                return state.plans[status.id]?.recordFailures(failed) ?? false
            }
            if isChanged { store.add(failed, of: status.id) }
        }
        if progress.state != .running { endInterval(of: status.id, progress.state, progress.reason) }
    }

    /// Stops the interval of a camera, even if the camera is not connected.
    ///
    /// - Returns: Whether an interval was running.
    @discardableResult
    func stop(_ camera: CameraID, _ reason: String) -> Bool {
        guard plan(of: camera)?.state == .running else { return false }
        endInterval(of: camera, .stopped, reason)
        return true
    }

    private func endInterval(of camera: CameraID, _ end: CameraOperationProgress.State, _ reason: String?) {
        let isChanged = state.withLock { state -> Bool in
            guard state.plans[camera]?.state == .running else { return false }
            state.plans[camera]?.state = end
            state.plans[camera]?.reason = reason
            return true
        }
        if isChanged { savePlan(of: camera) }
    }

    private func savePlan(of camera: CameraID) {
        guard let plan = plan(of: camera) else { return }
        do { try store.save(plan) } catch {
            logger.error("cannot save an interval", metadata: ["camera": "\(camera)", "error": "\(error)"])
        }
    }

    /// The current date, in milliseconds since 1970.
    private var wallMs: Int64 { Int64(clock.now().timeIntervalSince1970 * 1_000) }
}
