import CGPhoto2
import Glibc

/// FrameFast's own PTP requests. The driver's `opcode` setting can send any PTP operation
/// (_put_Generic_OPCode). The driver waits for the response data and discards the data. The tap reads the
/// data before the driver.
extension CameraHandle {
    /// The maximum number of response bytes that the driver may leak over USB in one connection (see
    /// ``scanHandles()``).
    static let leakedBytesLimit = 8 * 1_024 * 1_024
    /// The maximum memory that the driver leaks for one ObjectInfo, in bytes. The value covers the fixed part
    /// and a name, two dates and keywords of usual length.
    static let infoLeakBytes = 512

    /// Sends a request whose response contains data.
    ///
    /// - Parameter leakBytes: The number of response bytes that the driver leaks over USB.
    borrowing func sendRequest(_ kind: DriverCall, _ words: [UInt32], leakBytes: Int) throws(CameraError) {
        guard sockets.isNetwork || tap.leakedBytes < Self.leakedBytesLimit else {
            throw CameraError(
                kind: .unsupported, code: GP_ERROR_NOT_SUPPORTED, operation: kind.name,
                text: "no more direct requests are possible in this connection")
        }
        if !sockets.isNetwork { tap.leakedBytes += leakBytes }
        try send(kind, words)
    }

    /// Sends a request without a data phase.
    borrowing func sendCommand(
        _ kind: DriverCall, _ operation: UInt16, _ parameters: UInt32...
    ) throws(CameraError) {
        tap.dialogue.ownCommand = operation
        defer { tap.dialogue.ownCommand = nil }
        do throws(CameraError) { try send(kind, [UInt32(operation)] + parameters) } catch {
            // The tap replaces a successful response with an error (see ``PTPDialogue/response(code:)``). The
            // driver's error is therefore ignored if the camera's own response was successful.
            guard tap.dialogue.request.operation == operation,
                tap.dialogue.responseCode == PTPResponse.good
            else { throw error }
        }
    }

    private borrowing func send(_ kind: DriverCall, _ words: [UInt32]) throws(CameraError) {
        // Without the tap, FrameFast can't read the response, because the driver discards the data.
        guard isGuarded else { throw Self.photosOnly }
        let widget = try opcodeWidget()
        let text = words.map { "0x" + String($0, radix: 16) }.joined(separator: ",")
        guard Widget.set(widget, to: text) else { throw CameraError.outOfMemory }
        try call(kind) { gp_camera_set_single_config(raw, "opcode", widget, $0) }
    }

    /// Returns the widget of the `opcode` setting. The widget is created only once, because each creation
    /// makes the driver poll an EOS for events.
    private borrowing func opcodeWidget() throws(CameraError) -> OpaquePointer {
        if let widget = opcodeSetting.widget { return widget }
        var widget: OpaquePointer?
        try call(.objectHandles) { gp_camera_get_single_config(raw, "opcode", &widget, $0) }
        guard let widget else {
            throw CameraError(
                kind: .unsupported, code: GP_ERROR_NOT_SUPPORTED, operation: DriverCall.objectHandles.name,
                text: "the driver has no opcode widget")
        }
        opcodeSetting.widget = widget
        return widget
    }

    // MARK: Canon EOS

    /// Whether the camera turns itself off without keep-alive requests.
    public var needsKeepAlive: Bool { tap.dialogue.keepsAwake }

    /// Sends a keep-alive request to an EOS. Without the tap, the driver would send this request before each
    /// poll for events, which would cost an additional round trip per poll. The tap therefore hides the
    /// operation from the driver.
    public borrowing func keepAwake() throws(CameraError) {
        tap.dialogue.polled.isPolling = true
        defer { tap.dialogue.polled.isPolling = false }
        try sendCommand(.keepAwake, PTPOperation.canonKeepDeviceOn)
    }

    /// Makes an EOS repeat its reports of the settings whose changes were withheld from the driver.
    ///
    /// - Parameter only: The properties to report, or `nil` for all properties.
    public borrowing func requestWithheldSettings(_ only: Set<UInt16>? = nil) throws(CameraError) {
        let withheld = tap.dialogue.polled.withheld
        for property in (only.map { withheld.intersection($0) } ?? withheld).sorted() {
            try requestReport(of: property)
        }
    }

    /// Makes an EOS repeat its reports of the battery, the remaining shots and the clock, if these reports
    /// were withheld from the driver.
    public borrowing func requestWithheldFacts() throws(CameraError) {
        try requestWithheldSettings(PTPProperty.canonFacts)
    }

    /// Makes an EOS report a setting in one of its next events.
    public borrowing func requestReport(of property: UInt16) throws(CameraError) {
        do throws(CameraError) {
            try sendCommand(.getConfig, PTPOperation.canonRequestPropertyValue, UInt32(property))
        } catch {
            guard tap.dialogue.responseCode != 0 else { throw error }
            tap.dialogue.polled.markUnanswered(property)
        }
    }

    /// Returns the number that an EOS last reported for a property, or `nil` if the EOS has not reported the
    /// property in this connection.
    public borrowing func reportedNumber(of property: UInt16) -> Int? {
        tap.dialogue.polled.reportedNumbers[property].map { Int($0) }
    }
}
