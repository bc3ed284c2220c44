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

    /// What a setting was changed for.
    enum Purpose: String, CaseIterable {
        /// The whole session.
        case session = ""
        /// Live view, by the driver.
        case liveView = "live view: "
        /// An operation: a bulb's shutter speed, a bracket's exposure.
        case operation = "operation: "
    }

    /// The camera's own value of a setting; `nil` when it was not changed.
    subscript(setting: String, for purpose: Purpose = .session) -> String? {
        all[camera]?[purpose.rawValue + setting]
    }

    /// Settings that were changed.
    func changed(for purpose: Purpose = .session) -> [String: String] {
        var settings: [String: String] = [:]
        for (name, value) in all[camera] ?? [:] {
            let other = Purpose.allCases.first { $0 != .session && name.hasPrefix($0.rawValue) }
            guard other ?? .session == purpose else { continue }
            settings[String(name.dropFirst(purpose.rawValue.count))] = value
        }
        return settings
    }

    /// Notes a value before it is changed, on disk.
    mutating func remember(_ setting: String, _ value: String, for purpose: Purpose = .session) {
        if all[camera] == nil, all.count >= Self.camerasMax { all = [:] }
        all[camera, default: [:]][purpose.rawValue + setting] = value
        save()
    }

    /// The camera has its own value again.
    mutating func forget(_ setting: String, for purpose: Purpose = .session) {
        guard all[camera]?.removeValue(forKey: purpose.rawValue + setting) != nil else { return }
        if all[camera]?.isEmpty == true { all[camera] = nil }
        save()
    }

    private func save() {
        do { try JSONEncoder().encode(all).write(to: URL(filePath: path), options: .atomic) } catch {
            Log.line("cannot note the camera's settings: \(error)")
        }
    }
}
