import CGPhoto2
import Glibc

/// Something that a camera told of its own accord.
public enum CameraEvent: Hashable, Sendable {
    /// A file appeared.
    case fileAdded(CameraPath)
    /// A file's facts changed: some cameras announce a photo before it is written to the end.
    case fileChanged(CameraPath)
    /// A folder appeared: the list must be read again.
    case folderAdded(CameraPath)
    /// A capture is done.
    case captureComplete
    /// Anything else, in the driver's words, for example `PTP ObjectRemoved, Param1 00000005`.
    case other(String)

    /// Whether the object list may differ from what it was, beyond one new file.
    public var changesList: Bool {
        switch self {
        case .folderAdded: true
        case .other(let words):
            words.contains("ObjectRemoved") || words.contains("StoreAdded") || words.contains("StoreRemoved")
                || words.contains("object added not found")
        case .fileAdded, .fileChanged, .captureComplete: false
        }
    }
}

extension CameraHandle {
    /// Asks the driver for the next event.
    ///
    /// - Parameter timeoutMs: longest wait, 1 or more. The driver takes it loosely: over PTP/IP it waits a millisecond,
    ///   over USB up to twice as long, and with 0 it would not even look (gp_libusb1_check_int).
    /// - Returns: `nil` when there was none, which is not an error.
    public borrowing func nextEvent(timeoutMs: Int32) throws(CameraError) -> CameraEvent? {
        var kind = GP_EVENT_UNKNOWN
        var data: UnsafeMutableRawPointer?
        defer { free(data) }
        try call(.waitForEvent) { gp_camera_wait_for_event(raw, timeoutMs, &kind, &data, $0) }
        switch kind {
        case GP_EVENT_TIMEOUT: return nil
        case GP_EVENT_FILE_ADDED: return .fileAdded(Self.path(data))
        case GP_EVENT_FILE_CHANGED: return .fileChanged(Self.path(data))
        case GP_EVENT_FOLDER_ADDED: return .folderAdded(Self.path(data))
        case GP_EVENT_CAPTURE_COMPLETE: return .captureComplete
        default:
            guard let data else { return .other("") }
            return .other(String(cString: data.assumingMemoryBound(to: CChar.self)))
        }
    }

    private static func path(_ data: UnsafeMutableRawPointer?) -> CameraPath {
        guard let path = data?.assumingMemoryBound(to: CameraFilePath.self).pointee else {
            return CameraPath(folder: "", name: "")
        }
        return CameraPath(folder: text(of: path.folder), name: text(of: path.name))
    }

    /// Releases the shutter. Returns when the camera took the order; the photo comes as an event.
    public borrowing func trigger() throws(CameraError) {
        try call(.trigger) { gp_camera_trigger_capture(raw, $0) }
    }
}
