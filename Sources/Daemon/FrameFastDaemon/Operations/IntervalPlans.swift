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

    private let store: IntervalStore
    private let logger: Logger
    private let plans: Mutex<[CameraID: IntervalPlan]>

    init(store: IntervalStore, logger: Logger) {
        self.store = store
        self.logger = logger
        plans = Mutex(Dictionary(store.load().map { ($0.camera, $0) }) { $1 })
    }

    /// The interval of a camera, the last one when none runs.
    func plan(of camera: CameraID) -> IntervalPlan? { plans.withLock { $0[camera] } }

    /// Begins an interval.
    func begin(
        _ session: CameraSession, periodMs: Int, count: Int, ramp: [Int: [CameraSettingChange]]
    ) async throws {
        let epochNs = BootTime.nowNs + Self.leadNs
        let order = IntervalOrder(epochNs: epochNs, periodMs: periodMs, count: count, ramp: ramp)
        let wallMs = Self.wallMs + Int64(Self.leadNs / 1_000_000)
        let plan = IntervalPlan(camera: session.camera, order: order, epochWallMs: wallMs)
        let before = plans.withLock { plans in
            defer { plans[session.camera] = plan }
            return plans[session.camera]
        }
        do {
            // On disk before the first photo: whatever happens then, it goes on.
            if before?.state != .running { try store.begin(plan) }
            try await session.begin(.interval(order))
            if before?.state == .running { try store.begin(plan) }
        } catch {
            plans.withLock { $0[session.camera] = before }
            if let before { try? store.save(before) } else { end(session.camera, .failed, "\(error)") }
            throw error
        }
    }

    /// A camera is connected: its interval goes on with the next tick.
    func resume(_ session: CameraSession) async {
        let order = plans.withLock { plans -> IntervalOrder? in
            guard plans[session.camera]?.state == .running else { return nil }
            return plans[session.camera]?.resumed(
                nowNs: BootTime.nowNs, nowWallMs: Self.wallMs, leadNs: Self.leadNs)
        }
        keep(session.camera)
        guard let order else { return }
        do throws(WorkerFailure) { try await session.begin(.interval(order)) } catch {
            guard error.kind != .disconnected, error.kind != .timeout else { return }
            logger.error(
                "cannot go on with an interval",
                metadata: ["camera": "\(session.configured.name)", "error": "\(error.text)"])
            end(session.camera, .failed, error.text)
        }
    }

    /// A camera tells how far it is.
    func camera(_ status: CameraStatus) {
        guard let progress = status.operation, progress.kind == .interval else { return }
        let isNews = plans.withLock { plans -> Bool in
            guard plans[status.id]?.state == .running, let tick = progress.tick else { return false }
            return plans[status.id]?.note(tick) ?? false
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

    private func end(_ camera: CameraID, _ state: CameraOperationProgress.State, _ reason: String?) {
        let isNews = plans.withLock { plans -> Bool in
            guard plans[camera]?.state == .running else { return false }
            plans[camera]?.state = state
            plans[camera]?.reason = reason
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
