import CGPhoto2
import Glibc

/// A setting of the driver for a camera.
public struct ConfigEntry: Hashable, Sendable {
    /// A range of allowed numbers.
    public struct Range: Hashable, Sendable {
        /// The minimum.
        public var least: Float
        /// The maximum.
        public var most: Float
        /// The distance between two allowed numbers.
        public var step: Float
    }

    /// The widget name, for example `capturetarget`.
    public var name: String
    /// The label for users, in English.
    public var label: String
    /// The current value as text: seconds since 1970 for a date, and 0 or 1 for a toggle.
    public var value: String
    /// The allowed values. Empty for free text, numbers and dates.
    public var choices: [String]
    /// The allowed numbers, or `nil` for values that are not numbers.
    public var range: Range?
    /// Whether the camera refuses changes.
    public var isReadOnly: Bool

    /// Creates an entry.
    public init(
        name: String, label: String, value: String, choices: [String], range: Range? = nil, isReadOnly: Bool
    ) {
        self.name = name
        self.label = label
        self.value = value
        self.choices = choices
        self.range = range
        self.isReadOnly = isReadOnly
    }
}

extension CameraHandle {
    /// Returns the names of all settings, without reading their values.
    public borrowing func configNames() throws(CameraError) -> [String] {
        var found: OpaquePointer?
        guard gp_list_new(&found) == GP_OK, let found else { throw Self.outOfMemory }
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
    /// - Parameter isListed: Whether the text must be one of the choices. For some settings, an EOS reports
    ///   no choices, and the driver lists only the current value. The driver nevertheless accepts all values
    ///   in its table, and codes such as `Unknown value 005d` (_put_Generic16Table).
    /// - Throws: An error of kind ``CameraError/Kind-swift.enum/badParameter`` if the text is not one of the
    ///   choices or not a valid number, or the camera's response (see ``CameraError/response``).
    public borrowing func setConfig(
        _ name: String, to value: String, isListed: Bool = true
    ) throws(CameraError) {
        tap.dialogue.polled.isConfiguring = true
        defer { tap.dialogue.polled.isConfiguring = false }
        let widget = try widget(name)
        defer { gp_widget_free(widget) }
        guard Widget.set(widget, to: value, isListed: isListed) else {
            throw CameraError(
                kind: .badParameter, code: GP_ERROR_BAD_PARAMETERS, operation: DriverCall.setConfig.name,
                text: "\(name) cannot be set to \(value)")
        }
        try call(.setConfig) { gp_camera_set_single_config(raw, name, widget, $0) }
        // For values that are set by number, the driver reports success regardless of the camera's response
        // (_set_config). Only the driver's message contains the error.
        guard PTPResponse.code(in: context.messages) != nil else { return }
        throw refined(Self.error(GP_ERROR, .setConfig, context))
    }

    private borrowing func widget(_ name: String) throws(CameraError) -> OpaquePointer {
        var widget: OpaquePointer?
        try call(.getConfig) { gp_camera_get_single_config(raw, name, &widget, $0) }
        // If this camera does not have the function, the driver may report success without a widget.
        guard let widget else { throw Self.notAValue(name, .getConfig) }
        return widget
    }

    private static func notAValue(_ name: String, _ during: DriverCall) -> CameraError {
        CameraError(
            kind: .badParameter, code: GP_ERROR_BAD_PARAMETERS, operation: during.name,
            text: "the camera has no value \(name)")
    }
}
