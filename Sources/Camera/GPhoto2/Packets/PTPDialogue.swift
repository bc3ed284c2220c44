/// The PTP transactions between driver and camera, for any transport. ``NetworkFraming`` and ``USBFraming``
/// feed it.
struct PTPDialogue {
    /// The objects that are hidden from the driver, and the camera's own object list.
    var handles = HandleFilter()
    /// The objects that were reported to the daemon.
    var reported = ReportedObjects()
    /// The number of requests so far.
    private(set) var requests: UInt64 = 0
    /// The number of events so far, including those that the driver only queued.
    private(set) var events: UInt64 = 0
    /// The filter for polled events.
    var polled = PolledEvents()
    /// The last request.
    private(set) var request = PTPRequest(operation: 0, transaction: 0, parameters: (0, 0, 0, 0))
    /// The code of the last response; 0 while a response is awaited.
    private(set) var responseCode: UInt16 = 0
    /// The number of replies that belong to another request than the last one. Bytes of one photo could end
    /// up in another, so one such reply is enough to end the session.
    private(set) var strays: UInt64 = 0
    /// The number of replies that announced more bytes than requested.
    private(set) var oversized: UInt64 = 0
    /// The number of replies that are longer than the driver can count.
    private(set) var tooLong: UInt64 = 0
    /// The number of memory photos with fewer bytes than announced.
    private(set) var short: UInt64 = 0

    /// The operations that the camera supports; empty before DeviceInfo was read.
    private(set) var operations: Set<UInt16> = []
    /// Whether a request, its data and its response have been seen.
    private(set) var hasSeenExchange = false
    /// The number of the vendor extension in DeviceInfo, or `nil` before it was read.
    private(set) var vendorExtension: UInt32?
    /// The number of photos in a Sony's memory at the last request, less those transferred since; `nil`
    /// before the first.
    private(set) var photosInMemory: Int?
    /// Whether the oldest of them can be read, as far as the camera has reported.
    var isPhotoReady = false
    /// The last object information of a photo in the camera's memory; cleared when it is used.
    var memoryObject: ObjectInfo?
    /// The response to the last DeleteObject; 0 while it is awaited.
    private(set) var deletion: UInt16 = 0
    /// A Nikon's response to the last release request; `nil` if none arrived since this was cleared.
    var nikonRelease: UInt16?
    /// The object whose bytes were requested last.
    private(set) var readObject: UInt32?
    /// The only object that may be deleted now.
    var deletable: UInt32?
    /// The transaction that started an open capture and is needed to end it; `nil` without an open capture.
    var openCapture: UInt32?
    /// Whether to hide from the driver that the camera supports partial transfers.
    var hidesPartialTransfers = false
    /// Whether to hide from the driver that an EOS supports keep-alive: the driver would send it at each poll
    /// for events.
    private(set) var keepsAwake = false
    /// Whether FrameFast's own request for an object's information is running.
    var isAskingForInfo = false
    /// Whether FrameFast's own request for a property's value is running.
    var isAskingForValue = false
    /// The answer to the request for a property's value.
    private(set) var propertyValue: [UInt8] = []
    /// The maximum number of stored bytes of such an answer: a time with its zone has 25 characters of 16
    /// bits.
    private static let valueBytesMax = 64
    /// The operation of FrameFast's own request without data while it is running, otherwise `nil`.
    var ownCommand: UInt16?
    /// Whether to withhold the data of this reply from the driver, because only FrameFast needs it.
    var keepsDataFromDriver: Bool {
        switch request.operation {
        case PTPOperation.getObjectHandles: handles.isScanning
        case PTPOperation.getObjectInfo: isAskingForInfo
        case PTPOperation.getPropertyValue: isAskingForValue
        default: false
        }
    }

    /// The number of objects in the last handle scan that were not reported; quarantined ones do not count.
    var missing: Int {
        Set(handles.scannedHandles).subtracting(reported.handles).subtracting(handles.quarantined).count
    }

    private var dataOffset = 0

    /// Processes a request; on PTP/IP before it is sent.
    ///
    /// - Returns: A replacement for the first parameter, or `nil` to send the request unchanged.
    mutating func request(_ request: PTPRequest) -> UInt32? {
        self.request = request
        requests &+= 1
        responseCode = 0
        dataOffset = 0
        handles.startRequest(request)
        reported.beginReply()
        polled.startReply()
        if PTPOperation.reads(request.operation) { readObject = request.parameters.0 }
        if request.operation == PTPOperation.initiateOpenCapture { openCapture = request.transaction }
        // ptp2's delete_file_func does not check the result of find_child. For a file that it can't find, it
        // sends DeleteObject(0xFFFFFFFF), which means "delete everything". The camera refuses handle 0.
        guard request.operation == PTPOperation.deleteObject else { return nil }
        deletion = 0
        return request.parameters.0 == UInt32.max || request.parameters.0 != deletable ? 0 : nil
    }

    /// Processes the start of the data phase.
    ///
    /// - Parameter limit: The largest total that the driver supports. Of a larger total it would use the
    ///   lower half, stop there, and treat the result as complete.
    /// - Returns: A replacement for the total, or `nil` to leave it unchanged.
    mutating func dataStart(transaction: UInt32, total: UInt64, limit: UInt64 = .max) -> UInt64? {
        if transaction != request.transaction { strays &+= 1 }
        // read_file_func copies as many bytes into the caller's buffer as arrive, not as many as requested. A
        // camera that sends more would overwrite memory. With a total of 0, the driver fails the call and
        // copies nothing.
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

    /// Processes a part of the data phase, in the driver's buffer.
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
        // Process the data as the camera sent it, before quarantined objects are overwritten.
        reported.data(of: request, bytes)
        handles.data(of: request, bytes, offset: dataOffset)
        polled.data(of: request, bytes, offset: dataOffset)
        dataOffset += bytes.count
    }

    /// Processes the camera's response to the request.
    ///
    /// - Returns: A replacement for the code, or `nil` to leave it unchanged.
    mutating func response(code: UInt16) -> UInt16? {
        responseCode = code
        hasSeenExchange = hasSeenExchange || (requests > 0 && dataOffset > 0)
        if request.operation == PTPOperation.deleteObject { deletion = code }
        if request.operation == PTPOperation.nikonInitiateCaptureRecInMedia { nikonRelease = code }
        reported.response(to: request, code: code)
        // The driver expects data, and would wait for another response after this one (ptp_ptpip_getdata). An
        // error ends the transaction.
        if request.operation == ownCommand, code == PTPResponse.good { return PTPResponse.generalError }
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

    /// Whether a memory photo has fewer bytes than announced. For such a photo the driver uses the announced
    /// size and reads beyond the received data (`ptp_getobject`, then `gp_file_set_data_and_size`). After an
    /// error, the driver requests the photo again while the camera still has it.
    private var isMemoryObjectShort: Bool {
        request.isMemoryRead && responseCode == PTPResponse.good
            && dataOffset < Int(memoryObject?.size ?? 0)
    }

    /// Processes an event.
    ///
    /// - Returns: Whether to hide the event from the driver.
    mutating func event(code: UInt16, parameter: UInt32) -> Bool {
        events &+= 1
        let isSetting = polled.event(code: code, parameter: parameter)
        return isSetting || handles.hides(event: code, parameter: parameter)
    }

    /// Parses DeviceInfo: version (16 bits), vendor extension (32), its version (16), its description (a
    /// UTF-16 string with an 8-bit count), functional mode (16), then the array of operations.
    private mutating func deviceInfo(_ bytes: UnsafeMutableRawBufferPointer) {
        guard bytes.count > 8 else { return }
        vendorExtension = bytes.word32(2)
        let array = 9 + 2 * Int(bytes[8]) + 2
        guard array + 4 <= bytes.count else { return }
        let count = Int(bytes.word32(array))
        let first = array + 4
        // Over USB the dataset can arrive in two parts: only the first part is parsed.
        let present = min(count, (bytes.count - first) / 2)
        operations = Set((0..<max(0, present)).map { bytes.word16(first + 2 * $0) })
        keepsAwake = operations.isSuperset(of: [PTPOperation.canonGetEvent, PTPOperation.canonKeepDeviceOn])
        let hidden =
            (hidesPartialTransfers ? PTPOperation.partial : []).union(
                keepsAwake ? [PTPOperation.canonKeepDeviceOn] : [])
        for place in stride(from: first, to: first + 2 * max(0, present), by: 2)
        where hidden.contains(bytes.word16(place)) {
            // Overwrite the code with a duplicate of an operation that every camera has.
            bytes.set16(place, PTPOperation.getDeviceInfo)
        }
    }

    /// Parses GetAllDevicePropData, a record for each property: its code, its type (16 bits each), two bytes
    /// of access flags, the factory value, the current value (ptp_unpack_Sony_DPD). Only ObjectInMemory is
    /// used.
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

    /// Parses SDIOGetExtDeviceInfo: a version (16 bits), then one or two arrays with mixed codes of
    /// operations, events and properties. The driver reads both arrays (ptp_sony_get_vendorpropcodes).
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
