import Cameras
import Foundation
import FrameFastModel
import FrameFastSystem
import Logging
import Synchronization
import WorkerProtocol

/// The intervals of all cameras: what was asked for, what became of it, and how it goes on after the camera, or this service, was
/// away. Workers keep the time.
final class IntervalPlans: Sendable {
    /// From the order to the first tick, and what a tick must be in the future to be reached, in nanoseconds: a worker that
    /// has just opened a camera has other things to do first.
    private static let leadNs: UInt64 = 500_000_000
    /// The same for each further camera that begins with the first, in nanoseconds: each plan is written through before its
    /// camera is told.
    private static let leadForEachNs: UInt64 = 20_000_000

    private struct State {
        var plans: [CameraID: IntervalPlan]
        /// The session whose worker has a camera's plan.
        var told: [CameraID: ObjectIdentifier] = [:]
        /// To begin and to go on, of each camera one at a time.
        var turns: [CameraID: Turnstile] = [:]

        mutating func began(_ plan: IntervalPlan, _ session: CameraSession) {
            plans[plan.camera] = plan
            told[plan.camera] = session.identity
        }
    }

    private let store: IntervalStore
    private let logger: Logger
    private let state: Mutex<State>

    init(store: IntervalStore, logger: Logger) {
        self.store = store
        self.logger = logger
        state = Mutex(State(plans: Dictionary(store.load().map { ($0.camera, $0) }) { $1 }))
    }

    /// The interval of a camera, the last one when none runs.
    func plan(of camera: CameraID) -> IntervalPlan? { state.withLock { $0.plans[camera] } }

    private func turn(of camera: CameraID) -> Turnstile {
        state.withLock { state in
            let turn = state.turns[camera] ?? Turnstile(width: 1)
            state.turns[camera] = turn
            return turn
        }
    }

    /// When an interval that begins now has its first tick, in nanoseconds of CLOCK_BOOTTIME.
    ///
    /// - Parameter cameras: How many begin together.
    static func epochNs(cameras: Int = 1) -> UInt64 {
        BootTime.nowNs + leadNs + UInt64(max(0, cameras - 1)) * leadForEachNs
    }

    /// Begins an interval: in the place of the last one, on disk before the first photo.
    func begin(_ session: CameraSession, _ order: IntervalOrder) async throws {
        let camera = session.camera
        let wallMs = Self.wallMs + (Int64(order.epochNs) - Int64(BootTime.nowNs)) / 1_000_000
        let plan = IntervalPlan(camera: camera, order: order, epochWallMs: wallMs)
        try await turn(of: camera).pass {
            let before = self.plan(of: camera)
            if before?.state == .running {
                // While it does, the worker refuses, and nothing has changed.
                try await session.begin(.interval(order))
                state.withLock { $0.began(plan, session) }
                try store.begin(plan)
                return
            }
            do {
                // On disk before the first photo: whatever happens then, it goes on.
                try store.begin(plan)
                state.withLock { $0.began(plan, session) }
                try await session.begin(.interval(order))
            } catch {
                state.withLock { $0.plans[camera] = before }
                try? store.restore(before, of: camera)
                throw error
            }
        }
    }

    /// A camera is connected: its interval goes on with the next tick.
    func resume(_ session: CameraSession) async {
        let camera = session.camera
        await turn(of: camera).pass {
            let order = state.withLock { state -> IntervalOrder? in
                // One that was begun since then needs no second word.
                guard state.plans[camera]?.state == .running, state.told[camera] != session.identity
                else { return nil }
                state.told[camera] = session.identity
                return state.plans[camera]?.resumed(
                    nowNs: BootTime.nowNs, nowWallMs: Self.wallMs, leadNs: Self.leadNs)
            }
            keep(camera)
            guard let order else { return }
            do throws(WorkerFailure) { try await session.begin(.interval(order)) } catch {
                guard error.kind != .disconnected, error.kind != .timeout else { return }
                logger.error(
                    "cannot go on with an interval",
                    metadata: ["camera": "\(session.configured.name)", "error": "\(error.text)"])
                end(camera, .failed, error.text)
            }
        }
    }

    /// A camera tells how far it is.
    func camera(_ status: CameraStatus) {
        guard let progress = status.operation, progress.kind == .interval else { return }
        let isNews = state.withLock { state -> Bool in
            guard state.plans[status.id]?.state == .running, let tick = progress.tick else { return false }
            return state.plans[status.id]?.note(tick) ?? false
        }
        if isNews, let tick = progress.tick { store.add(tick, of: status.id) }
        if progress.state != .running { end(status.id, progress.state, progress.reason) }
    }

    /// Somebody ends a camera's interval, which may be away.
    ///
    /// - Returns: whether one was running.
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
