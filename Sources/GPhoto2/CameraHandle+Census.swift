import CGPhoto2
import Glibc

/// The camera's own object list against what was told of.
public struct ObjectCensus: Hashable, Sendable {
    /// Objects on the camera that nobody was told of; quarantined objects do not count.
    public var missing: Int
    /// Objects on the camera in all, folders included.
    public var total: Int
}

extension CameraHandle {
    /// Bytes of replies that the driver may lose over USB in one session, see ``takeCensus()``.
    static let censusLossLimit = 8 * 1_024 * 1_024

    /// Asks the camera for all its object handles, in one transaction, and compares.
    ///
    /// The driver offers no such call, but its `opcode` widget sends any PTP operation (_put_Generic_OPCode) and
    /// throws the reply away; the tap reads it in passing. Over PTP/IP the tap lets the driver believe that the reply
    /// is empty. Over USB the driver loses the reply's memory (it never frees it), so the sum is bounded.
    ///
    /// - Throws: kind ``CameraError/Kind-swift.enum/unsupported`` when the camera or the bound does not allow it.
    public borrowing func takeCensus() throws(CameraError) -> ObjectCensus {
        guard sockets.isNetwork || tap.censusLoss < Self.censusLossLimit else {
            throw CameraError(
                kind: .unsupported, code: GP_ERROR_NOT_SUPPORTED, operation: DriverCall.objectHandles.name,
                text: "no more comparisons in this session")
        }
        let widget = try opcodeWidget()
        defer { gp_widget_free(widget) }
        // Operation, then: every storage, every format, every folder.
        guard Widget.set(widget, to: "0x1007,0xffffffff,0x0,0x0") else { throw Self.outOfMemory }
        tap.dialogue.handles.beginCensus()
        defer { tap.dialogue.handles.isTakingCensus = false }
        try call(.objectHandles) { gp_camera_set_single_config(raw, "opcode", widget, $0) }
        let total = tap.dialogue.handles.census.count
        if !sockets.isNetwork { tap.censusLoss += 4 * (total + 1) }
        return ObjectCensus(missing: tap.dialogue.missing, total: total)
    }

    /// Notes that the daemon knows of a file, or that there is nothing to know: the census leaves it out.
    public borrowing func noteTold(_ path: CameraPath) { tap.dialogue.told.told(path.name) }

    private borrowing func opcodeWidget() throws(CameraError) -> OpaquePointer {
        var widget: OpaquePointer?
        try call(.objectHandles) { gp_camera_get_single_config(raw, "opcode", &widget, $0) }
        guard let widget else {
            throw CameraError(
                kind: .unsupported, code: GP_ERROR_NOT_SUPPORTED, operation: DriverCall.objectHandles.name,
                text: "the driver has no opcode widget")
        }
        return widget
    }
}
