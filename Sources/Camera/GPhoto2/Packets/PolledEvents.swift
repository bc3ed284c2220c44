/// Looks through a camera's answers to polls for events before the driver reads them.
///
/// The driver passes on one event at a time, and asks the camera again before each (camera_wait_for_event): what a
/// shot changes in ten settings costs ten requests before the photo is heard of, and for each setting of a camera that
/// is no EOS one more. So the driver is given what concerns objects and cards, and nothing else. What an EOS tells of
/// its settings it tells only here; the driver is kept from it while somebody looks for events, and not when settings
/// are read or set. Which ones it missed is known (``withheld``), so that they can be asked for.
struct PolledEvents {
    /// Whether somebody looks for events just now.
    var isLooking = false
    /// Whether settings are read or set just now.
    var isConfiguring = false
    /// Settings of which the driver hears that they changed: it then asks for them, and forgets what it knew.
    var shown: Set<UInt16> = []
    /// Settings that the camera told of since this was asked last.
    private(set) var changed: Set<UInt16> = []
    /// Whether an EOS told of its clock, and the driver heard of it.
    var isClockTold = false
    /// Events that the driver has been given and has not passed on, as far as is known.
    private(set) var waiting = 0
    /// Whether the driver may have more of them than is known.
    private(set) var isUnclear = false
    /// Settings of an EOS of whose latest value the driver has not heard.
    private(set) var withheld: Set<UInt16> = []
    /// Settings of an EOS that it does not tell when it is asked for them.
    private var untold: Set<UInt16> = []
    /// Whether a camera told of a capture since this was asked last.
    private var hasSeenCapture = false
    /// What the driver believes of an EOS: it does not release the shutter of one that is busy.
    private var believesBusy = false
    /// A Nikon whose first answer with events the driver has seen; before that it looks at the interrupts as well.
    private var hasNikonEvents = false
    /// Where the next record of an EOS's answer begins; `nil` when that is not known any more.
    private var nextRecord: Int?
    /// Events in the answer that goes by.
    private var given = 0

    /// Longest record of an EOS that is believed: those that tell of choices have some kilobytes.
    private static let recordBytesMax = 64 * 1_024
    /// With fewer shots left than this the driver tells an EOS of room on the computer
    /// (camera_trigger_canon_eos_capture).
    private static let fewShots: UInt32 = 100

    // MARK: What the driver has

    /// The driver was asked for an event, and passed one on or had none.
    ///
    /// - Parameter mustAsk: whether the driver asks the camera: with an answer of "none" it has no more.
    mutating func passedOn(any: Bool, mustAsk: Bool) {
        waiting = any || !mustAsk ? max(0, waiting - 1) : 0
        if !any { isUnclear = false }
    }

    /// The driver could not make anything of an event.
    mutating func failed() {
        waiting = max(0, waiting - 1)
        isUnclear = false
    }

    /// The driver released the shutter: an EOS's events are thrown away by it, but for the last ones.
    mutating func released() {
        waiting = 0
        isUnclear = true
    }

    /// The driver begins another session.
    mutating func beginSession() {
        waiting = 0
        isUnclear = false
        believesBusy = false
        hasNikonEvents = false
        withheld = []
    }

    /// Whether the camera told of a capture since this was asked last.
    mutating func takeCapture() -> Bool {
        defer { hasSeenCapture = false }
        return hasSeenCapture
    }

    /// Settings that the camera told of since this was asked last.
    mutating func takeChanged() -> Set<UInt16> {
        defer { changed = [] }
        return changed
    }

    /// A setting was asked for and is not told: from now on the driver hears of it as it comes.
    mutating func isNotTold(_ property: UInt16) {
        untold.insert(property)
        withheld.remove(property)
    }

    // MARK: What goes by

    /// An event on a connection of its own.
    ///
    /// - Returns: whether the driver must not hear of it: it would ask for the setting.
    mutating func event(code: UInt16, parameter: UInt32) -> Bool {
        waiting += 1
        if code == PTPEvent.captureComplete { hasSeenCapture = true }
        guard code == PTPEvent.propertyChanged || code == PTPEvent.sonyPropertyChanged else { return false }
        let property = UInt16(truncatingIfNeeded: parameter)
        changed.insert(property)
        return code != PTPEvent.propertyChanged || !shown.contains(property)
    }

    mutating func begin() {
        nextRecord = 0
        given = 0
    }

    /// A part of an answer, in the driver's buffer.
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
        // The driver waits for it after the end of a movie, for ten seconds (_put_Nikon_Movie).
        PTPEvent.nikonMovieComplete,
    ]

    private mutating func nikon(_ bytes: UnsafeMutableRawBufferPointer, isEx: Bool) {
        let events = NikonEvents.all(in: bytes, isEx: isEx)
        if events.contains(where: {
            $0.code == PTPEvent.captureComplete || $0.code == PTPEvent.nikonCaptureCompleteInMemory
        }) {
            hasSeenCapture = true
        }
        for event in events where event.code == PTPEvent.propertyChanged {
            changed.insert(UInt16(truncatingIfNeeded: event.parameter))
        }
        guard hasNikonEvents else {
            hasNikonEvents = !events.isEmpty
            waiting += events.count
            return
        }
        waiting += NikonEvents.keep(in: bytes, isEx: isEx) {
            Self.nikonNeeds.contains($0.code)
                || ($0.code == PTPEvent.propertyChanged
                    && shown.contains(UInt16(truncatingIfNeeded: $0.parameter)))
        }
    }

    // MARK: Canon EOS

    /// Records of an EOS's answer: size, type, and mostly a number: a handle or a property's code.
    private mutating func canon(_ bytes: UnsafeMutableRawBufferPointer, offset: Int) {
        guard var record = nextRecord.map({ $0 - offset }) else { return }
        var status: (place: Int, isBusy: Bool)?
        defer { settle(status, bytes) }
        while record + 8 <= bytes.count {
            let size = Int(bytes.word32(record))
            guard (8...Self.recordBytesMax).contains(size) else { break }
            let type = bytes.word32(record + 4)
            if type == 0 {
                nextRecord = nil
                // Without any event the driver does not ask a second time.
                if isLooking, given == 0, offset == 0, record > 0,
                    status.map({ $0.isBusy == believesBusy }) ?? true
                {
                    bytes.set32(0, 8)
                    bytes.set32(4, 0)
                }
                return
            }
            guard record + min(size, 16) <= bytes.count else { break }
            if type == PTPEvent.canonStatusChanged, isLooking, size >= 12 {
                hasSeenCapture = true
                status = (record, bytes.word32(record + 8) == 1)
                bytes.set32(record + 4, PTPEvent.canonUnknown)
            } else if canonRecord(type, bytes, at: record, size: size) {
                given += 1
            } else {
                bytes.set32(record + 4, PTPEvent.canonUnknown)
            }
            record += size
        }
        if record < bytes.count {
            // Torn between two parts: what follows is not looked at.
            isUnclear = true
            nextRecord = nil
        } else {
            nextRecord = record + offset
        }
    }

    /// Of an EOS that was busy and is not any more the driver need not hear.
    private mutating func settle(
        _ status: (place: Int, isBusy: Bool)?, _ bytes: UnsafeMutableRawBufferPointer
    ) {
        guard let status, status.isBusy != believesBusy else { return }
        believesBusy = status.isBusy
        bytes.set32(status.place + 4, PTPEvent.canonStatusChanged)
        waiting += 1
    }

    /// - Returns: whether the driver gets the record.
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
            believesBusy = number == 1
            waiting += 1
            return true
        case PTPEvent.canonPropertyChanged:
            return property(UInt16(truncatingIfNeeded: number), value: value)
        case PTPEvent.canonChoicesChanged:
            changed.insert(UInt16(truncatingIfNeeded: number))
            guard isLooking else { return true }
            withheld.insert(UInt16(truncatingIfNeeded: number))
            return false
        case PTPEvent.canonExposureChanged:
            // The driver reads it wrongly for bodies of the R series (ptp_unpack_Canon_EOS_FE, mended in 2.5.31): what it
            // tells of is asked for by its number.
            let exposure = PTPProperty.canonExposure(value)
            changed.formUnion(exposure)
            guard isLooking || isConfiguring else { break }
            withheld.formUnion(exposure)
            return false
        default:
            guard isLooking else { break }
            return false
        }
        isUnclear = true
        return true
    }

    private mutating func property(_ code: UInt16, value: UInt32) -> Bool {
        changed.insert(code)
        if code == PTPProperty.canonClock, !isLooking { isClockTold = true }
        let isForRelease =
            switch code {
            case PTPProperty.canonFocusMode, PTPProperty.canonCaptureDestination: true
            case PTPProperty.canonAvailableShots: value < Self.fewShots
            default: false
            }
        guard isLooking, !isForRelease, !untold.contains(code) else {
            withheld.remove(code)
            isUnclear = true
            return true
        }
        withheld.insert(code)
        return false
    }
}
