import CGPhoto2
import Glibc

/// A configuration value of a camera.
public struct ConfigEntry: Hashable, Sendable {
    /// Numbers that are allowed.
    public struct Range: Hashable, Sendable {
        /// The least.
        public var least: Float
        /// The most.
        public var most: Float
        /// Distance between two.
        public var step: Float
    }

    /// Widget name, for example `capturetarget`.
    public var name: String
    /// Label for people, in English.
    public var label: String
    /// Current value as text; a date is seconds since 1970, a toggle 0 or 1.
    public var value: String
    /// Allowed values; empty for free text, numbers and dates.
    public var choices: [String]
    /// Allowed numbers; `nil` for what is no number.
    public var range: Range?
    /// Whether the camera refuses changes.
    public var isReadOnly: Bool

    /// Creates a value.
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
    /// Names of everything that can be read or set, without reading it.
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

    /// The whole configuration, section by section. Slow on real bodies: every property is asked for.
    public borrowing func configTree() throws(CameraError) -> [ConfigEntry] {
        var window: OpaquePointer?
        try call(.getConfig) { gp_camera_get_config(raw, &window, $0) }
        guard let window else { return [] }
        defer { gp_widget_free(window) }
        return Self.leaves(under: window)
    }

    /// Reads one value.
    public borrowing func config(_ name: String) throws(CameraError) -> ConfigEntry {
        tap.dialogue.polled.isConfiguring = true
        defer { tap.dialogue.polled.isConfiguring = false }
        let widget = try widget(name)
        defer { gp_widget_free(widget) }
        guard let entry = Widget.entry(widget) else { throw Self.notAValue(name, .getConfig) }
        return entry
    }

    /// Sets one value by its text.
    ///
    /// - Parameter isListed: whether the text must be one of the choices. An EOS lists none for some settings, and the driver
    ///   then only the value that there is; it takes every word of its own table, and codes such as `Unknown value 005d`
    ///   (_put_Generic16Table).
    /// - Throws: kind ``CameraError/Kind-swift.enum/badParameter`` when the text is none of the choices or no number
    ///   where one is needed; else with what the camera answered, see ``CameraError/response``.
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
        // What is set by its number succeeds whatever the camera answers (_set_config): only the text tells.
        guard PTPResponse.told(in: context.said) != nil else { return }
        throw refined(Self.error(GP_ERROR, .setConfig, context))
    }

    private borrowing func widget(_ name: String) throws(CameraError) -> OpaquePointer {
        var widget: OpaquePointer?
        try call(.getConfig) { gp_camera_get_single_config(raw, name, &widget, $0) }
        // The driver can report success and give none, for a function that this body does not have.
        guard let widget else { throw Self.notAValue(name, .getConfig) }
        return widget
    }

    private static func notAValue(_ name: String, _ during: DriverCall) -> CameraError {
        CameraError(
            kind: .badParameter, code: GP_ERROR_BAD_PARAMETERS, operation: during.name,
            text: "the camera has no value \(name)")
    }

    private static func leaves(under parent: OpaquePointer) -> [ConfigEntry] {
        (0..<max(0, gp_widget_count_children(parent))).flatMap { index -> [ConfigEntry] in
            var child: OpaquePointer?
            guard gp_widget_get_child(parent, index, &child) == GP_OK, let child else { return [] }
            return Widget.entry(child).map { [$0] } ?? leaves(under: child)
        }
    }
}
