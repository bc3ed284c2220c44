import CGPhoto2
import Glibc

extension CameraHandle {
    /// Returns the names of all settings, without reading their values.
    public borrowing func configNames() throws(CameraError) -> [String] {
        var found: OpaquePointer?
        guard gp_list_new(&found) == GP_OK, let found else { throw CameraError.outOfMemory }
        defer { gp_list_free(found) }
        try call(.listConfig) { gp_camera_list_config(raw, found, $0) }
        return (0..<max(0, gp_list_count(found))).compactMap { index in
            var name: UnsafePointer<CChar>?
            guard gp_list_get_name(found, index, &name) == GP_OK, let name else { return nil }
            return String(cString: name)
        }
    }

    /// Reads one setting.
    public borrowing func config(_ name: String) throws(CameraError) -> ConfigEntry {
        tap.dialogue.polled.isConfiguring = true
        defer { tap.dialogue.polled.isConfiguring = false }
        let widget = try widget(name)
        defer { gp_widget_free(widget) }
        guard let entry = Widget.entry(widget) else { throw Self.notAValue(name, .getConfig) }
        return entry
    }

    /// Sets a setting to a value in text form.
    ///
    /// - Parameters:
    ///   - isListed: Whether the text must be one of the choices. For some settings, an EOS reports no
    ///     choices, and the driver lists only the current value. The driver nevertheless accepts all values
    ///     in its table, and codes such as `Unknown value 005d` (_put_Generic16Table).
    ///   - endsForPhoto: Whether a change in steps ends early when a photo in a Sony's memory can be read
    ///     (see ``SteppedChange``).
    /// - Returns: `false` if the change has ended early. The camera may still complete a step.
    /// - Throws: An error of kind ``CameraError/Kind-swift.enum/badParameter`` if the text is not one of the
    ///   choices or not a valid number. Otherwise, the error contains the camera's response (see
    ///   ``CameraError/response``).
    @discardableResult
    public borrowing func setConfig(
        _ name: String, to value: String, isListed: Bool = true, endsForPhoto: Bool = false
    ) throws(CameraError) -> Bool {
        tap.dialogue.polled.isConfiguring = true
        defer { tap.dialogue.polled.isConfiguring = false }
        let widget = try widget(name)
        defer { gp_widget_free(widget) }
        guard Widget.set(widget, to: value, isListed: isListed) else {
            throw CameraError(
                kind: .badParameter, code: GP_ERROR_BAD_PARAMETERS, operation: DriverCall.setConfig.name,
                text: "\(name) cannot be set to \(value)")
        }
        tap.dialogue.steppedChange = endsForPhoto ? SteppedChange() : nil
        defer { tap.dialogue.steppedChange = nil }
        tap.dialogue.nikonBulbEnd = nil
        do throws(CameraError) {
            try call(.setConfig) { gp_camera_set_single_config(raw, name, widget, $0) }
        } catch {
            // After a Nikon has ended a bulb exposure, the driver waits at most 5 s until the camera is ready
            // (_put_Nikon_Bulb). With noise reduction, the camera is busy for as long as the exposure
            // (libgphoto2 issue 94).
            let hasEndedBulb = tap.dialogue.nikonBulbEnd == PTPResponse.good
            if hasEndedBulb, error.kind == .busy || error.kind == .refused { return true }
            guard isChangeInterrupted, Self.interruptionErrors.contains(error.kind) else { throw error }
        }
        // After an interruption, the driver tries its other methods for the setting. The call may therefore
        // succeed.
        guard !isChangeInterrupted else { return false }
        // For values that are set by number, the driver reports success regardless of the camera's response
        // (_set_config). Only the driver's message contains the error.
        guard PTPResponse.code(in: context.messages) != nil else { return true }
        throw classified(CameraError(status: GP_ERROR, call: .setConfig, context: context))
    }

    /// The errors of the driver after an interrupted change: "busy", or the error of the driver's last method
    /// for the setting (_set_config).
    private static let interruptionErrors: Set<CameraError.Kind> = [.busy, .badParameter, .refused]

    private var isChangeInterrupted: Bool { tap.dialogue.steppedChange?.isInterrupted == true }

    private borrowing func widget(_ name: String) throws(CameraError) -> OpaquePointer {
        var widget: OpaquePointer?
        try call(.getConfig) { gp_camera_get_single_config(raw, name, &widget, $0) }
        // If the camera does not have the setting, the driver may report success without a widget.
        guard let widget else { throw Self.notAValue(name, .getConfig) }
        return widget
    }

    private static func notAValue(_ name: String, _ during: DriverCall) -> CameraError {
        CameraError(
            kind: .badParameter, code: GP_ERROR_BAD_PARAMETERS, operation: during.name,
            text: "the camera does not have the setting \(name)")
    }
}
