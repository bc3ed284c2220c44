/// The camera's response to the greeting (Init_Command_Request) of a PTP/IP connection.
enum NetworkGreeting: Hashable {
    /// The camera has accepted the greeting, or the driver has not sent it.
    case settled
    /// The camera has not responded.
    case unanswered
    /// The camera refused the connection with Init_Fail and this reason.
    case refused(reason: UInt32)

    /// The minimum time without a response that is treated as a timeout of the driver, in milliseconds. The
    /// driver waits 2,500 ms (ptpip-private.h).
    static let silenceMs = 2_400

    /// Adds the camera's response to an error of the driver. The driver discards the reason of Init_Fail, and
    /// reports a missing response in the same way as a missing camera (ptp_ptpip_init_command_ack).
    ///
    /// - Parameter silentMs: The time since the last packet, in milliseconds.
    func explaining(_ error: CameraError, silentMs: Int) -> CameraError {
        var error = error
        switch self {
        case .settled: break
        case .unanswered:
            if silentMs >= Self.silenceMs { error.text += " (no response to Init_Command_Request)" }
        case .refused(let reason): error.text += " (Init_Fail \(reason))"
        }
        return error
    }
}
