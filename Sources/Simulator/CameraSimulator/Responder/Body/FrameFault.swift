/// A fault in a live-view frame of an EOS.
enum FrameFault: String, Sendable {
    /// The blob has length 0 and an unknown type. The driver reads this blob in an endless loop.
    case endless
    /// The frame is truncated.
    case cut
    /// The reply contains no frame.
    case missing
}
