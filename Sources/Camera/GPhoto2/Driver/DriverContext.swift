import CGPhoto2

/// Owns a GPContext and keeps what the driver says through it.
///
/// libgphoto2 folds many refusals into −1; the reason is only in the context's error callback. Texts are kept per
/// call: ``begin()`` forgets the old ones.
final class DriverContext {
    /// Longest text kept for one call, in UTF-8 bytes: a driver that loops over objects must not fill memory.
    static let textLimit = 2_000

    let raw: OpaquePointer
    private var text = ""

    init?() {
        guard let raw = gp_context_new() else { return nil }
        self.raw = raw
        let me = Unmanaged.passUnretained(self).toOpaque()
        gp_context_set_error_func(raw, { _, text, data in DriverContext.note(text, data) }, me)
        gp_context_set_message_func(raw, { _, text, data in DriverContext.note(text, data) }, me)
        // Status is progress talk ("Downloading…"): taken so that the library prints it nowhere, and dropped.
        gp_context_set_status_func(raw, { _, _, _ in }, me)
    }

    deinit { gp_context_unref(raw) }

    /// Forgets what earlier calls said.
    func begin() {
        if !text.isEmpty { text = "" }
    }

    /// What the driver said since ``begin()``; empty when nothing.
    var said: String { text }

    private static func note(_ words: UnsafePointer<CChar>?, _ data: UnsafeMutableRawPointer?) {
        guard let words, let data else { return }
        let me = Unmanaged<DriverContext>.fromOpaque(data).takeUnretainedValue()
        guard me.text.utf8.count < textLimit else { return }
        if !me.text.isEmpty { me.text += "; " }
        me.text += String(cString: words)
    }
}
