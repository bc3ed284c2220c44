/// Presets: settings of cameras under a name.
public struct PresetEndpoints: Sendable {
    /// Every preset, by name.
    public let list = Endpoint<NoPath, NoInput, PresetsReply>(
        .get, "/presets", .read, "Every preset, by name")
    /// One preset.
    public let get = Endpoint<PresetName, NoInput, PresetReply>(
        .get, "/presets/{id}", .read, "One preset", errors: [.invalid])
    /// Saves a preset in the place of one of this name.
    public let save = Endpoint<PresetName, PresetSaveRequest, PresetReply>(
        .put, "/presets/{id}", .control, "Save a preset, from a camera or from values",
        errors: [.conflict, .invalid, .unsupported, .cameraFailed],
        patienceSeconds: CameraPatience.settingsSeconds)
    /// Removes a preset; gives the others.
    public let remove = Endpoint<PresetName, NoInput, PresetsReply>(
        .delete, "/presets/{id}", .control, "Remove a preset", errors: [.invalid])
    /// Sets a camera to what a preset says.
    public let apply = Endpoint<PresetName, PresetApplyRequest, SettingsChangeReply>(
        .post, "/presets/{id}/apply", .control, "Set a camera to what a preset says",
        errors: [.conflict, .invalid, .unsupported, .cameraFailed],
        patienceSeconds: CameraPatience.settingsSeconds)
}
