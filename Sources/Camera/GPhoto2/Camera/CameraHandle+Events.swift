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
    /// - Parameter timeoutMs: longest wait. With 0 a camera that must be asked is asked once; other cameras' events are
    ///   on a connection of their own, and over USB the driver would not even look there (gp_libusb1_check_int). It takes
    ///   the time loosely: over PTP/IP it waits a millisecond, over USB up to twice as long.
    /// - Returns: `nil` when there was none, which is not an error.
    public borrowing func nextEvent(timeoutMs: Int32) throws(CameraError) -> CameraEvent? {
        var kind = GP_EVENT_UNKNOWN
        var data: UnsafeMutableRawPointer?
        defer { free(data) }
        let before = requests
        tap.dialogue.polled.isLooking = true
        defer { tap.dialogue.polled.isLooking = false }
        do throws(CameraError) {
            try call(.waitForEvent) { gp_camera_wait_for_event(raw, timeoutMs, &kind, &data, $0) }
        } catch {
            tap.dialogue.polled.failed()
            tap.dialogue.isPhotoReady = false
            throw error
        }
        tap.dialogue.polled.passedOn(any: kind != GP_EVENT_TIMEOUT, mustAsk: requests != before)
        // Told of and not there yet: it is asked for again, at the pace of all looks.
        if kind != GP_EVENT_FILE_ADDED { tap.dialogue.isPhotoReady = false }
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
    ///
    /// The driver gives a busy Nikon up after 0.4 s, and says that all is well (camera_trigger_capture): what the camera
    /// answered tells.
    public borrowing func trigger() throws(CameraError) {
        defer { if listsFolderAtOnce { tap.dialogue.polled.released() } }
        tap.dialogue.nikonRelease = nil
        try call(.trigger) { gp_camera_trigger_capture(raw, $0) }
        guard let answer = tap.dialogue.nikonRelease, answer != PTPResponse.good else { return }
        throw refined(
            CameraError(
                kind: .refused, code: GP_ERROR, operation: DriverCall.trigger.name,
                text: "the camera did not release its shutter (PTP response 0x\(String(answer, radix: 16)))"))
    }

    // MARK: What is known of events without a look

    /// Most events that may pile up in the driver of a camera whose photos are told of otherwise: 32 bytes each.
    private static let heapedEventsMax = 1_000

    /// Events that the driver has and did not pass on, as far as is known. A Sony's say nothing of its photos: one of them
    /// goes with each look.
    public var eventsWaiting: Int {
        let waiting = tap.dialogue.polled.waiting
        return photosInMemory == nil || waiting > Self.heapedEventsMax ? waiting : 0
    }
    /// Whether the oldest photo in a Sony's memory can come over now, as far as the camera has told.
    public var isPhotoReady: Bool { tap.dialogue.isPhotoReady }
    /// Whether the next look for events may bring one at once.
    public var mayHaveEvents: Bool {
        isPhotoReady || eventsWaiting > 0 || (photosInMemory == nil && tap.dialogue.polled.isUnclear)
    }
    /// Whether the camera told of a capture since this was asked last.
    public borrowing func takeCapture() -> Bool { tap.dialogue.polled.takeCapture() }
}
