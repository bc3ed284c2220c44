import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem

/// The presets, one file each. People may read, write and copy the files.
struct PresetStore: Sendable {
    /// The maximum number of presets in a list.
    private static let listMax = 1_000
    private static let ending = ".toml"

    let folder: String

    /// Returns the presets in the order of their names. A preset whose file is invalid has the reason as its
    /// `problem`.
    func all() throws(ControlError) -> [PresetReply] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = files.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }
            .filter(CameraNameText.isValid).sorted()
        return names.prefix(Self.listMax).map { name in
            let name = PresetName(rawValue: name)
            do throws(ControlError) { return try preset(name) } catch {
                return PresetReply(name: name, settings: [:], problem: error.message)
            }
        }
    }

    /// Reads a preset.
    func preset(_ name: PresetName) throws(ControlError) -> PresetReply {
        let path = try path(name)
        guard DurableFile.exists(path) else {
            throw ControlError(
                .notFound, "there is no preset '\(name)'",
                nextStep:
                    "See 'framefast preset list', or save one with 'framefast preset save \(name) CAMERA'.")
        }
        guard DurableFile.isRegular(path), let handle = FileHandle(forReadingAtPath: path),
            let data = try? handle.read(upToCount: PresetText.bytesMax + 1) ?? Data(),
            data.count <= PresetText.bytesMax
        else {
            throw Self.broken(
                "\(path): cannot be read, or is not a file of at most \(PresetText.bytesMax) bytes")
        }
        do throws(ConfigurationErrors) {
            let text = String(decoding: data, as: UTF8.self)
            return PresetReply(name: name, settings: try PresetText.settings(in: text, file: path))
        } catch { throw Self.broken(error.description) }
    }

    private static func broken(_ reason: String) -> ControlError {
        ControlError(.invalid, reason, nextStep: "Correct the file, or save the preset again.")
    }

    /// Writes a preset, which replaces an existing preset with this name.
    ///
    /// - Parameter head: The comment lines above the settings.
    func save(
        _ name: PresetName, _ settings: [String: String], head: [String]
    ) throws(ControlError) -> PresetReply {
        let path = try path(name)
        let text = PresetText.text(settings, head: head)
        do throws(SystemCallError) {
            try DurableFile.createFolder(folder)
            try DurableFile.remove(path + ".part")
            try DurableFile.write(Array(text.utf8), new: path + ".part")
            try DurableFile.replace(path, with: path + ".part")
            try DurableFile.syncFolder(folder)
        } catch {
            throw ControlError(
                .internal, "cannot save preset '\(name)': \(error)", nextStep: "Check the service's log.")
        }
        return try preset(name)
    }

    /// Removes a preset.
    func remove(_ name: PresetName) throws(ControlError) {
        let path = try path(name)
        guard DurableFile.exists(path) else {
            throw ControlError(
                .notFound, "there is no preset '\(name)'", nextStep: "See 'framefast preset list'.")
        }
        do throws(SystemCallError) {
            try DurableFile.remove(path)
            try DurableFile.syncFolder(folder)
        } catch {
            throw ControlError(
                .internal, "cannot remove preset '\(name)': \(error)", nextStep: "Check the service's log.")
        }
    }

    private func path(_ name: PresetName) throws(ControlError) -> String {
        guard CameraNameText.isValid(name.rawValue) else {
            throw ControlError(
                .invalid, "cannot name a preset '\(name)'",
                nextStep:
                    "Use letters, digits, '-', '_' and '.', like studio. The name becomes a file name."
            )
        }
        return "\(folder)/\(name)\(Self.ending)"
    }
}
