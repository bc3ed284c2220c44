import APIServer
import Cameras
import FrameFastAPI
import FrameFastModel
import WorkerProtocol

/// What cameras are set to, and changing it from here.
struct SettingsHandler: EndpointHandler {
    let registry: CameraRegistry
    let lookup: CameraLookup

    func attach(to table: inout EndpointTable) {
        table.on(\.cameras.settings, settings)
        table.on(\.cameras.changeSettings, change)
    }

    func settings(
        _ camera: CameraReference, _ query: SettingsQuery
    ) async throws(ControlError) -> SettingsReply {
        var names: [String] = []
        for name in query.names { names.append(try SettingName(name, refusal: .badRequest).name) }
        let (status, session) = try lookup.connected(camera)
        do throws(WorkerFailure) {
            let settings = try await session.settings(names)
            return SettingsReply(camera: .init(status), settings: settings.map(SettingReply.init))
        } catch {
            throw ControlError(error, "read the settings of '\(status.name)'")
        }
    }

    func change(
        _ camera: CameraReference, _ request: SettingsChangeRequest
    ) async throws(ControlError) -> SettingsChangeReply {
        let changes = try SettingName.changes(request.changes)
        let (status, session) = try lookup.connected(camera)
        let order = CameraSettingsOrder(
            changes, takesNearest: request.nearest ?? false, isTrial: request.dryRun ?? false)
        do throws(WorkerFailure) {
            let results = try await session.change(order)
            return SettingsChangeReply(
                camera: .init(status), results: results.map(SettingResultReply.init))
        } catch {
            throw ControlError(error, "change the settings of '\(status.name)'")
        }
    }
}
