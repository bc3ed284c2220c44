import APIServer
import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import WorkerProtocol

/// The endpoints that start intervals and report their progress, for one camera and for a group.
struct IntervalHandler: EndpointHandler {
    let groups: GroupLookup
    let intervals: IntervalPlans

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.operations.interval, with: interval(_:_:))
        table.handle(\.operations.getInterval, with: getInterval(_:))
        table.handle(\.groups.interval, with: interval(group:_:))
        table.handle(\.groups.getInterval, with: getInterval(group:))
    }

    func interval(
        _ camera: CameraReference, _ request: IntervalRequest
    ) async throws(ControlError) -> IntervalReply {
        try await start(camera, try IntervalCommand(request, epochNs: intervals.epochNs()))
    }

    func getInterval(_ camera: CameraReference) async throws(ControlError) -> IntervalReply {
        let status = try groups.cameras.camera(camera)
        guard let plan = intervals.updatedPlan(of: status.id) else {
            throw ControlError(
                .notFound, "'\(status.name)' has no interval",
                nextStep: "Start one with 'framefast interval \(status.name) --every 10s --count 100'.")
        }
        return IntervalReply(plan, status)
    }

    /// Starts the interval of every camera of a group. All cameras have the same release times, even after a
    /// restart.
    func interval(
        group: GroupName, _ request: IntervalRequest
    ) async throws(ControlError) -> GroupIntervalReply {
        let (ready, _) = groups.members(of: try groups.group(group))
        let command = try IntervalCommand(request, epochNs: intervals.epochNs(cameras: ready.count))
        let (begun, missing) = try await groups.forEachCamera(of: group) { camera throws(ControlError) in
            try await start(camera, command)
        }
        guard !begun.isEmpty else {
            throw ControlError(
                .conflict, "no camera of '\(group)' started: \(missing.inWords)",
                nextStep: "Run 'framefast cameras' to see what the cameras need.")
        }
        return GroupIntervalReply(group: group, cameras: begun, missing: missing)
    }

    func getInterval(group: GroupName) async throws(ControlError) -> GroupIntervalReply {
        let (intervals, missing) = try await groups.forEachCamera(of: group) { camera throws(ControlError) in
            try await getInterval(camera)
        }
        return GroupIntervalReply(group: group, cameras: intervals, missing: missing)
    }

    private func start(
        _ camera: CameraReference, _ command: IntervalCommand
    ) async throws(ControlError) -> IntervalReply {
        let (status, connection) = try groups.cameras.connectedCamera(camera)
        do { try await intervals.start(command, with: connection) } catch let error as WorkerFailure {
            throw ControlError(
                error, "take photos at an interval with '\(status.name)'",
                nextStep: "Check the camera: it may be asleep or out of focus, or its card may be full.")
        } catch {
            throw ControlError(
                .internal, "cannot save the interval: \(error)", nextStep: "Check the service's log.")
        }
        return try await getInterval(camera)
    }
}

extension IntervalCommand {
    /// Creates a command from a valid request. Photo 1 of the request is tick 0 of the command.
    init(_ request: IntervalRequest, epochNs: UInt64) throws(ControlError) {
        var ramp: [Int: [CameraSettingChange]] = [:]
        for step in request.ramp ?? [] {
            do throws(CameraSettingFault) {
                ramp[step.photo - 1] = try SettingName.changes(step.settings)
            } catch { throw ControlError(error) }
        }
        self.init(epochNs: epochNs, periodMs: request.everyMs, count: request.count, ramp: ramp)
    }
}

extension IntervalReply {
    /// Creates a reply from a plan. Tick 0 of the plan is photo 1 of the reply.
    init(_ plan: IntervalPlan, _ status: CameraStatus) {
        func photos(_ runs: [IntervalPlan.Run]) -> [Photos] {
            runs.map { Photos(first: $0.first + 1, last: $0.last + 1) }
        }
        self.init(
            camera: CameraNameReply(status), state: plan.state,
            everyMs: plan.command.periodMs, count: plan.command.count, past: plan.next, shot: plan.shot,
            missed: photos(plan.missed), refused: photos(plan.refused),
            latestMs: Double(plan.latestUs) / 1_000,
            failedSettings: plan.failedChanges.map(FailedSettings.init),
            reason: plan.shortfall ?? plan.reason)
    }
}

extension IntervalReply.FailedSettings {
    /// Creates a reply from failed changes. Tick 0 is photo 1 of the reply.
    init(_ failed: FailedSettingChanges) {
        self.init(
            count: failed.count, photo: failed.tick + 1,
            key: SettingName.text(key: failed.change.key, name: failed.change.name),
            asked: failed.change.value, reason: failed.reason)
    }
}
