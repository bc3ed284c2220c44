/// Decides when a worker hangs. Fed with what the worker says of itself; holds no clock.
public struct CallWatch: Hashable, Sendable {
    /// Longest silence on the camera's link inside one driver call, in milliseconds. libgphoto2 gives up by itself
    /// after about 4 s on PTP/IP and 24–40 s on USB; a user should not wait longer than this for either.
    public static let silenceMaxMs = 10_000
    /// The same while connecting: the camera may be asking its owner to accept this computer.
    public static let silenceMaxConnectingMs = 40_000
    /// Longest time without any frame from a worker, in milliseconds: it sends a pulse each second.
    public static let quietMaxMs = 5_000

    /// Whether a worker that reports this hangs.
    ///
    /// - Parameters:
    ///   - call: The driver call in progress, `nil` between calls.
    ///   - runningMs: How long that call has run.
    ///   - silentMs: How long ago the last packet went over the link.
    public static func isHung(call: String?, runningMs: Int, silentMs: Int) -> Bool {
        guard let call else { return false }
        let silence = silentMs == 0 ? runningMs : min(runningMs, silentMs)
        return silence > (call == "open" ? silenceMaxConnectingMs : silenceMaxMs)
    }
}
