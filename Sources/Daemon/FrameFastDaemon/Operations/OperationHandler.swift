import APIServer
import Cameras
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import WorkerProtocol

/// The endpoints that start and stop camera operations: bulb, bracket, focus stack, focus and movie.
struct OperationHandler: EndpointHandler {
    let groups: GroupLookup
    let intervals: IntervalPlans

    private var lookup: CameraLookup { groups.cameras }

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.operations.get, with: get)
        table.handle(\.operations.bulb, with: bulb)
        table.handle(\.operations.bracket, with: bracket)
        table.handle(\.operations.stack, with: stack)
        table.handle(\.operations.focus, with: focus)
        table.handle(\.operations.movie, with: movie)
        table.handle(\.operations.stop, with: stop(_:))
        table.handle(\.groups.stop, with: stop(group:))
    }

    func get(_ camera: CameraReference) async throws(ControlError) -> CameraOperationReply {
        reply(try lookup.camera(camera))
    }

    func bulb(
        _ camera: CameraReference, _ request: BulbRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let command = BulbCommand(durationMs: Self.ms(request.seconds))
        return try await start(camera, .bulb(command), "take a long exposure with '%'")
    }

    func bracket(
        _ camera: CameraReference, _ request: BracketRequest
    ) async throws(ControlError) -> CameraOperationReply {
        try await start(camera, .bracket(BracketCommand(stops: request.stops)), "take a bracket with '%'")
    }

    func stack(
        _ camera: CameraReference, _ request: FocusStackRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let command = FocusStackCommand(count: request.count, step: FocusStep(request.move))
        return try await start(camera, .focusStack(command), "take a focus stack with '%'")
    }

    func movie(
        _ camera: CameraReference, _ request: MovieRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let command = MovieCommand(durationMs: request.seconds.map(Self.ms))
        return try await start(camera, .movie(command), "record a movie with '%'")
    }

    func focus(
        _ camera: CameraReference, _ request: FocusRequest
    ) async throws(ControlError) -> CameraOperationReply {
        let (status, connection) = try lookup.connectedCamera(camera)
        let command: FocusCommand =
            switch request.action {
            case .auto: .auto
            case .cancel: .cancel
            case .near, .far: .drive(FocusStep(request))
            case nil: throw ControlError(.invalid, "cannot focus '\(request.$action)'")
            }
        do throws(WorkerFailure) { try await connection.focus(command) } catch {
            throw ControlError(
                error, "focus '\(status.name)'",
                nextStep: "Check the lens and the light. Moving the focus requires live view.")
        }
        return reply(status)
    }

    func stop(_ camera: CameraReference) async throws(ControlError) -> CameraOperationReply {
        let status = try lookup.camera(camera)
        let wasPlanned = intervals.stop(status.id, "the interval was stopped")
        guard let connection = lookup.registry.connection(of: status.id) else {
            // The interval does not continue when the camera is connected again.
            if wasPlanned { return reply(status) }
            throw ControlError(
                .conflict, "camera '\(camera)' is not connected",
                nextStep: "No operation is running on the camera.")
        }
        do throws(WorkerFailure) { try await connection.endOperation() } catch {
            throw ControlError(error, "stop the operation of '\(status.name)'")
        }
        // The operation had already ended, so do not report it as stopped.
        guard status.operation?.state == .running else {
            return CameraOperationReply(camera: CameraNameReply(status), operation: nil)
        }
        return reply(status)
    }

    func stop(group: GroupName) async throws(ControlError) -> GroupOperationsReply {
        let (stopped, missing) = try await groups.forEachCamera(of: group) { camera throws(ControlError) in
            try await stop(camera)
        }
        return GroupOperationsReply(group: group, cameras: stopped, missing: missing)
    }

    // MARK: Starting

    private func start(
        _ camera: CameraReference, _ operation: CameraOperation, _ doing: String
    ) async throws(ControlError) -> CameraOperationReply {
        let (status, connection) = try lookup.connectedCamera(camera)
        do throws(WorkerFailure) { try await connection.startOperation(operation) } catch {
            throw ControlError(
                error, doing.replacing("%", with: status.name),
                nextStep: "Check the camera's mode, lens and screen.")
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
    /// Creates a step from a validated request.
    init(_ request: FocusRequest) {
        self.init(
            isFar: request.action == .far, count: request.steps ?? 1,
            size: request.size?.known ?? .medium)
    }
}

extension OperationReply {
    /// Creates a reply from the progress that a worker reports.
    init(_ progress: CameraOperationProgress) {
        self.init(
            kind: progress.kind, state: progress.state, done: progress.done, total: progress.total,
            elapsedMs: progress.elapsedMs,
            nextAt: progress.nextAtMs.map { Date(timeIntervalSince1970: Double($0) / 1_000) },
            reason: progress.reason)
    }
}
