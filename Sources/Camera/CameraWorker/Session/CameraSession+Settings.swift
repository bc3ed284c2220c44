import FrameFastModel
import GPhoto2
import WorkerProtocol

extension CameraSession {
    /// Reads settings by the driver's names.
    mutating func readSettings(_ id: UInt64, _ names: [String]) {
        do throws(CameraError) { try camera.catchUpOnSettings() } catch {
            return daemon.send(.failed(id: id, judge(error, during: "settings")))
        }
        var settings: [CameraSetting] = []
        for name in names where loss == nil {
            do throws(CameraError) {
                let entry = try camera.config(name)
                settings.append(
                    CameraSetting(
                        key: nil, name: entry.name, value: nil, word: entry.value,
                        choices: entry.choices.map { CameraSetting.Choice(value: nil, word: $0) },
                        writable: entry.isReadOnly ? .no : .yes))
            } catch { judge(error, during: "settings") }
        }
        if let loss { return daemon.send(.failed(id: id, loss)) }
        daemon.send(.settings(id: id, settings))
    }

    /// Changes settings.
    mutating func writeSettings(_ id: UInt64, _ order: CameraSettingsOrder) {
        daemon.send(.failed(id: id, Self.notYet))
    }

    /// Sets the camera's clock.
    mutating func setClock(_ id: UInt64, zoneOffsetSeconds: Int) {
        daemon.send(.failed(id: id, Self.notYet))
    }

    /// Operations.
    mutating func refuse(_ id: UInt64) {
        daemon.send(.failed(id: id, Self.notYet))
    }

    private static let notYet = WorkerFailure(kind: .unsupported, during: "settings", text: "not yet")
}
