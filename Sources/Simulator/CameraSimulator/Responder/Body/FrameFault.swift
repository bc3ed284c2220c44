/// A fault in a live-view frame of an EOS.
enum FrameFault: String, Sendable {
    /// The first blob of the reply has length 0, and a type that the driver does not know. The driver reads
    /// this blob in an endless loop.
    case endless
    /// The frame is truncated.
    case cut
    /// The reply contains no frame.
    case missing
}
