import CGPhoto2
import Glibc

/// An open camera. All calls and the deinitialization must happen on the thread that opened the camera.
///
/// libgphoto2 is not thread-safe for one camera: concurrent calls fail with −110, and freeing a camera during
/// a call crashes. This type is noncopyable, which ensures that the camera is freed exactly once.
public struct CameraHandle: ~Copyable {
    private(set) var raw: UnsafeMutablePointer<Camera>
    private let port: String
    let context: DriverContext
    let tap: PacketTap
    let activity: DriverActivity
    let opcodeSetting = OpcodeSetting()
    /// The descriptors of the connection, for waiting until the camera sends data.
    public private(set) var sockets: LinkSockets
    /// Whether the tap sees the packets, or the driver is not the PTP driver. If `false`, this version of
    /// libgphoto2 logs packets in an unknown format. FrameFast then cannot check requests or read the
    /// camera's own responses, and only transfers photos.
    public let isGuarded: Bool
    /// The driver's summary of the camera, or `nil` if the tap sees the packets.
    private let summary: DriverSummary?

    /// Connects to a camera.
    ///
    /// - Parameters:
    ///   - port: The libgphoto2 port path, `usb:001,004` or `ptpip:192.168.1.5:15740`. `usb:` opens the
    ///     first camera on USB.
    ///   - quarantined: The object handles that are hidden from the driver.
    ///   - keepsOnCard: Whether the camera stores photos on its card. If `false`, photos exist only in
    ///     its memory and are transferred together with their event.
    ///   - tap: The process's packet tap.
    ///   - activity: Records the running driver call.
    public init(
        port: String, quarantined: [UInt32] = [], keepsOnCard: Bool = true, tap: PacketTap,
        activity: DriverActivity
    ) throws(CameraError) {
        tap.startSession(quarantined: quarantined)
        guard let context = DriverContext() else { throw CameraError.outOfMemory }
        var camera: UnsafeMutablePointer<Camera>?
        guard gp_camera_new(&camera) == GP_OK, let camera else { throw CameraError.outOfMemory }
        // Requests storage on the card by default. The driver loads a photo in the camera's RAM completely
        // into memory during the event call. A photo that exists only in RAM is lost when the connection
        // ends.
        gp_setting_set(
            Self.setting("ptp2"), Self.setting("capturetarget"), Self.setting(keepsOnCard ? "card" : "sdram"))
        // The library stores memory photos in its cache, which by default holds only two photos.
        gp_setting_set(Self.setting("libgphoto"), Self.setting("cached-images"), Self.setting("64"))
        // Without its cache of properties (`cachetime`), the driver requests all properties of a Sony to read
        // a single property, twice per poll. FrameFast sets `cachetime` for all cameras, because the driver
        // reads this setting before it knows the maker.
        gp_setting_set(Self.setting("ptp2"), Self.setting("cachetime"), Self.setting("2"))
        let found: FoundCamera
        do throws(CameraError) { found = try Self.connect(camera, port: port, context, activity) } catch {
            gp_camera_unref(camera)
            throw tap.dialogue.greeting.explaining(error, silentMs: tap.silentMs)
        }
        // This check must run before any request that needs the tap.
        let seesPackets = !found.isPTP || tap.isGuarding
        if !seesPackets { tap.turnOff() }
        let opened: (summary: DriverSummary?, camera: UnsafeMutablePointer<Camera>) =
            try seesPackets ? (nil, camera) : Self.summarize(camera, port: found.port, context, activity)
        isGuarded = seesPackets
        summary = opened.summary
        raw = opened.camera
        self.port = port
        self.context = context
        self.tap = tap
        self.activity = activity
        sockets = LinkSockets(port: found.port)
    }

    /// Connects a new `Camera` object of libgphoto2.
    private static func connect(
        _ camera: UnsafeMutablePointer<Camera>, port: String, _ context: DriverContext,
        _ activity: DriverActivity
    ) throws(CameraError) -> FoundCamera {
        activity.start(.open)
        defer { activity.finish() }
        let found = try DriverCatalog.prepare(camera, port: port, context: context)
        context.clearMessages()
        let status = gp_camera_init(camera, context.raw)
        guard status >= GP_OK else {
            LinkSockets.closeConnections(of: found.port)
            throw CameraError(status: status, call: .open, context: context)
        }
        return found
    }

    /// The pauses before reopening a camera that refused the second connection, in seconds. Some cameras need
    /// some time after a connection ends.
    private static let reopenPauses: [UInt32] = [1, 2, 4]

    /// Reads the driver's summary. Reopens the connection if a response may be outstanding.
    ///
    /// - Returns: The summary, and the camera with an open connection.
    /// - Throws: An error if the camera can't be reopened. `camera` is then already freed.
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
            guard gp_camera_new(&next) == GP_OK, let next else { throw CameraError.outOfMemory }
            do throws(CameraError) {
                _ = try connect(next, port: port, context, activity)
                return (summary, next)
            } catch {
                gp_camera_unref(next)
                // Pauses between two calls, because a worker can be treated as hung only during a call.
                guard let pause = pauses.popFirst() else { throw error }
                sleep(pause)
            }
        }
    }

    /// Ends the driver's connection and opens a new connection to the same camera, because the driver lists
    /// each folder only once per connection. The tap keeps its state. Announcements that the driver has not
    /// returned are lost.
    ///
    /// - Parameter hidingPartialTransfers: Whether to hide the camera's support for partial transfers from
    ///   the driver. If `false`, the driver requests chunks up to the announced size instead of the whole
    ///   file (get_file_func).
    /// - Throws: An error if the camera can't be reopened. The handle is then no longer usable.
    public mutating func reopen(hidingPartialTransfers: Bool) throws(CameraError) {
        var camera: UnsafeMutablePointer<Camera>?
        guard gp_camera_new(&camera) == GP_OK, let camera else { throw CameraError.outOfMemory }
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

    /// Ends the connection cleanly. Also releases a camera that is no longer reachable.
    public consuming func close() {}

    // MARK: Calling the driver

    /// Performs a driver call. Throws an error with the driver's text if the call fails.
    @discardableResult
    borrowing func call(
        _ call: DriverCall, _ body: (OpaquePointer) -> Int32
    ) throws(CameraError) -> Int32 {
        context.clearMessages()
        activity.start(call)
        let status = body(context.raw)
        activity.finish()
        guard status >= GP_OK else {
            let error = addingResponse(to: CameraError(status: status, call: call, context: context))
            if !isGuarded, error.kind == .linkFailure || error.kind == .timeout { tap.hasFailedOnLink = true }
            throw error
        }
        return status
    }

    /// Adds the camera's response code to an error and classifies the error. The driver maps most response
    /// codes to −1.
    private borrowing func addingResponse(to error: CameraError) -> CameraError {
        let response = tap.dialogue.responseCode
        guard error.kind == .refused, response != 0, response != PTPResponse.good,
            PTPResponse.code(in: error.text) == nil
        else { return classified(error) }
        var error = error
        error.text += " (PTP response 0x\(String(response, radix: 16)))"
        return classified(error)
    }

    /// Classifies an error by the camera's response code. If the camera refuses a setting, the driver tries
    /// its other methods. If no method remains, the driver reports that the setting does not exist
    /// (_set_config).
    borrowing func classified(_ error: CameraError) -> CameraError {
        guard error.kind == .refused || error.kind == .badParameter, let response = error.response else {
            return error
        }
        var error = error
        error.kind = .refused
        switch response {
        case PTPResponse.invalidObjectHandle: error.kind = .notFound
        case PTPResponse.deviceBusy: error.kind = .busy
        case PTPResponse.operationNotSupported: error.kind = .unsupported
        default: break
        }
        return error
    }

    /// The error of every function that needs the packets, if the tap sees no packets.
    public static var photosOnly: CameraError {
        CameraError(
            kind: .unguarded, code: 0, operation: "photos only",
            text: "FrameFast does not support the packet format of libgphoto2 \(libraryVersion())")
    }

    /// Returns a literal as the `char *` that `gp_setting_set` takes and does not write to. A literal exists
    /// until the process ends.
    private static func setting(_ literal: StaticString) -> UnsafeMutablePointer<CChar> {
        UnsafeMutableRawPointer(mutating: literal.utf8Start).assumingMemoryBound(to: CChar.self)
    }

    // MARK: Facts from the tap

    /// Whether the computer can release the shutter, according to the camera's list of operations. The
    /// driver's own table contains only a few USB models and no network cameras.
    public var canTrigger: Bool {
        summary?.canTrigger ?? tap.dialogue.canTrigger(with: libraryVersion())
    }
    /// Whether the camera supports the PTP standard's capture operation, or `nil` if unknown.
    public var hasGenericCapture: Bool? {
        guard let summary else { return tap.dialogue.operations.contains(PTPOperation.initiateCapture) }
        return summary.hasGenericCapture
    }
    /// Whether the camera supports Sony's remote release (ControlDevice) and the operation that opens Sony's
    /// extension, or `nil` if unknown.
    public var hasSonyCapture: Bool? {
        guard let summary else { return tap.dialogue.hasSonyCapture }
        return summary.hasSonyCapture
    }
    /// The number of photos in a Sony's memory at the last request, minus the photos transferred since. `nil`
    /// if the camera does not report the number.
    public var photosInMemory: Int? { tap.dialogue.photosInMemory }
    /// The vendor extension id that the driver uses, or `nil` before DeviceInfo was read.
    public var vendorExtension: UInt32? { summary?.vendorExtension ?? tap.dialogue.vendorExtension }
    /// Whether the driver reads a folder and all its objects with one request (EOS).
    public var listsFolderAtOnce: Bool { tap.dialogue.operations.contains(PTPOperation.canonGetObjectInfoEx) }
    /// Whether the tap hides the camera's support for partial transfers from the driver.
    public var hidesPartialTransfers: Bool { tap.dialogue.hidesPartialTransfers }
    /// Whether the camera is a Fujifilm, which may never complete a partial transfer. If `true`, the tap
    /// always hides this support from the driver, and ``read(_:offset:into:)`` fails without a request.
    public var isFujifilm: Bool { tap.dialogue.isFujifilm }
    /// Whether the driver can read chunks beyond 4 GiB. The device must identify itself as MTP
    /// (PTP_VENDOR_MTP in read_file_func), and the driver must not recognize its maker.
    public var readsWideChunks: Bool {
        tap.dialogue.vendorExtension == PTPVendor.mtp
            && tap.dialogue.operations.contains(PTPOperation.androidGetPartialObject64)
    }
    /// Whether the driver can read a Nikon's files beyond 4 GiB. If the whole file is requested, the driver
    /// reads it in chunks of 10 MiB.
    public var readsNikonsWideChunks: Bool {
        PTPVendor.mayBeNikon(tap.dialogue.vendorExtension)
            && tap.dialogue.operations.contains(PTPOperation.nikonGetPartialObjectEx)
    }
    /// Whether the camera supports deleting objects.
    public var canDelete: Bool { tap.dialogue.operations.contains(PTPOperation.deleteObject) }

    /// The number of requests in this connection.
    public var requests: UInt64 { tap.dialogue.requests }
    /// The time since the last packet, in milliseconds, or 0 if the tap sees no packets.
    public var silentMs: Int { isGuarded ? tap.silentMs : 0 }
    /// Whether the last request has no response yet. The next response may then belong to that request. If
    /// the tap sees no packets, this property is `true` after any call has failed on the link.
    public var awaitsResponse: Bool {
        isGuarded ? tap.dialogue.requests > 0 && tap.dialogue.responseCode == 0 : tap.hasFailedOnLink
    }
    /// The object whose information the camera refused to send in the last transaction. `nil` if that
    /// transaction succeeded or had another purpose.
    public var failedObject: UInt32? {
        let last = tap.dialogue
        guard last.request.operation == PTPOperation.getObjectInfo, last.responseCode != 0,
            last.responseCode != PTPResponse.good
        else { return nil }
        return last.request.parameters.0
    }
    /// Whether a response belonged to another request or was longer than requested. No later response can
    /// then be trusted.
    public var isOutOfStep: Bool {
        tap.dialogue.strays > 0 || tap.dialogue.oversized > 0 || tap.dialogue.tooLong > 0
    }
}

/// Returns the version of the loaded library, for example `2.5.30`.
public func libraryVersion() -> String {
    guard let first = gp_library_version(GP_VERSION_SHORT)?.pointee else { return "" }
    return String(cString: first)
}
