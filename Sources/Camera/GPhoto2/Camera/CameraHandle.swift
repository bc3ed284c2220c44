import CGPhoto2
import Glibc

/// One open camera. It belongs to the thread that opened it: every call, and its end, happen there.
///
/// libgphoto2 is not thread-safe for one camera (two threads get −110), and freeing a camera while another thread is
/// in a call crashes. A value that cannot be copied has one owner, and that owner ends it once.
public struct CameraHandle: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<Camera>
    private let port: String
    let context: DriverContext
    let tap: PacketTap
    let activity: DriverActivity
    let questions = OwnQuestions()
    /// The connection's descriptors, to wait on.
    public private(set) var sockets: LinkSockets
    /// The driver's name for the camera, for example `PTP/IP Camera`.
    public let model: String
    /// Whether the tap sees what goes over the link. Where it does not, the library shows its packets in a form that is not
    /// known here: nothing is guarded, the camera's own answers are not read, and only photos are taken from it.
    public let isGuarded: Bool
    /// What the driver says of the camera where the tap sees nothing; `nil` where it does.
    private let summary: DriverSummary?

    /// Connects to a camera.
    ///
    /// - Parameters:
    ///   - port: libgphoto2's port path, `usb:001,004` or `ptpip:192.168.1.5:15740`; `usb:` is the first camera on
    ///     the USB.
    ///   - quarantined: object handles that the driver must not hear of.
    ///   - keepsOnCard: whether photos belong on the camera's card; else they are only in its memory, and come over
    ///     with their event.
    ///   - tap: the process' packet tap.
    ///   - activity: told which call is running.
    public init(
        port: String, quarantined: [UInt32] = [], keepsOnCard: Bool = true, tap: PacketTap,
        activity: DriverActivity
    ) throws(CameraError) {
        tap.begin(quarantined: quarantined)
        guard let context = DriverContext() else { throw Self.outOfMemory }
        var camera: UnsafeMutablePointer<Camera>?
        guard gp_camera_new(&camera) == GP_OK, let camera else { throw Self.outOfMemory }
        // New pictures belong on the card: from the camera's RAM the driver loads a whole object into ours
        // inside its event call, and a photo that is only in RAM is lost with the session.
        gp_setting_set(
            Self.setting("ptp2"), Self.setting("capturetarget"), Self.setting(keepsOnCard ? "card" : "sdram"))
        // Photos from a camera's memory lie in the library's cache, which forgets all but two of them.
        gp_setting_set(Self.setting("libgphoto"), Self.setting("cached-images"), Self.setting("64"))
        // The driver asks a Sony for all its properties to see one of them, twice at each look for events, unless it may
        // believe for a moment what it heard. It reads this before it knows the maker.
        gp_setting_set(Self.setting("ptp2"), Self.setting("cachetime"), Self.setting("2"))
        let found: FoundCamera
        do throws(CameraError) { found = try Self.connect(camera, port: port, context, activity) } catch {
            gp_camera_unref(camera)
            throw error
        }
        // Before anything is asked for that needs a guard.
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

    /// Connects a camera that libgphoto2 has just made.
    private static func connect(
        _ camera: UnsafeMutablePointer<Camera>, port: String, _ context: DriverContext,
        _ activity: DriverActivity
    ) throws(CameraError) -> FoundCamera {
        activity.begin(.open)
        defer { activity.end() }
        let found = try DriverCatalogue.prepare(camera, port: port, context: context)
        context.begin()
        let status = gp_camera_init(camera, context.raw)
        guard status >= GP_OK else { throw error(status, .open, context) }
        return found
    }

    /// Pauses before a camera is opened again that did not take the second session, in seconds: some need a moment after the end
    /// of one.
    private static let reopenPauses: [UInt32] = [1, 2, 4]

    /// Reads the driver's summary, and opens another session if an answer may be outstanding in this one.
    ///
    /// - Returns: The summary, and the camera with an open session.
    /// - Throws: When the camera cannot be opened again. `camera` is freed then.
    private static func summarize(
        _ camera: UnsafeMutablePointer<Camera>, port: String, _ context: DriverContext,
        _ activity: DriverActivity
    ) throws(CameraError) -> (summary: DriverSummary?, camera: UnsafeMutablePointer<Camera>) {
        let (summary, isInStep) = DriverSummary.read(
            of: camera, isNetwork: port.hasPrefix("ptpip:"), context, activity)
        guard !isInStep else { return (summary, camera) }
        activity.begin(.close)
        _ = gp_camera_exit(camera, context.raw)
        gp_camera_unref(camera)
        activity.end()
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

    /// Ends the driver's session and begins another with the same camera: the driver reads a folder's list once a
    /// session. What the tap knows stays; announcements that the driver had not passed on are lost.
    ///
    /// - Parameter hidingPieces: whether the driver should believe that the camera cannot send a part of a file: where
    ///   it can, the driver asks for parts up to the announced size and never for the whole (get_file_func).
    /// - Throws: when the camera cannot be opened again; then this handle is of no use any more.
    public mutating func renew(hidingPieces: Bool) throws(CameraError) {
        var camera: UnsafeMutablePointer<Camera>?
        guard gp_camera_new(&camera) == GP_OK, let camera else { throw Self.outOfMemory }
        activity.begin(.close)
        _ = gp_camera_exit(raw, context.raw)
        gp_camera_unref(raw)
        activity.end()
        raw = camera
        tap.renew(hidingPieces: hidingPieces)
        sockets = LinkSockets(port: try Self.connect(camera, port: port, context, activity).port)
    }

    deinit {
        activity.begin(.close)
        _ = gp_camera_exit(raw, context.raw)
        gp_camera_unref(raw)
        activity.end()
    }

    /// Ends the session in order. A camera that is gone is let go all the same.
    public consuming func close() {}

    // MARK: Calling the driver

    /// Runs one driver call and turns a bad status into an error with the driver's words.
    @discardableResult
    borrowing func call(
        _ call: DriverCall, _ body: (OpaquePointer) -> Int32
    ) throws(CameraError) -> Int32 {
        context.begin()
        activity.begin(call)
        let status = body(context.raw)
        activity.end()
        guard status >= GP_OK else {
            let error = refine(Self.error(status, call, context))
            if !isGuarded, error.kind == .linkTrouble || error.kind == .timeout { tap.hasFailedOnLink = true }
            throw error
        }
        return status
    }

    /// Adds what the camera itself answered, which the driver folds into −1.
    private borrowing func refine(_ error: CameraError) -> CameraError {
        let response = tap.dialogue.responseCode
        guard error.kind == .refused, response != 0, response != PTPResponse.good,
            PTPResponse.told(in: error.text) == nil
        else { return refined(error) }
        var refined = error
        refined.text += " (PTP response 0x\(String(response, radix: 16)))"
        return self.refined(refined)
    }

    /// Sorts an error by what the camera answered. Where the driver has no other way to set what was refused, it says in the
    /// end that there is no such setting (_set_config).
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
        let text = context.said.isEmpty ? String(cString: gp_result_as_string(status)) : context.said
        return CameraError(
            kind: CameraError.Kind(code: status, text: text), code: status, operation: call.name, text: text)
    }

    static var outOfMemory: CameraError {
        CameraError(kind: .memory, code: GP_ERROR_NO_MEMORY, operation: "open", text: "out of memory")
    }

    /// The refusal of all that needs the tap, where it sees nothing.
    public static var photosOnly: CameraError {
        CameraError(
            kind: .unguarded, code: 0, operation: "photos only",
            text: "libgphoto2 \(libraryVersion()) does not show its packets in a form that FrameFast knows")
    }

    /// gp_setting_set takes `char *` and only reads it; literals live as long as the process.
    private static func setting(_ literal: StaticString) -> UnsafeMutablePointer<CChar> {
        UnsafeMutableRawPointer(mutating: literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    // MARK: What the tap saw

    /// Whether the shutter can be released from here. The driver's own table knows this for few USB models and for
    /// nothing on the network, so the camera's list of operations decides.
    public var canTrigger: Bool {
        summary?.canTrigger ?? !tap.dialogue.operations.isDisjoint(with: PTPOperation.triggers)
    }
    /// Whether the standard's own shutter operation is offered; `nil` when that is not known.
    public var hasGenericCapture: Bool? {
        guard let summary else { return tap.dialogue.operations.contains(PTPOperation.initiateCapture) }
        return summary.hasGenericCapture
    }
    /// Whether Sony's release button is offered (ControlDevice), beside the operation that opens its extension; `nil` when
    /// that is not known.
    public var hasSonyCapture: Bool? {
        guard let summary else {
            return tap.dialogue.operations.isSuperset(of: [
                PTPOperation.sonyGetExtDeviceInfo, PTPOperation.sonySetControlDeviceB,
            ])
        }
        return summary.hasSonyCapture
    }
    /// Photos in a Sony's memory that have not come over, when it was asked last; `nil` where there is no such memory.
    public var photosInMemory: Int? { tap.dialogue.photosInMemory }
    /// Number of the vendor extension in DeviceInfo; `nil` before it was read.
    public var vendorExtension: UInt32? { summary?.vendorExtension ?? tap.dialogue.vendorExtension }
    /// Whether the driver reads a folder with all its objects in one question (an EOS).
    public var listsFolderAtOnce: Bool { tap.dialogue.operations.contains(PTPOperation.canonGetObjectInfoEx) }
    /// Whether the driver believes that the camera sends files only as a whole.
    public var hidesPieces: Bool { tap.dialogue.hidesPieces }
    /// Whether the driver reads pieces beyond 4 GiB: it does so of devices that call themselves MTP
    /// (PTP_VENDOR_MTP in read_file_func), as long as it does not take them for one of the makers' after all.
    public var readsWidePieces: Bool {
        tap.dialogue.vendorExtension == PTPVendor.mtp
            && tap.dialogue.operations.contains(PTPOperation.androidGetPartialObject64)
    }
    /// Whether the driver reads a Nikon's files beyond 4 GiB, in pieces of 10 MiB, when it is asked for the whole.
    public var readsNikonsWidePieces: Bool {
        [PTPVendor.nikon, PTPVendor.microsoft].contains(tap.dialogue.vendorExtension)
            && tap.dialogue.operations.contains(PTPOperation.nikonGetPartialObjectEx)
    }
    /// Whether objects can be deleted.
    public var canDelete: Bool { tap.dialogue.operations.contains(PTPOperation.deleteObject) }

    /// Requests sent in this session.
    public var requests: UInt64 { tap.dialogue.requests }
    /// Milliseconds since the last packet; 0 where packets are not seen.
    public var silentMs: Int {
        isGuarded ? Int((monotonicNanoseconds() - (tap.lastPacketNanoseconds ?? 0)) / 1_000_000) : 0
    }
    /// The last request never got its response: the next reply on the link may belong to it. Where packets are not seen, each
    /// call that fails on the link counts as such.
    public var awaitsResponse: Bool {
        isGuarded ? tap.dialogue.requests > 0 && tap.dialogue.responseCode == 0 : tap.hasFailedOnLink
    }
    /// The object whose information the camera would not give in the last transaction.
    public var failedObject: UInt32? {
        let last = tap.dialogue
        guard last.request.operation == PTPOperation.getObjectInfo, last.responseCode != 0,
            last.responseCode != PTPResponse.good
        else { return nil }
        return last.request.parameters.0
    }
    /// True once a reply belonged to another request, or was longer than asked for: nothing more can be trusted.
    public var isOutOfStep: Bool {
        tap.dialogue.strays > 0 || tap.dialogue.oversized > 0 || tap.dialogue.tooLong > 0
    }
}

/// Version of the library that is loaded, for example `2.5.30`.
public func libraryVersion() -> String {
    guard let first = gp_library_version(GP_VERSION_SHORT)?.pointee else { return "" }
    return String(cString: first)
}
