/// The rules that decide whether a worker hangs. The rules use only the worker's reports and the times that
/// the caller passes.
public struct HangDetection: Hashable, Sendable {
    /// The longest time without a packet in one driver call, in milliseconds. libgphoto2 itself times out
    /// after about 4 s on PTP/IP and 24–40 s on USB. A user should wait at most 10 s on any link. Of this
    /// time, the service needs up to 2 s to detect and end a hung worker.
    public static let packetTimeoutMs = 8_000
    /// The longest time without a packet while connecting, in milliseconds. During this time, the camera may
    /// wait for a person to accept this computer.
    public static let connectingPacketTimeoutMs = 40_000
    /// The interval between two heartbeats of a worker without a running driver call, in milliseconds.
    public static let idleHeartbeatMs = 2_000
    /// The interval between two heartbeats of a worker during a driver call, in milliseconds.
    public static let busyHeartbeatMs = 1_000
    /// The longest time without a message from a worker, in milliseconds. The value is three times
    /// ``idleHeartbeatMs``.
    public static let messageTimeoutMs = 6_000
    /// The longest time until a worker's first message, in milliseconds. On a slow computer, several workers
    /// that start at the same time need many seconds to load their libraries.
    public static let startTimeoutMs = 40_000

    /// Returns whether a worker has sent no message for too long.
    ///
    /// - Parameters:
    ///   - sinceMessageMs: The time since the worker's last message, in milliseconds. Before the first
    ///     message, the time since the worker's start.
    ///   - hasSentMessage: Whether the worker has sent a message.
    public static func isUnresponsive(_ sinceMessageMs: Int, hasSentMessage: Bool) -> Bool {
        sinceMessageMs > (hasSentMessage ? messageTimeoutMs : startTimeoutMs)
    }

    /// Returns the time since the last packet of the running call, in milliseconds.
    ///
    /// All times are in nanoseconds of the same monotonic clock.
    ///
    /// - Parameters:
    ///   - callBegan: The start of the running call, or `nil` between calls.
    ///   - lastPacket: The time of the last packet on the link in any call, or `nil` before the first.
    /// - Returns: The time, or `nil` if no call is running or this call has had no packet.
    public static func silentMs(callBegan: UInt64?, lastPacket: UInt64?, now: UInt64) -> Int? {
        guard let callBegan, let lastPacket, lastPacket >= callBegan else { return nil }
        return now > lastPacket ? Int((now - lastPacket) / 1_000_000) : 0
    }

    /// The longest time without received data in a call whose packets the worker cannot see, in
    /// milliseconds. One driver call may list a folder of 10,000 photos at 20 ms each.
    public static let dataTimeoutMs = 300_000

    /// Returns the time without a packet that a worker reports for a call whose packets the worker cannot
    /// see, in milliseconds. The time exceeds ``packetTimeoutMs`` when the call exceeds ``dataTimeoutMs``.
    ///
    /// - Parameters:
    ///   - runningMs: The age of the running call, in milliseconds.
    ///   - sinceDataMs: The time since the camera last sent data in the call, in milliseconds, or `nil` if it
    ///     sent no data.
    public static func silentMsWithoutPackets(runningMs: Int, sinceDataMs: Int?) -> Int {
        max(0, (sinceDataMs ?? runningMs) - (dataTimeoutMs - packetTimeoutMs))
    }

    /// Returns whether a worker hangs, according to its last report. A call that exchanges packets does not
    /// hang, regardless of its duration.
    ///
    /// - Parameters:
    ///   - call: The running driver call, or `nil` between calls.
    ///   - runningMs: The age of that call, in milliseconds.
    ///   - silentMs: The time since the last packet of this call, in milliseconds, or `nil` without a packet.
    public static func isHung(call: String?, runningMs: Int, silentMs: Int?) -> Bool {
        guard let call else { return false }
        return silentMs ?? runningMs > (call == "open" ? connectingPacketTimeoutMs : packetTimeoutMs)
    }
}
