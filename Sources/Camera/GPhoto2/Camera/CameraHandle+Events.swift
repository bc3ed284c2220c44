import CGPhoto2
import Glibc

/// An event from a camera.
public enum CameraEvent: Hashable, Sendable {
    /// A file was added.
    case fileAdded(CameraPath)
    /// The facts of a file changed. Some cameras announce a photo before writing it completely.
    case fileChanged(CameraPath)
    /// A folder was added. The object list must be read again.
    case folderAdded(CameraPath)
    /// A capture is complete.
    case captureComplete
    /// Another event, with the driver's description, for example `PTP ObjectRemoved, Param1 00000005`.
    case other(String)

    /// Whether the object list may have changed by more than one new file.
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
    /// Returns the next event from the driver.
    ///
    /// - Parameter timeoutMs: The maximum wait, in milliseconds. With 0, the driver sends a single poll to a
    ///   camera that must be polled. For other cameras over USB, a call with 0 reads no events, because the
    ///   driver does not read the interrupt endpoint (gp_libusb1_check_int). The driver's wait differs from
    ///   the timeout. Over PTP/IP, the driver waits one millisecond. Over USB, the driver waits up to twice
    ///   the timeout.
    /// - Returns: The event, or `nil` if no event arrived.
    public borrowing func nextEvent(timeoutMs: Int32) throws(CameraError) -> CameraEvent? {
        var kind = GP_EVENT_UNKNOWN
        var data: UnsafeMutableRawPointer?
        defer { free(data) }
        let before = requests
        tap.dialogue.polled.isPolling = true
        defer { tap.dialogue.polled.isPolling = false }
        do throws(CameraError) {
            try call(.waitForEvent) { gp_camera_wait_for_event(raw, timeoutMs, &kind, &data, $0) }
        } catch {
            tap.dialogue.polled.recordFailure()
            tap.dialogue.isPhotoReady = false
            throw error
        }
        tap.dialogue.polled.recordPoll(any: kind != GP_EVENT_TIMEOUT, didPollCamera: requests != before)
        // If the driver returns no photo, the photo that a Sony reported as ready is not readable yet. The
        // next regular poll requests the photo again.
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

    /// Releases the shutter. Returns after the camera has accepted the request. The photo is announced by an
    /// event.
    ///
    /// If a Nikon is busy, the driver times out after 0.4 s and still reports success
    /// (camera_trigger_capture). This method therefore checks the camera's response.
    public borrowing func trigger() throws(CameraError) {
        defer { if listsFolderAtOnce { tap.dialogue.polled.recordRelease() } }
        tap.dialogue.nikonRelease = nil
        try call(.trigger) { gp_camera_trigger_capture(raw, $0) }
        guard let answer = tap.dialogue.nikonRelease, answer != PTPResponse.good else { return }
        throw classified(
            CameraError(
                kind: .refused, code: GP_ERROR, operation: DriverCall.trigger.name,
                text: "the camera did not release its shutter (PTP response 0x\(String(answer, radix: 16)))"))
    }

    // MARK: Events that are known without a poll

    /// The number of queued events above which the worker polls a camera whose events do not announce photos
    /// (Sony). An event has 32 bytes.
    private static let queuedEventsMax = 1_000

    /// The known number of events that the driver has received but not returned. Each poll returns one event.
    /// The events of a Sony do not announce photos. For a Sony, the value is therefore 0 until its queue
    /// exceeds ``queuedEventsMax``.
    public var queuedEvents: Int {
        let waiting = tap.dialogue.polled.waiting
        return photosInMemory == nil || waiting > Self.queuedEventsMax ? waiting : 0
    }
    /// Whether the oldest photo in a Sony's memory can be transferred, according to the camera's last report.
    public var isPhotoReady: Bool { tap.dialogue.isPhotoReady }
    /// Whether the next poll may return an event immediately.
    public var mayHaveEvents: Bool {
        isPhotoReady || queuedEvents > 0 || (photosInMemory == nil && tap.dialogue.polled.isUnclear)
    }
    /// Returns whether the camera has reported a capture since the last call.
    public borrowing func takeCapture() -> Bool { tap.dialogue.polled.takeCapture() }
}
