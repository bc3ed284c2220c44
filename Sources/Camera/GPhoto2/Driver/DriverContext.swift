import CGPhoto2

/// A GPContext that collects the driver's messages.
///
/// libgphoto2 maps many refusals to −1, and only the context's error callback contains the reason. Messages
/// are kept for one call: ``clearMessages()`` removes the previous messages.
final class DriverContext {
    /// The length of one call's text from which further messages are discarded, in UTF-8 bytes. A call that
    /// fails for many objects reports many messages.
    static let textLimit = 2_000

    let raw: OpaquePointer
    private var text = ""

    init?() {
        guard let raw = gp_context_new() else { return nil }
        self.raw = raw
        let me = Unmanaged.passUnretained(self).toOpaque()
        gp_context_set_error_func(raw, { _, text, data in DriverContext.append(text, data) }, me)
        gp_context_set_message_func(raw, { _, text, data in DriverContext.append(text, data) }, me)
        // This callback discards status messages, which contain only progress ("Downloading…"). Without a
        // callback, the library would print the messages.
        gp_context_set_status_func(raw, { _, _, _ in }, me)
    }

    deinit { gp_context_unref(raw) }

    /// Clears the messages of earlier calls.
    func clearMessages() {
        if !text.isEmpty { text = "" }
    }

    /// The driver's messages since ``clearMessages()``, or an empty string.
    var messages: String { text }

    private static func append(_ words: UnsafePointer<CChar>?, _ data: UnsafeMutableRawPointer?) {
        guard let words, let data else { return }
        let me = Unmanaged<DriverContext>.fromOpaque(data).takeUnretainedValue()
        guard me.text.utf8.count < textLimit else { return }
        if !me.text.isEmpty { me.text += "; " }
        me.text += String(cString: words)
    }
}
