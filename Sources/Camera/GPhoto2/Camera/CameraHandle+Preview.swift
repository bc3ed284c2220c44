import CGPhoto2
import Glibc

/// The way in which the driver ends a camera's live view, if it can. No case applies to an Olympus, because
/// the driver starts live view there and never ends it.
public enum LiveViewControl: Hashable, Sendable {
    /// The driver ends live view with its `viewfinder` setting (EOS, Nikon, Panasonic).
    case viewfinder
    /// Live view is always on (Sony in PC Remote mode).
    case always
    /// Live view is an open capture, which the driver ends only with a photo or with the connection
    /// (Fujifilm).
    case openCapture
}

extension CameraHandle {
    /// The control of the camera's live view, or `nil` if frames must not be requested. A Sony that is
    /// not in PC Remote mode would hang until its battery is removed.
    public var liveViewControl: LiveViewControl? { tap.dialogue.liveViewControl }

    /// Whether the camera may have live view although ``liveViewControl`` is `nil`. The driver knows whether
    /// it has live view, and then offers its `viewfinder` setting.
    public var mayHideLiveView: Bool { PTPVendor.mayBeNikon(tap.dialogue.vendorExtension) }

    /// Returns the next live-view frame as a JPEG. The driver starts live view if it is off.
    ///
    /// - Throws: An error of kind ``CameraError/Kind-swift.enum/refused`` if the data contains no JPEG. If
    ///   the camera was busy, the driver reports success for an empty frame (camera_capture_preview: Olympus,
    ///   Fujifilm).
    public borrowing func preview() throws(CameraError) -> [UInt8] {
        var file: OpaquePointer?
        guard gp_file_new(&file) == GP_OK, let file else { throw CameraError.outOfMemory }
        defer { gp_file_unref(file) }
        // For a Sony's frames, the driver shortens the timeout. After an error, the driver does not restore
        // the timeout.
        var timeoutMs: Int32 = 0
        let knowsTimeout = gp_port_get_timeout(raw.pointee.port, &timeoutMs) == GP_OK
        defer { if knowsTimeout { gp_port_set_timeout(raw.pointee.port, timeoutMs) } }
        // The driver deletes each frame of a Fujifilm. The camera sends the next frame only after that.
        tap.dialogue.deletable = PTPHandle.fujiPreview
        defer { tap.dialogue.deletable = nil }
        try call(.preview) { gp_camera_capture_preview(raw, file, $0) }
        var bytes: UnsafePointer<CChar>?
        var count: UInt = 0
        guard gp_file_get_data_and_size(file, &bytes, &count) == GP_OK, let bytes,
            let jpeg = JPEGExtractor.jpeg(in: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        else {
            throw CameraError(
                kind: .refused, code: GP_ERROR_CORRUPTED_DATA, operation: DriverCall.preview.name,
                text: "the live-view frame is not a JPEG")
        }
        return jpeg
    }

    /// Ends an open capture. The driver itself ends an open capture only with the next photo or with the
    /// connection.
    public borrowing func endOpenCapture() throws(CameraError) {
        guard let transaction = tap.dialogue.openCapture else { return }
        tap.dialogue.openCapture = nil
        try sendCommand(.preview, PTPOperation.terminateOpenCapture, transaction)
    }
}

extension PTPDialogue {
    /// See ``CameraHandle/liveViewControl``.
    var liveViewControl: LiveViewControl? {
        switch vendorExtension {
        case PTPVendor.canon, PTPVendor.panasonic:
            operations.isDisjoint(with: PTPOperation.viewfinders) ? nil : .viewfinder
        case PTPVendor.nikon, PTPVendor.microsoft:
            operations.contains(PTPOperation.nikonStartLiveView) ? .viewfinder : nil
        case PTPVendor.sony: hasSonyCapture ? .always : nil
        case PTPVendor.fuji: operations.contains(PTPOperation.initiateOpenCapture) ? .openCapture : nil
        default: nil
        }
    }
}

/// Extracts the JPEG from live-view data. Makers put other data before and after the JPEG.
enum JPEGExtractor {
    /// Returns the bytes from the first start-of-image marker to the last end-of-image marker, or `nil` if a
    /// marker is missing.
    static func jpeg(in bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 4,
            let start = (0...(bytes.count - 4)).first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 }),
            let end = stride(from: bytes.count - 2, to: start + 1, by: -1).first(where: {
                bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9
            })
        else { return nil }
        return Array(bytes[start...(end + 1)])
    }
}
