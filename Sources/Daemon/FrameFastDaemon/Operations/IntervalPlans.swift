import Cameras
import Foundation
import FrameFastAPI
import FrameFastModel
import FrameFastSystem
import Logging
import Synchronization
import WorkerProtocol

/// The intervals of all cameras: the orders, their results so far, and how they continue after the camera or the service
/// was away. Workers keep the time.
final class IntervalPlans: Sendable {
    /// The time from the order to the first tick, and the least time to a tick that can still be reached, in nanoseconds. A
    /// worker that has just opened a camera has other work to do first.
    private static let leadNs: UInt64 = 500_000_000
    /// The additional time for each further camera that starts with the first one, in nanoseconds: each plan is on disk
    /// before its camera gets the order.
    private static let leadForEachNs: UInt64 = 20_000_000

    private struct State {
        var plans: [CameraID: IntervalPlan]
        /// The ``CameraSession/identity`` of the session whose worker has the camera's order.
        var ordered: [CameraID: UInt64] = [:]
        /// In place of an identity, for an order that no worker took. Identities begin at 1.
        static let noSession: UInt64 = 0
        /// Excludes that a camera's interval begins and resumes at the same time.
        var turns: [CameraID: AsyncSemaphore] = [:]

        mutating func began(_ plan: IntervalPlan, _ session: CameraSession) {
            plans[plan.camera] = plan
            ordered[plan.camera] = session.identity
        }
    }

    private let store: IntervalStore
    private let logger: Logger
    private let state: Mutex<State>

    init(store: IntervalStore, logger: Logger) {
        self.store = store
        self.logger = logger
        let plans = store.load { path, reason in
            logger.error(
                "cannot continue an interval: its plan cannot be read",
                metadata: ["path": "\(path)", "error": "\(reason)"])
        }
        state = Mutex(State(plans: Dictionary(plans.map { ($0.camera, $0) }) { $1 }))
    }

    /// The interval of a camera, the last one when none runs.
    func plan(of camera: CameraID) -> IntervalPlan? { state.withLock { $0.plans[camera] } }

    /// The interval of a camera. One whose camera did not come back has ended when its last tick is long past.
    func settledPlan(of camera: CameraID) -> IntervalPlan? {
        let hasEnded = state.withLock { state -> Bool in
            let settled = state.plans[camera]?.settled(
                nowNs: BootTime.nowNs, nowWallMs: Self.wallMs, isSameStart: state.ordered[camera] != nil)
            guard let settled else { return false }
            state.plans[camera] = settled
            return true
        }
        if hasEnded { keep(camera) }
        return plan(of: camera)
    }

    private func turn(of camera: CameraID) -> AsyncSemaphore {
        state.withLock { state in
            let turn = state.turns[camera] ?? AsyncSemaphore(permits: 1)
            state.turns[camera] = turn
            return turn
        }
    }

    /// The time of the first tick of an interval that begins now, in nanoseconds of CLOCK_BOOTTIME.
    ///
    /// - Parameter cameras: How many cameras begin together.
    static func epochNs(cameras: Int = 1) -> UInt64 {
        BootTime.nowNs + leadNs + UInt64(max(0, cameras - 1)) * leadForEachNs
    }

    /// Begins an interval, which replaces the camera's last one. Its plan is on disk before the first photo.
    func begin(_ session: CameraSession, _ order: IntervalOrder) async throws {
        let camera = session.camera
        let wallMs = Self.wallMs + (Int64(order.epochNs) - Int64(BootTime.nowNs)) / 1_000_000
        let plan = IntervalPlan(camera: camera, order: order, epochWallMs: wallMs)
        let begun: Void? = try await turn(of: camera).withPermit {
            let before = self.plan(of: camera)
            if before?.state == .running {
                // The worker refuses while its interval runs: nothing changes then.
                try await session.begin(.interval(order))
                state.withLock { $0.began(plan, session) }
                try store.begin(plan)
                return
            }
            do {
                // On disk before the first photo: the interval continues after a crash.
                try store.begin(plan)
                state.withLock { $0.began(plan, session) }
                try await session.begin(.interval(order))
            } catch {
                state.withLock { $0.plans[camera] = before }
                try? store.restore(before, of: camera)
                throw error
            }
        }
        guard begun != nil else { throw CancellationError() }
    }

    /// Continues the interval of a camera that was connected, with the next tick.
    ///
    /// - Returns: Whether that is settled for this session. `false` if the camera is busy: a person began something else before
    ///   the order. Call it again then.
    @discardableResult
    func resume(_ session: CameraSession) async -> Bool {
        let camera = session.camera
        let isSettled: Bool? = await turn(of: camera).withPermit { () async -> Bool in
            let order = state.withLock { state -> IntervalOrder? in
                // The worker has the order already if the interval began during this connection.
                guard state.plans[camera]?.state == .running, state.ordered[camera] != session.identity
                else { return nil }
                let isSameStart = state.ordered.updateValue(session.identity, forKey: camera) != nil
                return state.plans[camera]?.resumed(
                    nowNs: BootTime.nowNs, nowWallMs: Self.wallMs, leadNs: Self.leadNs,
                    isSameStart: isSameStart)
            }
            keep(camera)
            guard let order else { return true }
            do throws(WorkerFailure) {
                try await session.begin(.interval(order))
                // A person who stopped it meanwhile may have asked the worker before it had the order.
                if plan(of: camera)?.state != .running { try await session.endOperation() }
            } catch {
                guard error.kind != .disconnected, error.kind != .timeout else { return true }
                if error.kind == .occupied || error.kind == .busy {
                    state.withLock { $0.ordered[camera] = State.noSession }
                    return false
                }
                logger.error(
                    "cannot continue an interval",
                    metadata: ["camera": "\(session.configured.name)", "error": "\(error.text)"])
                end(camera, .failed, ControlError(error, "continue the interval").message)
            }
            return true
        }
        return isSettled ?? true
    }

    /// Records the progress that a camera reports.
    func camera(_ status: CameraStatus) {
        guard let progress = status.operation, progress.kind == .interval,
            plan(of: status.id)?.isSubject(of: progress) == true
        else { return }
        let isNews = state.withLock { state -> Bool in
            guard state.plans[status.id]?.state == .running, let tick = progress.tick else { return false }
            return state.plans[status.id]?.note(tick) ?? false
        }
        if isNews, let tick = progress.tick { store.add(tick, of: status.id) }
        if progress.state != .running { end(status.id, progress.state, progress.reason) }
    }

    /// Ends the interval of a camera, which need not be connected.
    ///
    /// - Returns: Whether an interval was running.
    @discardableResult
    func stop(_ camera: CameraID, _ reason: String) -> Bool {
        guard plan(of: camera)?.state == .running else { return false }
        end(camera, .stopped, reason)
        return true
    }

    private func end(_ camera: CameraID, _ end: CameraOperationProgress.State, _ reason: String?) {
        let isNews = state.withLock { state -> Bool in
            guard state.plans[camera]?.state == .running else { return false }
            state.plans[camera]?.state = end
            state.plans[camera]?.reason = reason
            return true
        }
        if isNews { keep(camera) }
    }

    private func keep(_ camera: CameraID) {
        guard let plan = plan(of: camera) else { return }
        do { try store.save(plan) } catch {
            logger.error("cannot keep an interval", metadata: ["camera": "\(camera)", "error": "\(error)"])
        }
    }

    private static var wallMs: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
