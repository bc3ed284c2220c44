import CGPhoto2

/// A GPContext that collects the driver's messages.
///
/// libgphoto2 maps many refusals to −1; only the context's error callback has the reason. Messages are kept
/// for one call: ``clearMessages()`` clears the previous ones.
final class DriverContext {
    /// The maximum length of the text of one call, in UTF-8 bytes. It bounds a driver that loops over
    /// objects.
    static let textLimit = 2_000

    let raw: OpaquePointer
    private var text = ""

    init?() {
        guard let raw = gp_context_new() else { return nil }
        self.raw = raw
        let me = Unmanaged.passUnretained(self).toOpaque()
        gp_context_set_error_func(raw, { _, text, data in DriverContext.append(text, data) }, me)
        gp_context_set_message_func(raw, { _, text, data in DriverContext.append(text, data) }, me)
        // Status messages are only progress texts ("Downloading…"). The callback discards them, so that the
        // library does not print them.
        gp_context_set_status_func(raw, { _, _, _ in }, me)
    }

    deinit { gp_context_unref(raw) }

    /// Clears the messages of earlier calls.
    func clearMessages() {
        if !text.isEmpty { text = "" }
    }

    /// The driver's messages since ``clearMessages()``; empty without messages.
    var messages: String { text }

    private static func append(_ words: UnsafePointer<CChar>?, _ data: UnsafeMutableRawPointer?) {
        guard let words, let data else { return }
        let me = Unmanaged<DriverContext>.fromOpaque(data).takeUnretainedValue()
        guard me.text.utf8.count < textLimit else { return }
        if !me.text.isEmpty { me.text += "; " }
        me.text += String(cString: words)
    }
}
