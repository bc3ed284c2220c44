import FoundationEssentials
import Glibc

/// The camera's own settings from before they were changed here, kept in this worker's home: what a crash kept from
/// being given back is given back at the end of the next session with the same camera.
struct SettingsMemory {
    /// Cameras that are remembered, at most.
    private static let camerasMax = 64

    private let path: String
    /// Who the camera is.
    let camera: String
    private var all: [String: [String: String]]

    /// - Parameter camera: who the camera is: maker and serial number.
    init(camera: String) {
        self.camera = camera
        path = WorkerPlace.home + "/camera-settings.json"
        let file = try? Data(contentsOf: URL(filePath: path))
        all = file.flatMap { try? JSONDecoder().decode([String: [String: String]].self, from: $0) } ?? [:]
    }

    /// The camera's own value of a setting; `nil` when it was not changed.
    subscript(setting: String) -> String? { all[camera]?[setting] }

    /// Settings that were changed.
    var changed: [String: String] { all[camera] ?? [:] }

    /// Notes a value before it is changed, on disk.
    mutating func remember(_ setting: String, _ value: String) {
        if all[camera] == nil, all.count >= Self.camerasMax { all = [:] }
        all[camera, default: [:]][setting] = value
        save()
    }

    /// The camera has its own value again.
    mutating func forget(_ setting: String) {
        guard all[camera]?.removeValue(forKey: setting) != nil else { return }
        if all[camera]?.isEmpty == true { all[camera] = nil }
        save()
    }

    private func save() {
        do { try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic) } catch {
            Log.line("cannot note the camera's settings: \(error)")
        }
    }
}
