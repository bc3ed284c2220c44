import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import WorkerProtocol

/// The endpoints that read and set the clocks of cameras.
struct ClockHandler: EndpointHandler {
    let registry: CameraRegistry
    let lookup: CameraLookup

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.cameras.clock, with: clock)
        table.handle(\.cameras.clocks, with: clocks)
        table.handle(\.cameras.setClock, with: setClock)
        table.handle(\.cameras.setClocks, with: setClocks)
    }

    func clock(_ camera: CameraReference) async throws(ControlError) -> ClocksReply {
        Self.clockReply(try lookup.connectedCamera(camera).status)
    }

    func clocks() async throws(ControlError) -> ClocksReply {
        connected.map { Self.clockReply($0.status) }.reduce(into: ClocksReply(clocks: [])) { $0.add($1) }
    }

    func setClock(_ camera: CameraReference) async throws(ControlError) -> ClocksReply {
        let (status, connection) = try lookup.connectedCamera(camera)
        do throws(WorkerFailure) {
            let set = try await connection.setClock()
            return ClocksReply(clocks: [ClockReply(status, set)])
        } catch {
            throw ControlError(
                error, "set the clock of '\(status.name)'",
                nextStep: "Set the clock in the camera's own menu.")
        }
    }

    func setClocks() async throws(ControlError) -> ClocksReply {
        let cameras = connected
        guard !cameras.isEmpty else {
            throw ControlError(
                .conflict, "no camera is connected",
                nextStep: "Run 'framefast cameras' to see what the cameras need.")
        }
        return await withTaskGroup(of: ClocksReply.self) { group in
            for (status, connection) in cameras {
                group.addTask {
                    do throws(WorkerFailure) {
                        return ClocksReply(clocks: [ClockReply(status, try await connection.setClock())])
                    } catch {
                        return ClocksReply(
                            clocks: [], refused: [.init(camera: status.name, message: error.text)])
                    }
                }
            }
            var reply = ClocksReply(clocks: [])
            for await one in group { reply.add(one) }
            reply.clocks.sort { $0.camera.name < $1.camera.name }
            return reply
        }
    }

    private var connected: [(status: CameraStatus, connection: CameraConnection)] {
        registry.all.compactMap { status in registry.connection(of: status.id).map { (status, $0) } }
    }

    private static func clockReply(_ status: CameraStatus) -> ClocksReply {
        guard let drift = status.facts?.clockDriftSeconds else {
            return ClocksReply(
                clocks: [],
                refused: [.init(camera: status.name, message: "the camera does not report its time")])
        }
        return ClocksReply(clocks: [ClockReply(camera: .init(status), driftMs: drift * 1_000)])
    }
}

extension ClocksReply {
    fileprivate mutating func add(_ other: Self) {
        clocks += other.clocks
        refused += other.refused
    }
}

extension ClockReply {
    fileprivate init(_ status: CameraStatus, _ set: CameraClockSetting) {
        self.init(camera: .init(status), driftMs: set.driftAfterMs, driftBeforeMs: set.driftBeforeMs)
    }
}
