/// A filter for a camera's responses to event polls, applied before the driver reads them.
///
/// The driver returns one event at a time and polls the camera before each event (camera_wait_for_event). If
/// a shot changes ten settings, the driver sends ten polls before it returns the photo. Except on an EOS, the
/// driver also requests each changed setting. The filter therefore passes to the driver only events that the
/// driver needs: events about objects and cards, and changes of ``shown`` settings.
///
/// An EOS reports its settings only in these responses. The filter withholds the settings while events are
/// polled, but not while settings are read or set. The filter records the withheld settings (``withheld``),
/// because the worker must request them again later.
struct PolledEvents {
    /// Whether an event poll is running.
    var isPolling = false
    /// Whether settings are being read or set.
    var isConfiguring = false
    /// The settings whose changes the driver receives. When one of these settings changes, the driver
    /// requests the value and clears its cache.
    var shown: Set<UInt16> = []
    /// The settings that the camera has reported since the last call of ``takeChanged()``.
    private(set) var changed: Set<UInt16> = []
    /// Whether an EOS reported its clock to the driver.
    var isClockReported = false
    /// The known number of events that the driver has received but not returned.
    private(set) var waiting = 0
    /// Whether the driver may have queued more events than ``waiting``.
    private(set) var isUnclear = false
    /// The settings of an EOS whose latest values were withheld from the driver.
    private(set) var withheld: Set<UInt16> = []
    /// The first 32 bits of the value that an EOS last reported for each property.
    private(set) var reportedNumbers: [UInt16: UInt32] = [:]
    /// The settings that an EOS does not report when requested.
    private var unanswered: Set<UInt16> = []
    /// Whether the camera has reported a capture since the last call of ``takeCapture()``.
    private var hasSeenCapture = false
    /// Whether an EOS is busy according to the last status that the driver received. The driver does not
    /// release the shutter of a busy EOS.
    private var isBusyForDriver = false
    /// Whether the driver has received a response with events from a Nikon. Until then, the driver also reads
    /// the interrupt endpoint.
    private var hasNikonEvents = false
    /// The position of the next record in an EOS's response, or `nil` if it is unknown.
    private var nextRecord: Int?
    /// The bytes of an EOS record in the previous part of the response, if the first ``recordStartBytes``
    /// bytes of the record are split between two parts. Empty otherwise.
    private var splitStart: [UInt8] = []
    /// The number of events that the driver receives from the current response.
    private var passedEvents = 0

    /// The maximum length of an EOS record, in bytes. Records with choices have a few kilobytes.
    private static let recordBytesMax = 64 * 1_024
    /// The number of bytes at the start of an EOS record that the filter reads: size, type and two numbers. A
    /// record may be shorter.
    private static let recordStartBytes = 16
    /// The number of remaining shots below which the driver reports the computer's free space to an EOS
    /// (camera_trigger_canon_eos_capture).
    private static let fewShots: UInt32 = 100

    // MARK: The driver's events

    /// Records that a poll by the driver ended.
    ///
    /// - Parameters:
    ///   - any: Whether the driver returned an event.
    ///   - didPollCamera: Whether the driver polled the camera. If the driver polled the camera and returned
    ///     no event, the driver's queue is empty.
    mutating func recordPoll(any: Bool, didPollCamera: Bool) {
        waiting = any || !didPollCamera ? max(0, waiting - 1) : 0
        if !any { isUnclear = false }
    }

    /// Records that the driver could not process an event.
    mutating func recordFailure() {
        waiting = max(0, waiting - 1)
        isUnclear = false
    }

    /// Records that the driver released the shutter. During a release, the driver discards all events of an
    /// EOS except the most recent events.
    mutating func recordRelease() {
        waiting = 0
        isUnclear = true
    }

    /// Resets the state for the driver's next PTP session.
    mutating func beginSession() {
        waiting = 0
        isUnclear = false
        isBusyForDriver = false
        hasNikonEvents = false
        withheld = []
        reportedNumbers = [:]
    }

    /// Returns whether the camera has reported a capture since the last call.
    mutating func takeCapture() -> Bool {
        defer { hasSeenCapture = false }
        return hasSeenCapture
    }

    /// Returns and clears the settings that the camera has reported since the last call.
    mutating func takeChanged() -> Set<UInt16> {
        defer { changed = [] }
        return changed
    }

    /// Records that the camera did not report a setting when requested. From now on, changes of this setting
    /// are not withheld from the driver.
    mutating func markUnanswered(_ property: UInt16) {
        unanswered.insert(property)
        withheld.remove(property)
    }

    // MARK: Packets

    /// Processes an event from the event connection (PTP/IP) or the interrupt endpoint (USB).
    ///
    /// - Returns: Whether to hide the event from the driver, because the driver would request the changed
    ///   setting.
    mutating func event(code: UInt16, parameter: UInt32) -> Bool {
        waiting += 1
        if code == PTPEvent.captureComplete { hasSeenCapture = true }
        guard code == PTPEvent.propertyChanged || code == PTPEvent.sonyPropertyChanged else { return false }
        let property = UInt16(truncatingIfNeeded: parameter)
        changed.insert(property)
        return code != PTPEvent.propertyChanged || !shown.contains(property)
    }

    mutating func startReply() {
        nextRecord = 0
        splitStart = []
        passedEvents = 0
    }

    /// Processes a part of a response, in the driver's buffer.
    mutating func data(of request: PTPRequest, _ bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        switch request.operation {
        case PTPOperation.canonGetEvent: canon(bytes, offset: offset)
        case PTPOperation.nikonGetEvent where offset == 0: nikon(bytes, isEx: false)
        case PTPOperation.nikonGetEventEx where offset == 0: nikon(bytes, isEx: true)
        default: break
        }
    }

    // MARK: Nikon

    private static let nikonNeeds: Set<UInt16> = [
        PTPEvent.objectAdded, PTPEvent.objectRemoved, PTPEvent.storeAdded, PTPEvent.storeRemoved,
        PTPEvent.objectInfoChanged, PTPEvent.deviceInfoChanged, PTPEvent.nikonObjectAddedInMemory,
        // The driver waits up to ten seconds for this event after the end of a movie (_put_Nikon_Movie).
        PTPEvent.nikonMovieComplete,
    ]

    private mutating func nikon(_ bytes: UnsafeMutableRawBufferPointer, isEx: Bool) {
        let events = NikonEvents.all(in: bytes, isEx: isEx)
        if events.contains(where: {
            $0.code == PTPEvent.captureComplete || $0.code == PTPEvent.nikonCaptureCompleteInMemory
        }) {
            hasSeenCapture = true
        }
        // A Nikon Z also has properties with codes of more than 16 bits. FrameFast uses none of them.
        for event in events where event.code == PTPEvent.propertyChanged {
            if let property = UInt16(exactly: event.parameter) { changed.insert(property) }
        }
        let shown = shown
        func isShown(_ event: NikonEvents.Event) -> Bool {
            event.code == PTPEvent.propertyChanged
                && UInt16(exactly: event.parameter).map { shown.contains($0) } == true
        }
        guard hasNikonEvents else {
            hasNikonEvents = !events.isEmpty
            waiting += events.count
            // Some bodies refuse to describe a changed property. libgphoto2 2.5.30 then returns an error
            // (libgphoto2 issue 987). The driver must still receive the same number of events.
            for event in events where event.code == PTPEvent.propertyChanged && !isShown(event) {
                bytes.set16(event.place, PTPEvent.undefined)
            }
            return
        }
        waiting += NikonEvents.keep(in: bytes, isEx: isEx) {
            Self.nikonNeeds.contains($0.code) || isShown($0)
        }
    }

    // MARK: Canon EOS

    /// Processes the records of an EOS's response: size, type, and usually a number, which is a handle or a
    /// property code.
    private mutating func canon(_ bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        guard var record = nextRecord.map({ $0 - offset }) else { return }
        if !splitStart.isEmpty {
            guard let size = passSplitRecord(bytes) else {
                nextRecord = nil
                return
            }
            record += size
        }
        var status: (place: Int, isBusy: Bool)?
        defer { showStatus(status, bytes) }
        while record + 8 <= bytes.count {
            let size = Int(bytes.word32(record))
            guard (8...Self.recordBytesMax).contains(size) else {
                // The record is invalid. The remaining records of the response are not parsed.
                isUnclear = true
                nextRecord = nil
                return
            }
            var type = bytes.word32(record + 4)
            if type == 0 {
                nextRecord = nil
                // Shows the driver an empty response. After an empty response, the driver does not poll a
                // second time.
                if isPolling, passedEvents == 0, offset == 0, record > 0,
                    status.map({ $0.isBusy == isBusyForDriver }) ?? true
                {
                    bytes.set32(0, 8)
                    bytes.set32(4, 0)
                }
                return
            }
            guard record + min(size, Self.recordStartBytes) <= bytes.count else { break }
            if let knownType = PTPEvent.canonKnownTypes[type] {
                bytes.set32(record + 4, knownType)
                type = knownType
            }
            if type == PTPEvent.canonStatusChanged, isPolling, size >= 12 {
                hasSeenCapture = true
                status = (record, bytes.word32(record + 8) == 1)
                bytes.set32(record + 4, PTPEvent.canonUnknown)
            } else if canonRecord(type, bytes, at: record, size: size) {
                passedEvents += 1
            } else {
                bytes.set32(record + 4, PTPEvent.canonUnknown)
            }
            record += size
        }
        nextRecord = record + offset
        if record < bytes.count { beginSplitRecord(bytes, at: record) }
    }

    // MARK: Canon EOS: records that are split between two parts

    /// Stores the start of a record that continues in the next part. Over USB, the driver reads the first
    /// 1,012 bytes of a response separately (ptp_usb_getdata).
    private mutating func beginSplitRecord(_ bytes: UnsafeMutableRawBufferPointer, at record: Int) {
        isUnclear = true
        if record + 4 < bytes.count { showKnownType(bytes, at: record + 4) }
        splitStart = Array(bytes[record...])
    }

    /// Processes a split record in the part that contains the rest of its start. The driver receives the
    /// record, because it has already received the previous part.
    ///
    /// - Returns: The size of the record, or `nil` if the remaining records of the response are not parsed.
    private mutating func passSplitRecord(_ bytes: UnsafeMutableRawBufferPointer) -> Int? {
        var start = splitStart
        splitStart = []
        let typePlace = 4 - start.count
        if bytes.indices.contains(typePlace) { showKnownType(bytes, at: typePlace) }
        start += bytes.prefix(Self.recordStartBytes - start.count)
        return start.withUnsafeMutableBytes { record -> Int? in
            guard record.count >= 8 else { return nil }
            let size = Int(record.word32(0))
            let type = record.word32(4)
            guard (8...Self.recordBytesMax).contains(size), type != 0,
                record.count >= min(size, Self.recordStartBytes)
            else { return nil }
            // Outside a poll, the driver receives every record.
            let wasPolling = isPolling
            isPolling = false
            _ = canonRecord(type, record, at: 0, size: size)
            isPolling = wasPolling
            passedEvents += 1
            return size
        }
    }

    /// Replaces the first byte of a record's type with the first byte of the type that the driver knows. The
    /// types of all records (0xC1xx) differ only in this byte.
    private func showKnownType(_ bytes: UnsafeMutableRawBufferPointer, at place: Int) {
        let types = PTPEvent.canonKnownTypes
        guard let known = types.first(where: { UInt8(truncatingIfNeeded: $0.key) == bytes[place] }) else {
            return
        }
        bytes[place] = UInt8(truncatingIfNeeded: known.value)
    }

    /// Passes the last busy status to the driver if it differs from the status that the driver last received.
    private mutating func showStatus(
        _ status: (place: Int, isBusy: Bool)?, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        guard let status, status.isBusy != isBusyForDriver else { return }
        isBusyForDriver = status.isBusy
        bytes.set32(status.place + 4, PTPEvent.canonStatusChanged)
        waiting += 1
    }

    /// - Returns: Whether the driver receives the record.
    private mutating func canonRecord(
        _ type: UInt32, _ bytes: UnsafeMutableRawBufferPointer, at place: Int, size: Int
    ) -> Bool {
        let number = size >= 12 ? bytes.word32(place + 8) : 0
        let value = size >= 16 ? bytes.word32(place + 12) : 0
        switch type {
        case PTPEvent.canonObjectAddedEx, PTPEvent.canonObjectAddedEx64, PTPEvent.canonObjectInfoChangedEx,
            PTPEvent.canonObjectContentChanged, PTPEvent.canonObjectRemoved,
            PTPEvent.canonRequestObjectTransfer, PTPEvent.canonRequestObjectTransfer64,
            PTPEvent.canonStoreAdded, PTPEvent.canonStoreRemoved:
            waiting += 1
            return true
        case PTPEvent.canonStatusChanged:
            hasSeenCapture = true
            isBusyForDriver = number == 1
            waiting += 1
            return true
        case PTPEvent.canonPropertyChanged:
            if size >= 16 { reportedNumbers[UInt16(truncatingIfNeeded: number)] = value }
            return property(UInt16(truncatingIfNeeded: number), value: value)
        case PTPEvent.canonChoicesChanged:
            changed.insert(UInt16(truncatingIfNeeded: number))
            guard isPolling else { return true }
            withheld.insert(UInt16(truncatingIfNeeded: number))
            return false
        case PTPEvent.canonExposureChanged:
            // For the R series, the driver misparses this record (ptp_unpack_Canon_EOS_FE, fixed in 2.5.31).
            // The reported values are therefore requested by property code.
            let exposure = PTPProperty.canonExposure(value)
            changed.formUnion(exposure)
            guard isPolling || isConfiguring else { break }
            withheld.formUnion(exposure)
            return false
        default:
            guard isPolling else { break }
            return false
        }
        isUnclear = true
        return true
    }

    private mutating func property(_ code: UInt16, value: UInt32) -> Bool {
        changed.insert(code)
        if code == PTPProperty.canonClock, !isPolling { isClockReported = true }
        let isForRelease =
            switch code {
            case PTPProperty.canonFocusMode, PTPProperty.canonCaptureDestination: true
            case PTPProperty.canonAvailableShots: value < Self.fewShots
            default: false
            }
        guard isPolling, !isForRelease, !unanswered.contains(code) else {
            withheld.remove(code)
            isUnclear = true
            return true
        }
        withheld.insert(code)
        return false
    }
}
