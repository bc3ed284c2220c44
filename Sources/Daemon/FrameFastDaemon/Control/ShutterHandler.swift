import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import WorkerProtocol

/// The endpoints that release the shutter of one camera, or of all connected cameras.
struct ShutterHandler: EndpointHandler {
    let registry: CameraRegistry
    let lookup: CameraLookup

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.cameras.trigger, with: trigger)
        table.handle(\.cameras.triggerAll, with: triggerAll)
    }

    func trigger(_ camera: CameraReference) async throws(ControlError) -> TriggerReply {
        let (status, connection) = try lookup.connectedCamera(camera)
        do throws(WorkerFailure) { try await connection.trigger() } catch {
            throw ControlError(
                error, "release the shutter of '\(status.name)'",
                nextStep: "Check the camera: it may be asleep or out of focus, or its card may be full.")
        }
        return TriggerReply(triggered: [status.name])
    }

    func triggerAll() async throws(ControlError) -> TriggerReply {
        let ready = registry.all.compactMap { status in
            registry.connection(of: status.id).map { (name: status.name, connection: $0) }
        }
        guard !ready.isEmpty else {
            throw ControlError(
                .conflict, "no camera is connected",
                nextStep: "Run 'framefast cameras' to see what the cameras need.")
        }
        return await Self.triggerAll(ready)
    }

    private static func triggerAll(
        _ cameras: [(name: String, connection: CameraConnection)]
    ) async -> TriggerReply {
        await withTaskGroup(of: (String, WorkerFailure?).self) { group in
            for (name, connection) in cameras {
                group.addTask {
                    do throws(WorkerFailure) { try await connection.trigger() } catch { return (name, error) }
                    return (name, nil)
                }
            }
            var reply = TriggerReply(triggered: [])
            for await (camera, failure) in group {
                if let failure {
                    reply.refused.append(.init(camera: camera, message: failure.text))
                } else {
                    reply.triggered.append(camera)
                }
            }
            return reply
        }
    }
}
