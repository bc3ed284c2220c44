import APIServer
import Cameras
import Foundation
import FrameFastAPI
import FrameFastConfiguration
import FrameFastModel
import FrameFastSystem

/// The endpoints that list, show, save, apply and remove presets.
struct PresetHandler: EndpointHandler {
    /// The settings that a preset omits. The service sets the capture target, and the size of live view
    /// does not affect photos.
    private static let excludedKeys: Set<CameraSettingKey> = [.captureTarget, .liveViewSize]

    let store: PresetStore
    let settings: SettingsHandler
    let lookup: CameraLookup
    let conditionBoard: ConditionBoard
    let clock: HostClock

    func attachHandlers(to table: inout EndpointTable) {
        table.handle(\.presets.list, with: list)
        table.handle(\.presets.get, with: get)
        table.handle(\.presets.save, with: save)
        table.handle(\.presets.remove, with: remove)
        table.handle(\.presets.apply, with: apply)
    }

    func list() async throws(ControlError) -> PresetsReply { PresetsReply(presets: try store.all()) }

    func get(_ name: PresetName) async throws(ControlError) -> PresetReply { try store.preset(name) }

    func remove(_ name: PresetName) async throws(ControlError) -> PresetsReply {
        try store.remove(name)
        return try await list()
    }

    func apply(
        _ name: PresetName, _ request: PresetApplyRequest
    ) async throws(ControlError) -> SettingsChangeReply {
        let values = try store.preset(name).settings
        let reply = try await settings.change(
            request.camera,
            SettingsChangeRequest(changes: values, nearest: request.nearest, dryRun: request.dryRun))
        if request.dryRun != true { clearCondition(name, reply) }
        return reply
    }

    /// Clears the condition of a camera that now has its configured preset. Accepts a nearest value if the
    /// request allowed it.
    private func clearCondition(_ name: PresetName, _ reply: SettingsChangeReply) {
        let isSet = reply.results.allSatisfy(\.isDone)
        let connection = lookup.registry.connection(of: reply.camera.id)
        guard isSet, let connection, connection.configured.preset == name.rawValue else { return }
        conditionBoard.clear(.presetNotApplied, subject: .camera(connection.camera))
    }

    func save(
        _ name: PresetName, _ request: PresetSaveRequest
    ) async throws(ControlError) -> PresetReply {
        let day = clock.now().formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
        guard let camera = request.camera else {
            let values = request.settings ?? [:]
            do throws(CameraSettingFault) { _ = try SettingName.changes(values) } catch {
                throw ControlError(error)
            }
            return try store.save(name, values, head: ["Preset \(name), saved on \(day)."])
        }
        let status = try lookup.camera(camera)
        let read = try await settings.settings(camera, SettingsQuery(names: request.names ?? [])).settings
        let isNamed = request.names != nil
        let kept = read.filter { setting in
            guard setting.value != nil else { return false }
            return isNamed || Self.isIncluded(setting, among: read)
        }
        guard !kept.isEmpty else {
            throw ControlError(
                .invalid, "cannot save a preset of '\(status.name)': it reports none of these settings",
                nextStep: "See 'framefast get \(status.name)'.")
        }
        let model = [status.facts?.maker, status.facts?.model].compactMap(\.self).joined(separator: " ")
        return try store.save(
            name, Dictionary(kept.map { ($0.key, $0.value ?? "") }) { first, _ in first },
            head: [
                "Preset \(name), saved on \(day) from \(status.name)" + (model.isEmpty ? "." : " (\(model)).")
            ])
    }

    /// Returns whether a preset includes a setting that the request does not name. Omits settings that the
    /// exposure mode controls, because they are read-only.
    private static func isIncluded(_ setting: SettingReply, among all: [SettingReply]) -> Bool {
        guard let key = CameraSettingKey(rawValue: setting.key), !setting.readOnly,
            !excludedKeys.contains(key)
        else {
            return false
        }
        // A color temperature only applies if the white balance is `kelvin`.
        return key != .kelvin
            || all.contains { $0.key == CameraSettingKey.whiteBalance.rawValue && $0.value == "kelvin" }
    }
}
