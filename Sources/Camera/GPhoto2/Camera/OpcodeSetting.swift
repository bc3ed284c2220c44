import CGPhoto2

/// The driver's `opcode` widget, which is freed together with the camera handle.
final class OpcodeSetting {
    var widget: OpaquePointer?

    deinit { if let widget { gp_widget_free(widget) } }
}
