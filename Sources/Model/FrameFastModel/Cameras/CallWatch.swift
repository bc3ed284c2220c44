/// The rules that decide whether a worker hangs, from the worker's own reports. Has no clock.
public struct CallWatch: Hashable, Sendable {
    /// The longest silence on the camera's link in one driver call, in milliseconds. libgphoto2 itself gives
    /// up after about 4 s on PTP/IP and 24–40 s on USB. A user should wait at most 10 s for either. Up to two
    /// seconds of that pass between a pulse and the end of the worker.
    public static let silenceMaxMs = 8_000
    /// The longest silence while connecting, in milliseconds: the camera may be asking its owner to accept
    /// this computer.
    public static let silenceMaxConnectingMs = 40_000
    /// The time between two pulses of a worker without a running driver call, in milliseconds.
    public static let pulseIdleMs = 2_000
    /// The time between two pulses of a worker during a driver call, in milliseconds.
    public static let pulseBusyMs = 1_000
    /// The longest time without a message from a worker, in milliseconds: the time of three missed pulses.
    public static let quietMaxMs = 6_000
    /// The longest time until a worker's first message, in milliseconds. On a slow computer, several workers
    /// that start at the same time need many seconds to load their libraries.
    public static let startMaxMs = 40_000

    /// Returns whether a worker shows no sign of life.
    ///
    /// - Parameters:
    ///   - quietMs: The time since its last message, or since its start if it has sent none, in milliseconds.
    ///   - hasSentMessage: Whether the worker has sent a message.
    public static func isUnresponsive(_ quietMs: Int, hasSentMessage: Bool) -> Bool {
        quietMs > (hasSentMessage ? quietMaxMs : startMaxMs)
    }

    /// Returns how long the camera's link has been silent in the running call, in milliseconds.
    ///
    /// All times are nanoseconds of one monotonic clock.
    ///
    /// - Parameters:
    ///   - callBegan: The start of the running call, or `nil` between calls.
    ///   - lastPacket: The time of the last packet on the link in any call, or `nil` before the first.
    /// - Returns: The silence, or `nil` if no call is running or no packet has passed in this call.
    public static func silentMs(callBegan: UInt64?, lastPacket: UInt64?, now: UInt64) -> Int? {
        guard let callBegan, let lastPacket, lastPacket >= callBegan else { return nil }
        return now > lastPacket ? Int((now - lastPacket) / 1_000_000) : 0
    }

    /// The longest call without visible packets and without another sign of life, in milliseconds. The driver
    /// lists a folder of 10,000 photos at 20 ms each in one call.
    public static let unseenMaxMs = 300_000

    /// Returns how long the camera's link counts as silent if its packets are not visible, in milliseconds.
    ///
    /// - Parameters:
    ///   - runningMs: The age of the running call, in milliseconds.
    ///   - sinceSignMs: The time since another sign of life in the call, in milliseconds, or `nil` if there
    ///     has been none.
    public static func unseenSilentMs(runningMs: Int, sinceSignMs: Int?) -> Int {
        max(0, (sinceSignMs ?? runningMs) - unseenMaxMs)
    }

    /// Returns whether a worker with this report hangs. A call of any length does not count as hung while the
    /// camera sends packets.
    ///
    /// - Parameters:
    ///   - call: The running driver call, or `nil` between calls.
    ///   - runningMs: The age of that call, in milliseconds.
    ///   - silentMs: The time since the last packet of this call, in milliseconds, or `nil` if there has been
    ///     none.
    public static func isHung(call: String?, runningMs: Int, silentMs: Int?) -> Bool {
        guard let call else { return false }
        return silentMs ?? runningMs > (call == "open" ? silenceMaxConnectingMs : silenceMaxMs)
    }
}
