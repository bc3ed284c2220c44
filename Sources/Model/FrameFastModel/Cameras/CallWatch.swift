/// Decides when a worker hangs. Fed with what the worker says of itself; holds no clock.
public struct CallWatch: Hashable, Sendable {
    /// Longest silence on the camera's link inside one driver call, in milliseconds. libgphoto2 gives up by itself
    /// after about 4 s on PTP/IP and 24–40 s on USB; a user should not wait longer than 10 s for either, and up to
    /// two of them pass between a pulse and the end of the worker.
    public static let silenceMaxMs = 8_000
    /// The same while connecting: the camera may be asking its owner to accept this computer.
    public static let silenceMaxConnectingMs = 40_000
    /// Longest time between two pulses of a worker, in milliseconds: while nothing is asked of its camera.
    public static let pulseIdleMs = 2_000
    /// The same while a driver call runs.
    public static let pulseBusyMs = 1_000
    /// Longest time without any frame from a worker, in milliseconds: three of its pulses did not come.
    public static let quietMaxMs = 6_000
    /// The same before its first frame, in milliseconds: on a slow computer several workers that start at once need many
    /// seconds to load their libraries.
    public static let startMaxMs = 40_000

    /// Whether a worker shows no sign of life.
    ///
    /// - Parameters:
    ///   - quietMs: Time since its last frame, or since it was started when there was none.
    ///   - hasSpoken: Whether there was one.
    public static func isQuiet(_ quietMs: Int, hasSpoken: Bool) -> Bool {
        quietMs > (hasSpoken ? quietMaxMs : startMaxMs)
    }

    /// How long the camera's link has been silent in the call that is running, in milliseconds.
    ///
    /// All times are nanoseconds of one clock that never steps.
    ///
    /// - Parameters:
    ///   - callBegan: When the call in progress began; `nil` between calls.
    ///   - lastPacket: When the last packet went over the link, in whatever call; `nil` when none has.
    /// - Returns: `nil` when no packet has gone over the link in this call, or none is running; 0 when one went just
    ///   now.
    public static func silentMs(callBegan: UInt64?, lastPacket: UInt64?, now: UInt64) -> Int? {
        guard let callBegan, let lastPacket, lastPacket >= callBegan else { return nil }
        return now > lastPacket ? Int((now - lastPacket) / 1_000_000) : 0
    }

    /// Longest call that may pass for a lively one where no packets are seen, in milliseconds: a folder of 10,000 photos at 20 ms
    /// each is listed in one call.
    public static let unseenMaxMs = 300_000

    /// For how long the camera's link counts as silent where no packets are seen.
    ///
    /// - Parameters:
    ///   - runningMs: How long the call in progress has run.
    ///   - sinceSignMs: How long ago the call gave another sign of life; `nil` when it gave none.
    public static func unseenSilentMs(runningMs: Int, sinceSignMs: Int?) -> Int {
        max(0, (sinceSignMs ?? runningMs) - unseenMaxMs)
    }

    /// Whether a worker that reports this hangs. However long a call runs, it does not hang while the camera talks.
    ///
    /// - Parameters:
    ///   - call: The driver call in progress, `nil` between calls.
    ///   - runningMs: How long that call has run.
    ///   - silentMs: How long ago the last packet of this call went over the link; `nil` when it had none.
    public static func isHung(call: String?, runningMs: Int, silentMs: Int?) -> Bool {
        guard let call else { return false }
        return silentMs ?? runningMs > (call == "open" ? silenceMaxConnectingMs : silenceMaxMs)
    }
}
