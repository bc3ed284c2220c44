/// Endpoints for presets, which are named camera settings.
public struct PresetEndpoints: Sendable {
    /// Lists every preset, by name.
    public let list = Endpoint<NoPath, NoInput, PresetsReply>(
        .get, "/presets", .read, "All presets, by name")
    /// Returns one preset.
    public let get = Endpoint<PresetName, NoInput, PresetReply>(
        .get, "/presets/{id}", .read, "One preset", errors: [.invalid])
    /// Saves a preset and replaces a preset of the same name.
    public let save = Endpoint<PresetName, PresetSaveRequest, PresetReply>(
        .put, "/presets/{id}", .control, "Save a preset, from a camera or from values",
        errors: [.conflict, .invalid, .unsupported, .cameraFailed],
        timeoutSeconds: CameraTimeout.settingsSeconds)
    /// Deletes a preset, and returns the remaining presets.
    public let remove = Endpoint<PresetName, NoInput, PresetsReply>(
        .delete, "/presets/{id}", .control, "Remove a preset", errors: [.invalid])
    /// Applies a preset to a camera.
    public let apply = Endpoint<PresetName, PresetApplyRequest, SettingsChangeReply>(
        .post, "/presets/{id}/apply", .control, "Apply a preset to a camera",
        errors: [.conflict, .invalid, .unsupported, .cameraFailed],
        timeoutSeconds: CameraTimeout.settingsSeconds)
}
