import APIServer
import Cameras
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import WorkerProtocol

/// What a camera does for longer than a moment, from here.
struct OperationHandler: EndpointHandler {
    let lookup: CameraLookup
    let intervals: IntervalPlans

    func attach(to table: inout EndpointTable) {
        table.on(\.operations.get, get)
        table.on(\.operations.bulb, bulb)
        table.on(\.operations.interval, interval)
        table.on(\.operations.getInterval, getInterval)
        table.on(\.operations.bracket, bracket)
        table.on(\.operations.stack, stack)
        table.on(\.operations.focus, focus)
        table.on(\.operations.movie, movie)
        table.on(\.operations.stop, stop)
    }

    func get(_ camera: CameraReference) async throws(ControlError) -> CameraOperationReply {
        reply(try lookup.camera(camera))
    }

    func bulb(
        _ camera: CameraReference, _ request: BulbRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let order = BulbOrder(durationMs: Self.ms(request.seconds))
        return try await begin(camera, .bulb(order), "hold the shutter of '%' open")
    }

    func bracket(
        _ camera: CameraReference, _ request: BracketRequest
    ) async throws(ControlError) -> CameraOperationReply {
        try await begin(camera, .bracket(BracketOrder(stops: request.stops)), "take a bracket with '%'")
    }

    func stack(
        _ camera: CameraReference, _ request: FocusStackRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let order = FocusStackOrder(count: request.count, step: FocusStep(request.move))
        return try await begin(camera, .focusStack(order), "take a focus stack with '%'")
    }

    func movie(
        _ camera: CameraReference, _ request: MovieRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let order = MovieOrder(durationMs: request.seconds.map(Self.ms))
        return try await begin(camera, .movie(order), "record a movie with '%'")
    }

    func focus(
        _ camera: CameraReference, _ request: FocusRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let (status, session) = try lookup.connected(camera)
        let order: FocusOrder =
            switch FocusOrder.Word(rawValue: request.what.rawValue) {
            case .auto: .auto
            case .cancel: .cancel
            case .near, .far: .drive(FocusStep(request))
            case nil: throw ControlError(.invalid, "cannot focus '\(request.what)'")
            }
        do throws(WorkerFailure) { try await session.focus(order) } catch {
            throw ControlError(
                error, "focus '\(status.name)'",
                nextStep: "Check the lens and the light; the focus is moved while live view is on.")
        }
        return reply(status)
    }

    func stop(_ camera: CameraReference) async throws(ControlError) -> CameraOperationReply {
        let status = try lookup.camera(camera)
        let wasPlanned = intervals.stop(status.id, "somebody ended it")
        guard let session = lookup.registry.session(of: status.id) else {
            // Its interval will not go on when it is back.
            if wasPlanned { return reply(status) }
            throw ControlError(
                .conflict, "camera '\(camera)' is not connected", nextStep: "Nothing runs on it.")
        }
        do throws(WorkerFailure) { try await session.endOperation() } catch {
            throw ControlError(error, "end what '\(status.name)' does")
        }
        return reply(status)
    }

    // MARK: Intervals

    func interval(
        _ camera: CameraReference, _ request: IntervalRequest
    ) async throws(ControlError) -> IntervalReply {
        let (status, session) = try lookup.connected(camera)
        var ramp: [Int: [CameraSettingChange]] = [:]
        for step in request.ramp ?? [] {
            do throws(CameraSettingFault) {
                ramp[step.photo - 1] = try SettingName.changes(step.settings)
            } catch { throw ControlError(error) }
        }
        do {
            let order = IntervalOrder(
                epochNs: IntervalPlans.epochNs(), periodMs: request.everyMs, count: request.count, ramp: ramp)
            try await intervals.begin(session, order)
        } catch let error as WorkerFailure {
            throw ControlError(
                error, "take photos at an interval with '\(status.name)'",
                nextStep: "Check the camera: it may be asleep, out of focus, or its card full.")
        } catch {
            throw ControlError(
                .internal, "cannot keep the interval: \(error)", nextStep: "Check the service's log.")
        }
        return try await getInterval(camera)
    }

    func getInterval(_ camera: CameraReference) async throws(ControlError) -> IntervalReply {
        let status = try lookup.camera(camera)
        guard let plan = intervals.plan(of: status.id) else {
            throw ControlError(
                .notFound, "'\(status.name)' has had no interval",
                nextStep: "Begin one with 'framefast interval \(status.name) --every 10s --count 100'.")
        }
        return IntervalReply(plan, status)
    }

    // MARK: Beginning

    private func begin(
        _ camera: CameraReference, _ operation: CameraOperation, _ doing: String
    ) async throws(ControlError) -> CameraOperationReply {
        let (status, session) = try lookup.connected(camera)
        do throws(WorkerFailure) { try await session.begin(operation) } catch {
            throw ControlError(
                error, doing.replacing("%", with: status.name),
                nextStep: "Check the camera: its mode, its lens, and what its screen says.")
        }
        return reply(status)
    }

    private func reply(_ status: CameraStatus) -> CameraOperationReply {
        let now = lookup.registry.camera(status.id) ?? status
        return CameraOperationReply(
            camera: CameraNameReply(now), operation: now.operation.map(OperationReply.init))
    }

    private static func ms(_ seconds: Double) -> Int { Int((seconds * 1_000).rounded()) }
}

extension FocusStep {
    /// From the wire's words, which were checked.
    init(_ request: FocusRequest) {
        self.init(
            isFar: request.what == .far, count: request.steps ?? 1,
            size: request.size.flatMap { Size(rawValue: $0.rawValue) } ?? .medium)
    }
}

extension OperationReply {
    /// As the wire has it.
    init(_ progress: CameraOperationProgress) {
        self.init(
            kind: Kind(rawValue: progress.kind.rawValue), state: State(rawValue: progress.state.rawValue),
            done: progress.done, total: progress.total, elapsedMs: progress.elapsedMs,
            nextAt: progress.nextAtMs.map { Date(timeIntervalSince1970: Double($0) / 1_000) },
            reason: progress.reason)
    }
}

extension IntervalReply {
    /// As the wire has it: photos are counted from 1.
    init(_ plan: IntervalPlan, _ status: CameraStatus) {
        func photos(_ runs: [IntervalPlan.Run]) -> [Photos] {
            runs.map { Photos(first: $0.first + 1, last: $0.last + 1) }
        }
        self.init(
            camera: CameraNameReply(status), state: .init(rawValue: plan.state.rawValue),
            everyMs: plan.order.periodMs, count: plan.order.count, past: plan.next, shot: plan.shot,
            missed: photos(plan.missed), refused: photos(plan.refused),
            latestMs: Double(plan.latestUs) / 1_000, reason: plan.reason)
    }
}
