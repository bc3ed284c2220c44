import APIServer
import Cameras
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import WorkerProtocol

/// The endpoints that read and change the settings of cameras.
struct SettingsHandler: EndpointHandler {
    let lookup: CameraLookup
    let changer: SettingsChanger

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.cameras.settings, with: settings)
        table.handle(\.cameras.changeSettings, with: change)
    }

    func settings(
        _ camera: CameraReference, _ query: SettingsQuery
    ) async throws(ControlError) -> SettingsReply {
        var names: [String] = []
        do throws(CameraSettingFault) {
            for name in query.names { names.append(try SettingName(name).name) }
        } catch { throw ControlError(error, .badRequest) }
        let (status, connection) = try lookup.connectedCamera(camera)
        do throws(WorkerFailure) {
            let settings = try await connection.settings(names)
            return SettingsReply(camera: .init(status), settings: settings.map(SettingReply.init))
        } catch {
            throw ControlError(error, "read the settings of '\(status.name)'")
        }
    }

    func change(
        _ camera: CameraReference, _ request: SettingsChangeRequest
    ) async throws(ControlError) -> SettingsChangeReply {
        let changes: [CameraSettingChange]
        do throws(CameraSettingFault) { changes = try SettingName.changes(request.changes) } catch {
            throw ControlError(error)
        }
        let (status, connection) = try lookup.connectedCamera(camera)
        let command = CameraSettingsCommand(
            changes, takesNearest: request.nearest ?? false, isTrial: request.dryRun ?? false)
        do throws(WorkerFailure) {
            let results = try await changer.change(connection, command)
            return SettingsChangeReply(
                camera: .init(status), results: results.map(SettingResultReply.init))
        } catch {
            throw ControlError(error, "change the settings of '\(status.name)'")
        }
    }
}

extension ControlError {
    /// Creates the error for an invalid setting in a request.
    init(_ fault: CameraSettingFault, _ code: ErrorReply.Code = .invalid) {
        self.init(code, fault.message, nextStep: fault.nextStep)
    }
}
