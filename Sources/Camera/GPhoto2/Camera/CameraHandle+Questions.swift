import CGPhoto2
import Glibc

/// Requests of our own, sent with the driver's `opcode` setting (_put_Generic_OPCode): it sends any PTP operation, waits
/// for data and throws it away, and the tap reads it in passing.
extension CameraHandle {
    /// Bytes of replies that the driver may lose over USB in one session, see ``takeCensus()``.
    static let censusLossLimit = 8 * 1_024 * 1_024
    /// Most bytes of memory that one ObjectInfo takes: its fixed part, and a name, two times and keywords of usual
    /// length.
    static let infoLossBytes = 512

    /// Asks with an operation and its parameters.
    ///
    /// - Parameter lossBytes: bytes of the reply that the driver will lose over USB.
    borrowing func ask(_ kind: DriverCall, _ words: [UInt32], lossBytes: Int) throws(CameraError) {
        guard sockets.isNetwork || tap.censusLoss < Self.censusLossLimit else {
            throw CameraError(
                kind: .unsupported, code: GP_ERROR_NOT_SUPPORTED, operation: kind.name,
                text: "no more questions of our own in this session")
        }
        if !sockets.isNetwork { tap.censusLoss += lossBytes }
        try send(kind, words)
    }

    /// Gives an order, which has no data.
    borrowing func order(
        _ kind: DriverCall, _ operation: UInt16, _ parameters: UInt32...
    ) throws(CameraError) {
        tap.dialogue.ordered = operation
        defer { tap.dialogue.ordered = nil }
        do throws(CameraError) { try send(kind, [UInt32(operation)] + parameters) } catch {
            // That the driver takes for an error (``PTPDialogue/response(code:)``).
            guard tap.dialogue.request.operation == operation,
                tap.dialogue.responseCode == PTPResponse.good
            else { throw error }
        }
    }

    private borrowing func send(_ kind: DriverCall, _ words: [UInt32]) throws(CameraError) {
        // The driver throws the answer away: only the tap reads it.
        guard isGuarded else { throw Self.photosOnly }
        let widget = try opcodeWidget()
        let text = words.map { "0x" + String($0, radix: 16) }.joined(separator: ",")
        guard Widget.set(widget, to: text) else { throw Self.outOfMemory }
        try call(kind) { gp_camera_set_single_config(raw, "opcode", widget, $0) }
    }

    /// Made once: an EOS is asked for its events when the driver makes one.
    private borrowing func opcodeWidget() throws(CameraError) -> OpaquePointer {
        if let widget = questions.widget { return widget }
        var widget: OpaquePointer?
        try call(.objectHandles) { gp_camera_get_single_config(raw, "opcode", &widget, $0) }
        guard let widget else {
            throw CameraError(
                kind: .unsupported, code: GP_ERROR_NOT_SUPPORTED, operation: DriverCall.objectHandles.name,
                text: "the driver has no opcode widget")
        }
        questions.widget = widget
        return widget
    }

    // MARK: Canon EOS

    /// Whether the camera switches itself off unless it is told not to.
    public var mustBeKeptAwake: Bool { tap.dialogue.keepsAwake }

    /// Tells an EOS that somebody is there. The driver would do so at each look for events, which is a round trip more.
    public borrowing func keepAwake() throws(CameraError) {
        tap.dialogue.polled.isLooking = true
        defer { tap.dialogue.polled.isLooking = false }
        try order(.keepAwake, PTPOperation.canonKeepDeviceOn)
    }

    /// Makes an EOS tell again of settings that changed while somebody looked for events.
    ///
    /// - Parameter only: the properties that matter; `nil` for all.
    public borrowing func catchUpOnSettings(_ only: Set<UInt16>? = nil) throws(CameraError) {
        let withheld = tap.dialogue.polled.withheld
        for property in (only.map { withheld.intersection($0) } ?? withheld).sorted() {
            try askAgain(property)
        }
    }

    /// The same, for battery, shots and clock.
    public borrowing func catchUpOnFacts() throws(CameraError) {
        try catchUpOnSettings(PTPProperty.canonFacts)
    }

    /// Makes an EOS tell of a setting; it does so with one of its next events.
    public borrowing func askAgain(_ property: UInt16) throws(CameraError) {
        do throws(CameraError) {
            try order(.getConfig, PTPOperation.canonRequestPropertyValue, UInt32(property))
        } catch {
            guard tap.dialogue.responseCode != 0 else { throw error }
            tap.dialogue.polled.isNotTold(property)
        }
    }
}

/// The driver's setting through which requests of our own are sent; freed with the camera's handle.
final class OwnQuestions {
    var widget: OpaquePointer?

    deinit { if let widget { gp_widget_free(widget) } }
}
