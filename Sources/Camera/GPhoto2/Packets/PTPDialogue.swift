/// What is said between driver and camera, whatever carries it. Fed by ``NetworkFraming`` and ``USBFraming``.
struct PTPDialogue {
    /// Objects that the driver must not know, and the camera's own list.
    var handles = HandleWatch()
    /// Objects that have been told of.
    var told = ToldObjects()
    /// Requests so far.
    private(set) var requests: UInt64 = 0
    /// Events that arrived, also those that the driver only queued.
    private(set) var events: UInt64 = 0
    /// What the driver is given of what it polls for.
    var polled = PolledEvents()
    /// The last request.
    private(set) var request = PTPRequest(operation: 0, transaction: 0, parameters: (0, 0, 0, 0))
    /// Code of the last response; 0 while one is awaited.
    private(set) var responseCode: UInt16 = 0
    /// Replies that belong to another request than the one that was asked: bytes of one photo could end up in
    /// another, so one is enough to end the session.
    private(set) var strays: UInt64 = 0
    /// Replies that announced more bytes than were asked for.
    private(set) var oversized: UInt64 = 0
    /// Replies that are longer than the driver can count.
    private(set) var tooLong: UInt64 = 0
    /// Photos from the camera's memory of which fewer bytes came than were announced.
    private(set) var short: UInt64 = 0

    /// Operations that the camera says it has; empty before it was asked.
    private(set) var operations: Set<UInt16> = []
    /// Whether a request, its data and the camera's answer to it have passed by.
    private(set) var hasSeenExchange = false
    /// Number of the vendor extension in DeviceInfo; `nil` before it was read.
    private(set) var vendorExtension: UInt32?
    /// Photos in a Sony's memory when it was asked last, without those that came over since; `nil` before that.
    private(set) var photosInMemory: Int?
    /// Whether the oldest of them can be read, as far as the camera has told.
    var isPhotoReady = false
    /// What the camera said of the photo in its memory that it was asked about last; taken when it is used.
    var memoryObject: ObjectInfo?
    /// The camera's answer to the last DeleteObject; 0 while one is awaited.
    private(set) var deletion: UInt16 = 0
    /// A Nikon's answer to the last order to release its shutter; `nil` when there was none since this was cleared.
    var nikonRelease: UInt16?
    /// The object whose bytes were asked for last.
    private(set) var readObject: UInt32?
    /// The only object that may be deleted now.
    var deletable: UInt32?
    /// The transaction that began an open capture, which ends by it; `nil` when there is none.
    var openCapture: UInt32?
    /// The driver must not learn that the camera can send a part of an object.
    var hidesPieces = false
    /// Whether the driver must not learn that an EOS can be kept awake: it would do so at each look for events.
    private(set) var keepsAwake = false
    /// Our own question about an object is under way.
    var isAskingForInfo = false
    /// Our own question about a property's value is under way.
    var isAskingForValue = false
    /// The answer to it.
    private(set) var propertyValue: [UInt8] = []
    /// Longest answer that is kept, in bytes: a time with its zone has 25 characters of 16 bits.
    private static let valueBytesMax = 64
    /// The operation of our own order, which has no answer but its response, while that is under way.
    var ordered: UInt16?
    /// The driver need not get the data of this reply: it is only for us.
    var keepsDataFromDriver: Bool {
        switch request.operation {
        case PTPOperation.getObjectHandles: handles.isTakingCensus
        case PTPOperation.getObjectInfo: isAskingForInfo
        case PTPOperation.getPropertyValue: isAskingForValue
        default: false
        }
    }

    /// Objects in the last census that nobody was told of; quarantined ones do not count.
    var missing: Int { Set(handles.census).subtracting(told.handles).subtracting(handles.quarantined).count }

    private var dataOffset = 0

    /// A request, before it is sent where the carrier allows (PTP/IP).
    ///
    /// - Returns: a first parameter to send instead, `nil` to leave the request alone.
    mutating func request(_ request: PTPRequest) -> UInt32? {
        self.request = request
        requests &+= 1
        responseCode = 0
        dataOffset = 0
        handles.begin(request)
        told.beginReply()
        polled.begin()
        if PTPOperation.reads(request.operation) { readObject = request.parameters.0 }
        if request.operation == PTPOperation.initiateOpenCapture { openCapture = request.transaction }
        // ptp2's delete_file_func does not look at what find_child gave it: for a file that it cannot find it sends
        // DeleteObject(0xFFFFFFFF), which is "delete everything". Handle 0 makes the camera refuse instead.
        guard request.operation == PTPOperation.deleteObject else { return nil }
        deletion = 0
        return request.parameters.0 == UInt32.max || request.parameters.0 != deletable ? 0 : nil
    }

    /// The data phase begins.
    ///
    /// - Parameter limit: the largest total that the driver understands: it would take the lower half of a larger one,
    ///   stop there, and call that the whole.
    /// - Returns: a total to tell the driver instead, `nil` to leave it alone.
    mutating func dataStart(transaction: UInt32, total: UInt64, limit: UInt64 = .max) -> UInt64? {
        if transaction != request.transaction { strays &+= 1 }
        // read_file_func copies what came, not what was asked for, into the caller's buffer: a camera that sends
        // more would overwrite our memory. Told that nothing comes, the driver fails the call and copies nothing.
        if let asked = request.pieceBytes, total > UInt64(asked) {
            oversized &+= 1
            return 0
        }
        if total > limit {
            tooLong &+= 1
            return 0
        }
        return nil
    }

    /// Part of the data phase, in the driver's buffer.
    mutating func data(_ bytes: UnsafeMutableRawBufferPointer) {
        if dataOffset == 0 {
            switch request.operation {
            case PTPOperation.getDeviceInfo: deviceInfo(bytes)
            case PTPOperation.sonyGetExtDeviceInfo: sonyExtension(bytes)
            case PTPOperation.sonyGetAllProperties: sonyProperties(bytes)
            case PTPOperation.getObjectInfo where ObjectInfo.inMemory.contains(request.parameters.0):
                memoryObject = ObjectInfo(bytes)
            case PTPOperation.getPropertyValue where isAskingForValue:
                propertyValue = Array(bytes.prefix(Self.valueBytesMax))
            default: break
            }
        }
        // As the camera sent it: quarantined objects are written over next.
        told.data(of: request, bytes)
        handles.data(of: request, bytes, offset: dataOffset)
        polled.data(of: request, bytes, offset: dataOffset)
        dataOffset += bytes.count
    }

    /// The camera's answer to the request.
    ///
    /// - Returns: a code to tell the driver instead, `nil` to leave it alone.
    mutating func response(code: UInt16) -> UInt16? {
        responseCode = code
        hasSeenExchange = hasSeenExchange || (requests > 0 && dataOffset > 0)
        if request.operation == PTPOperation.deleteObject { deletion = code }
        if request.operation == PTPOperation.nikonInitiateCaptureRecInMedia { nikonRelease = code }
        told.response(to: request, code: code)
        // The driver waits for data, and would wait for another response after this one (ptp_ptpip_getdata): it
        // takes an error for the end.
        if request.operation == ordered, code == PTPResponse.good { return PTPResponse.generalError }
        guard isMemoryObjectShort else {
            if request.operation == PTPOperation.getObject, request.parameters.0 == PTPHandle.sonyMemory,
                code == PTPResponse.good
            {
                photosInMemory = photosInMemory.map { max(0, $0 - 1) }
                isPhotoReady = isPhotoReady && photosInMemory ?? 0 > 0
            }
            return nil
        }
        short &+= 1
        return PTPResponse.incompleteTransfer
    }

    /// For a photo in a camera's memory the driver takes as many bytes as were announced, however few came, and reads
    /// beyond what it has (`ptp_getobject`, then `gp_file_set_data_and_size`). Told that the transfer failed, it asks
    /// for the photo again as long as the camera has it.
    private var isMemoryObjectShort: Bool {
        request.isMemoryRead && responseCode == PTPResponse.good
            && dataOffset < Int(memoryObject?.size ?? 0)
    }

    /// An event.
    ///
    /// - Returns: true when the driver must not hear of it.
    mutating func event(code: UInt16, parameter: UInt32) -> Bool {
        events &+= 1
        let isSetting = polled.event(code: code, parameter: parameter)
        return isSetting || handles.hides(event: code, parameter: parameter)
    }

    /// DeviceInfo: version (16 bits), vendor extension (32), its version (16), its description (a string of UTF-16
    /// with an 8-bit count), functional mode (16), then the array of operations.
    private mutating func deviceInfo(_ bytes: UnsafeMutableRawBufferPointer) {
        guard bytes.count > 8 else { return }
        vendorExtension = bytes.word32(2)
        let array = 9 + 2 * Int(bytes[8]) + 2
        guard array + 4 <= bytes.count else { return }
        let count = Int(bytes.word32(array))
        let first = array + 4
        // Over USB the dataset can come in two parts: what is in the first one is looked at.
        let present = min(count, (bytes.count - first) / 2)
        operations = Set((0..<max(0, present)).map { bytes.word16(first + 2 * $0) })
        keepsAwake = operations.isSuperset(of: [PTPOperation.canonGetEvent, PTPOperation.canonKeepDeviceOn])
        let hidden =
            (hidesPieces ? PTPOperation.partial : []).union(
                keepsAwake ? [PTPOperation.canonKeepDeviceOn] : [])
        for place in stride(from: first, to: first + 2 * max(0, present), by: 2)
        where hidden.contains(bytes.word16(place)) {
            // A double of an operation that every camera has.
            bytes.set16(place, PTPOperation.getDeviceInfo)
        }
    }

    /// GetAllDevicePropData: a record for each property, of which one is looked for: its code, its type (16 bits each),
    /// two bytes on how it is set, the factory's value, the value now (ptp_unpack_Sony_DPD).
    private mutating func sonyProperties(_ bytes: UnsafeMutableRawBufferPointer) {
        var place = 0
        while place + 10 <= bytes.count {
            if bytes.word16(place) == PTPProperty.sonyObjectInMemory,
                bytes.word16(place + 2) == PTPProperty.typeOf16Bits
            {
                let value = bytes.word16(place + 8)
                photosInMemory = Int(value & 0x7FFF)
                isPhotoReady = value > 0x8000
                return
            }
            place += 1
        }
    }

    /// SDIOGetExtDeviceInfo: a version (16 bits), then one array of codes or two: operations, events and properties
    /// mixed. The driver reads both (ptp_sony_get_vendorpropcodes).
    private mutating func sonyExtension(_ bytes: UnsafeMutableRawBufferPointer) {
        var place = 2
        for _ in 0..<2 where place + 4 <= bytes.count {
            let count = Int(bytes.word32(place))
            place += 4
            let present = min(count, (bytes.count - place) / 2)
            for _ in 0..<present {
                let code = bytes.word16(place)
                if code & 0x7000 == 0x1000 { operations.insert(code) }
                place += 2
            }
        }
    }
}
