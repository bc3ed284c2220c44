import CGPhoto2
import Glibc

/// How a camera's live view ends. An Olympus is none of these: the driver begins its live view and never ends it.
public enum PreviewWay: Hashable, Sendable {
    /// The driver ends it with its `viewfinder` setting (EOS, Nikon, Panasonic).
    case viewfinder
    /// It is always on (Sony in PC Remote).
    case always
    /// An open capture, which the driver ends only with a photo or the session (Fujifilm).
    case openCapture
}

extension CameraHandle {
    /// How the camera's live view works; `nil` when it must not be asked for frames: a Sony that is not in PC Remote stops
    /// answering until its battery is taken out.
    public var previewWay: PreviewWay? {
        let operations = tap.dialogue.operations
        switch tap.dialogue.vendorExtension {
        case PTPVendor.canon, PTPVendor.panasonic:
            return operations.isDisjoint(with: PTPOperation.viewfinders) ? nil : .viewfinder
        case PTPVendor.nikon, PTPVendor.microsoft:
            return operations.contains(PTPOperation.nikonStartLiveView) ? .viewfinder : nil
        case PTPVendor.sony: return hasSonyCapture == true ? .always : nil
        case PTPVendor.fuji:
            return operations.contains(PTPOperation.initiateOpenCapture) ? .openCapture : nil
        default: return nil
        }
    }

    /// The next frame of live view, which the driver begins when it is not on: a JPEG.
    ///
    /// - Throws: kind ``CameraError/Kind-swift.enum/refused`` also for what is no picture: after busy answers the driver
    ///   calls an empty frame a good one (camera_capture_preview: Olympus, Fujifilm).
    public borrowing func preview() throws(CameraError) -> [UInt8] {
        var file: OpaquePointer?
        guard gp_file_new(&file) == GP_OK, let file else { throw Self.outOfMemory }
        defer { gp_file_unref(file) }
        // The driver shortens the time-out for a Sony's frames, and leaves it so when one fails.
        var timeoutMs: Int32 = 0
        let knowsTimeout = gp_port_get_timeout(raw.pointee.port, &timeoutMs) == GP_OK
        defer { if knowsTimeout { gp_port_set_timeout(raw.pointee.port, timeoutMs) } }
        // A Fujifilm's next frame comes when the last one is deleted.
        tap.dialogue.deletable = PTPHandle.fujiPreview
        defer { tap.dialogue.deletable = nil }
        try call(.preview) { gp_camera_capture_preview(raw, file, $0) }
        var bytes: UnsafePointer<CChar>?
        var count: UInt = 0
        guard gp_file_get_data_and_size(file, &bytes, &count) == GP_OK, let bytes,
            let jpeg = JPEGCut.whole(in: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
        else {
            throw CameraError(
                kind: .refused, code: GP_ERROR_CORRUPTED_DATA, operation: DriverCall.preview.name,
                text: "what came is no picture")
        }
        return jpeg
    }

    /// Ends an open capture, which the driver would only do with the next photo.
    public borrowing func endOpenCapture() throws(CameraError) {
        guard let transaction = tap.dialogue.openCapture else { return }
        tap.dialogue.openCapture = nil
        try order(.preview, PTPOperation.terminateOpenCapture, transaction)
    }
}

/// Finds the picture in what came for one: makers put other data around it.
enum JPEGCut {
    /// From the first start of an image to the last end of one; `nil` when there is no such thing.
    static func whole(in bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 4,
            let start = (0...(bytes.count - 4)).first(where: { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 }),
            let end = stride(from: bytes.count - 2, to: start + 1, by: -1).first(where: {
                bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD9
            })
        else { return nil }
        return Array(bytes[start...(end + 1)])
    }
}
