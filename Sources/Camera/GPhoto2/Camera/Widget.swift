import CGPhoto2
import Glibc

/// Reads and writes values of a CameraWidget as text.
enum Widget {
    /// Returns the content of a widget, or `nil` for sections and buttons.
    static func entry(_ widget: OpaquePointer) -> ConfigEntry? {
        guard let value = value(of: widget) else { return nil }
        var name: UnsafePointer<CChar>?
        var readOnly: Int32 = 0
        gp_widget_get_name(widget, &name)
        gp_widget_get_readonly(widget, &readOnly)
        return ConfigEntry(
            name: name.map { String(cString: $0) } ?? "", value: value, choices: choices(of: widget),
            range: range(of: widget), isReadOnly: readOnly != 0)
    }

    /// Sets a widget's value from text. Returns whether the text is valid for the widget. An empty text is
    /// never valid, because the driver would send an uninitialized number (_put_Generic…Table in config.c).
    ///
    /// - Parameter isListed: Whether the text must be one of the choices.
    static func set(_ widget: OpaquePointer, to text: String, isListed: Bool = true) -> Bool {
        guard !text.isEmpty else { return false }
        switch type(of: widget) {
        case GP_WIDGET_TEXT:
            return text.withCString { gp_widget_set_value(widget, $0) == GP_OK }
        case GP_WIDGET_RADIO, GP_WIDGET_MENU:
            guard !isListed || choices(of: widget).contains(text) else { return false }
            return text.withCString { gp_widget_set_value(widget, $0) == GP_OK }
        case GP_WIDGET_TOGGLE, GP_WIDGET_DATE:
            guard var number = Int32(text) else { return false }
            return gp_widget_set_value(widget, &number) == GP_OK
        case GP_WIDGET_RANGE:
            guard var number = Float(text) else { return false }
            return gp_widget_set_value(widget, &number) == GP_OK
        default: return false
        }
    }

    private static func type(of widget: OpaquePointer) -> CameraWidgetType {
        var type = GP_WIDGET_WINDOW
        gp_widget_get_type(widget, &type)
        return type
    }

    private static func value(of widget: OpaquePointer) -> String? {
        switch type(of: widget) {
        case GP_WIDGET_TEXT, GP_WIDGET_RADIO, GP_WIDGET_MENU:
            var words: UnsafePointer<CChar>?
            guard gp_widget_get_value(widget, &words) == GP_OK else { return nil }
            return words.map { String(cString: $0) } ?? ""
        case GP_WIDGET_TOGGLE, GP_WIDGET_DATE:
            var number: Int32 = 0
            guard gp_widget_get_value(widget, &number) == GP_OK else { return nil }
            return String(number)
        case GP_WIDGET_RANGE:
            var number: Float = 0
            guard gp_widget_get_value(widget, &number) == GP_OK else { return nil }
            // A camera may report an infinite number.
            return Int(exactly: number).map { String($0) } ?? String(number)
        default: return nil
        }
    }

    private static func range(of widget: OpaquePointer) -> ConfigEntry.Range? {
        var range = ConfigEntry.Range(least: 0, most: 0, step: 0)
        guard type(of: widget) == GP_WIDGET_RANGE,
            gp_widget_get_range(widget, &range.least, &range.most, &range.step) == GP_OK,
            range.least.isFinite, range.most.isFinite, range.step.isFinite
        else { return nil }
        return range
    }

    private static func choices(of widget: OpaquePointer) -> [String] {
        let kind = type(of: widget)
        guard kind == GP_WIDGET_RADIO || kind == GP_WIDGET_MENU else { return [] }
        return (0..<max(0, gp_widget_count_choices(widget))).compactMap { index in
            var choice: UnsafePointer<CChar>?
            guard gp_widget_get_choice(widget, index, &choice) == GP_OK, let choice else { return nil }
            return String(cString: choice)
        }
    }
}
