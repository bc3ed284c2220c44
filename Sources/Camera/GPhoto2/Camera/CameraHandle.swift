import CGPhoto2
import Glibc

/// An open camera. All calls, and the end, happen on the thread that opened it.
///
/// libgphoto2 is not thread-safe for one camera (two threads get −110). Freeing a camera while another thread
/// is in a call crashes. A noncopyable value has one owner, which ends it once.
public struct CameraHandle: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<Camera>
    private let port: String
    let context: DriverContext
    let tap: PacketTap
    let activity: DriverActivity
    let opcodeSetting = OpcodeSetting()
    /// The descriptors of the connection, for waiting.
    public private(set) var sockets: LinkSockets
    /// The driver's name for the camera, for example `PTP/IP Camera`.
    public let model: String
    /// Whether the tap sees the packets. If not, this version of libgphoto2 shows packets in an unknown form.
    /// Then nothing is guarded, the camera's own answers can't be read, and only photos are transferred.
    public let isGuarded: Bool
    /// The driver's summary of the camera if the tap sees no packets, otherwise `nil`.
    private let summary: DriverSummary?

    /// Connects to a camera.
    ///
    /// - Parameters:
    ///   - port: libgphoto2's port path, `usb:001,004` or `ptpip:192.168.1.5:15740`; `usb:` is the first
    ///     camera on USB.
    ///   - quarantined: The object handles that the driver must not receive.
    ///   - keepsOnCard: Whether the camera stores photos on its card. If not, photos are only in its memory,
    ///     and are transferred with their event.
    ///   - tap: The packet tap of the process.
    ///   - activity: The record of the running call.
    public init(
        port: String, quarantined: [UInt32] = [], keepsOnCard: Bool = true, tap: PacketTap,
        activity: DriverActivity
    ) throws(CameraError) {
        tap.startSession(quarantined: quarantined)
        guard let context = DriverContext() else { throw Self.outOfMemory }
        var camera: UnsafeMutablePointer<Camera>?
        guard gp_camera_new(&camera) == GP_OK, let camera else { throw Self.outOfMemory }
        // Photos should be stored on the card. From the camera's RAM the driver loads a whole object into
        // memory during its event call. A photo that is only in RAM is lost with the session.
        gp_setting_set(
            Self.setting("ptp2"), Self.setting("capturetarget"), Self.setting(keepsOnCard ? "card" : "sdram"))
        // Photos from a camera's memory are in the library's cache, which by default keeps only two of them.
        gp_setting_set(Self.setting("libgphoto"), Self.setting("cached-images"), Self.setting("64"))
        // To read one property, the driver requests all properties of a Sony, twice per poll for events,
        // unless it may cache them for a moment. It reads this setting before it knows the maker.
        gp_setting_set(Self.setting("ptp2"), Self.setting("cachetime"), Self.setting("2"))
        let found: FoundCamera
        do throws(CameraError) { found = try Self.connect(camera, port: port, context, activity) } catch {
            gp_camera_unref(camera)
            throw error
        }
        // Check this before any request that needs the tap.
        let seesPackets = !found.speaksPTP || tap.isGuarding
        if !seesPackets { tap.turnOff() }
        let opened: (summary: DriverSummary?, camera: UnsafeMutablePointer<Camera>) =
            try seesPackets ? (nil, camera) : Self.summarize(camera, port: found.port, context, activity)
        isGuarded = seesPackets
        summary = opened.summary
        raw = opened.camera
        model = found.model
        self.port = port
        self.context = context
        self.tap = tap
        self.activity = activity
        sockets = LinkSockets(port: found.port)
    }

    /// Connects a new `Camera` of libgphoto2.
    private static func connect(
        _ camera: UnsafeMutablePointer<Camera>, port: String, _ context: DriverContext,
        _ activity: DriverActivity
    ) throws(CameraError) -> FoundCamera {
        activity.start(.open)
        defer { activity.finish() }
        let found = try DriverCatalogue.prepare(camera, port: port, context: context)
        context.clearMessages()
        let status = gp_camera_init(camera, context.raw)
        guard status >= GP_OK else { throw error(status, .open, context) }
        return found
    }

    /// The pauses before reopening a camera that refused the second session, in seconds. Some cameras need a
    /// moment after a session ends.
    private static let reopenPauses: [UInt32] = [1, 2, 4]

    /// Reads the driver's summary, and opens another session if an answer may be outstanding in this one.
    ///
    /// - Returns: The summary, and the camera with an open session.
    /// - Throws: An error if the camera can't be reopened. `camera` is freed in this case.
    private static func summarize(
        _ camera: UnsafeMutablePointer<Camera>, port: String, _ context: DriverContext,
        _ activity: DriverActivity
    ) throws(CameraError) -> (summary: DriverSummary?, camera: UnsafeMutablePointer<Camera>) {
        let (summary, isInStep) = DriverSummary.read(
            of: camera, isNetwork: port.hasPrefix("ptpip:"), context, activity)
        guard !isInStep else { return (summary, camera) }
        activity.start(.close)
        _ = gp_camera_exit(camera, context.raw)
        gp_camera_unref(camera)
        activity.finish()
        var pauses = reopenPauses[...]
        while true {
            var next: UnsafeMutablePointer<Camera>?
            guard gp_camera_new(&next) == GP_OK, let next else { throw outOfMemory }
            do throws(CameraError) {
                _ = try connect(next, port: port, context, activity)
                return (summary, next)
            } catch {
                gp_camera_unref(next)
                // Between two calls a worker does not count as hung.
                guard let pause = pauses.popFirst() else { throw error }
                sleep(pause)
            }
        }
    }

    /// Ends the driver's session and starts another with the same camera, because the driver lists a folder
    /// once per session. The tap keeps its knowledge. Announcements that the driver has not returned are
    /// lost.
    ///
    /// - Parameter hidingPartialTransfers: Whether to hide from the driver that the camera supports partial
    ///   transfers. Otherwise the driver requests parts up to the announced size and never the whole file
    ///   (get_file_func).
    /// - Throws: An error if the camera can't be reopened. The handle can't be used after that.
    public mutating func reopen(hidingPartialTransfers: Bool) throws(CameraError) {
        var camera: UnsafeMutablePointer<Camera>?
        guard gp_camera_new(&camera) == GP_OK, let camera else { throw Self.outOfMemory }
        activity.start(.close)
        _ = gp_camera_exit(raw, context.raw)
        gp_camera_unref(raw)
        activity.finish()
        raw = camera
        tap.reopen(hidingPartialTransfers: hidingPartialTransfers)
        sockets = LinkSockets(port: try Self.connect(camera, port: port, context, activity).port)
    }

    deinit {
        activity.start(.close)
        _ = gp_camera_exit(raw, context.raw)
        gp_camera_unref(raw)
        activity.finish()
    }

    /// Ends the session in order. A camera that is gone is released, too.
    public consuming func close() {}

    // MARK: Calling the driver

    /// Runs a driver call, and turns a failure status into an error with the driver's text.
    @discardableResult
    borrowing func call(
        _ call: DriverCall, _ body: (OpaquePointer) -> Int32
    ) throws(CameraError) -> Int32 {
        context.clearMessages()
        activity.start(call)
        let status = body(context.raw)
        activity.finish()
        guard status >= GP_OK else {
            let error = refine(Self.error(status, call, context))
            if !isGuarded, error.kind == .linkFailure || error.kind == .timeout { tap.hasFailedOnLink = true }
            throw error
        }
        return status
    }

    /// Adds the camera's own answer, which the driver reduces to −1.
    private borrowing func refine(_ error: CameraError) -> CameraError {
        let response = tap.dialogue.responseCode
        guard error.kind == .refused, response != 0, response != PTPResponse.good,
            PTPResponse.code(in: error.text) == nil
        else { return refined(error) }
        var refined = error
        refined.text += " (PTP response 0x\(String(response, radix: 16)))"
        return self.refined(refined)
    }

    /// Classifies an error by the camera's answer. If a setting was refused and the driver has no other way
    /// to set it, the driver finally reports that the setting does not exist (_set_config).
    borrowing func refined(_ error: CameraError) -> CameraError {
        guard error.kind == .refused || error.kind == .badParameter, let response = error.response else {
            return error
        }
        var refined = error
        refined.kind = .refused
        switch response {
        case PTPResponse.invalidObjectHandle: refined.kind = .notFound
        case PTPResponse.deviceBusy: refined.kind = .busy
        case PTPResponse.operationNotSupported: refined.kind = .unsupported
        default: break
        }
        return refined
    }

    static func error(_ status: Int32, _ call: DriverCall, _ context: DriverContext) -> CameraError {
        let text = context.messages.isEmpty ? String(cString: gp_result_as_string(status)) : context.messages
        return CameraError(
            kind: CameraError.Kind(code: status, text: text), code: status, operation: call.name, text: text)
    }

    static var outOfMemory: CameraError {
        CameraError(kind: .memory, code: GP_ERROR_NO_MEMORY, operation: "open", text: "out of memory")
    }

    /// The error of all functions that need the tap, if the tap sees no packets.
    public static var photosOnly: CameraError {
        CameraError(
            kind: .unguarded, code: 0, operation: "photos only",
            text: "FrameFast does not know the packet format of libgphoto2 \(libraryVersion())")
    }

    /// `gp_setting_set` takes `char *` but does not write to it. Literals live as long as the process.
    private static func setting(_ literal: StaticString) -> UnsafeMutablePointer<CChar> {
        UnsafeMutableRawPointer(mutating: literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    // MARK: Facts from the tap

    /// Whether the computer can release the shutter. The driver's own table contains only a few USB models
    /// and no network cameras, so the camera's list of operations decides.
    public var canTrigger: Bool {
        summary?.canTrigger ?? !tap.dialogue.operations.isDisjoint(with: PTPOperation.triggers)
    }
    /// Whether the camera offers the standard's shutter operation, or `nil` if unknown.
    public var hasGenericCapture: Bool? {
        guard let summary else { return tap.dialogue.operations.contains(PTPOperation.initiateCapture) }
        return summary.hasGenericCapture
    }
    /// Whether the camera offers Sony's shutter button (ControlDevice) and the operation that opens Sony's
    /// extension, or `nil` if unknown.
    public var hasSonyCapture: Bool? {
        guard let summary else {
            return tap.dialogue.operations.isSuperset(of: [
                PTPOperation.sonyGetExtDeviceInfo, PTPOperation.sonySetControlDeviceB,
            ])
        }
        return summary.hasSonyCapture
    }
    /// The number of untransferred photos in a Sony's memory at the last request; `nil` if the camera has no
    /// such memory.
    public var photosInMemory: Int? { tap.dialogue.photosInMemory }
    /// The number of the vendor extension in DeviceInfo, or `nil` before it was read.
    public var vendorExtension: UInt32? { summary?.vendorExtension ?? tap.dialogue.vendorExtension }
    /// Whether the driver reads a folder and all its objects with one request (an EOS).
    public var listsFolderAtOnce: Bool { tap.dialogue.operations.contains(PTPOperation.canonGetObjectInfoEx) }
    /// Whether the tap hides from the driver that the camera supports partial transfers.
    public var hidesPartialTransfers: Bool { tap.dialogue.hidesPartialTransfers }
    /// Whether the driver can read parts beyond 4 GiB. It does so for devices that call themselves MTP
    /// (PTP_VENDOR_MTP in read_file_func), unless it recognizes the maker.
    public var readsWidePieces: Bool {
        tap.dialogue.vendorExtension == PTPVendor.mtp
            && tap.dialogue.operations.contains(PTPOperation.androidGetPartialObject64)
    }
    /// Whether the driver reads a Nikon's files beyond 4 GiB, in parts of 10 MiB, if the whole file is
    /// requested.
    public var readsNikonsWidePieces: Bool {
        [PTPVendor.nikon, PTPVendor.microsoft].contains(tap.dialogue.vendorExtension)
            && tap.dialogue.operations.contains(PTPOperation.nikonGetPartialObjectEx)
    }
    /// Whether the camera supports deleting objects.
    public var canDelete: Bool { tap.dialogue.operations.contains(PTPOperation.deleteObject) }

    /// The number of requests in this session.
    public var requests: UInt64 { tap.dialogue.requests }
    /// The time since the last packet, in milliseconds; 0 if packets are not visible.
    public var silentMs: Int {
        isGuarded ? Int((monotonicNanoseconds() - (tap.lastPacketNanoseconds ?? 0)) / 1_000_000) : 0
    }
    /// Whether the last request got no response, so that the next reply may belong to it. If packets are not
    /// visible, each call that failed on the link counts.
    public var awaitsResponse: Bool {
        isGuarded ? tap.dialogue.requests > 0 && tap.dialogue.responseCode == 0 : tap.hasFailedOnLink
    }
    /// The object whose information the camera refused in the last transaction, or `nil`.
    public var failedObject: UInt32? {
        let last = tap.dialogue
        guard last.request.operation == PTPOperation.getObjectInfo, last.responseCode != 0,
            last.responseCode != PTPResponse.good
        else { return nil }
        return last.request.parameters.0
    }
    /// Whether a reply belonged to another request, or was longer than requested. After that no reply can be
    /// trusted.
    public var isOutOfStep: Bool {
        tap.dialogue.strays > 0 || tap.dialogue.oversized > 0 || tap.dialogue.tooLong > 0
    }
}

/// Returns the version of the loaded library, for example `2.5.30`.
public func libraryVersion() -> String {
    guard let first = gp_library_version(GP_VERSION_SHORT)?.pointee else { return "" }
    return String(cString: first)
}
