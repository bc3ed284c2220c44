/// The PTP transactions between driver and camera, for any transport. ``NetworkFraming`` and ``USBFraming``
/// parse the packets and call this type.
struct PTPDialogue {
    /// The filter that hides objects from the driver. The filter also stores the handles from the last handle
    /// scan.
    var handles = HandleFilter()
    /// The objects that were reported to the daemon.
    var reported = ReportedObjects()
    /// The camera's response to the greeting of a network connection.
    var greeting = NetworkGreeting.settled
    /// The number of requests.
    private(set) var requests: UInt64 = 0
    /// The number of events, including events that the driver has queued but not returned.
    private(set) var events: UInt64 = 0
    /// The filter for polled events.
    var polled = PolledEvents()
    /// The last request.
    private(set) var request = PTPRequest(operation: 0, transaction: 0, parameters: (0, 0, 0, 0))
    /// The code of the last response, or 0 while a response is outstanding.
    private(set) var responseCode: UInt16 = 0
    /// The number of responses that belong to an earlier request. A single such response ends the connection,
    /// because bytes of one photo could be written into another photo.
    private(set) var strays: UInt64 = 0
    /// The number of responses that announced more bytes than requested.
    private(set) var oversized: UInt64 = 0
    /// The number of responses that are longer than the driver can count.
    private(set) var tooLong: UInt64 = 0
    /// The number of photos from the camera's memory that had fewer bytes than announced.
    private(set) var short: UInt64 = 0

    /// The operations that the camera supports, or an empty set before DeviceInfo was read.
    private(set) var operations: Set<UInt16> = []
    /// Whether a request, its data and its response have been seen.
    private(set) var hasSeenExchange = false
    /// The vendor extension id that the driver uses, or `nil` before DeviceInfo was read
    /// (``PTPVendor/correctID(_:description:manufacturer:)``).
    private(set) var vendorExtension: UInt32?
    /// The number of photos in a Sony's memory: the last reported number, minus the photos transferred since.
    /// `nil` before the camera reported a number.
    private(set) var photosInMemory: Int?
    /// Whether the oldest photo in a Sony's memory can be read, according to the camera's last report.
    var isPhotoReady = false
    /// The last object information of a photo in the camera's memory. The value is cleared after use.
    var memoryObject: ObjectInfo?
    /// The response to the last DeleteObject request, or 0 while it is outstanding.
    private(set) var deletion: UInt16 = 0
    /// A Nikon's response to the release request, or `nil` until it arrives. Set this property to `nil`
    /// before each request.
    var nikonRelease: UInt16?
    /// A Nikon's response to the request to end a bulb exposure, or `nil` until it arrives. Set this property
    /// to `nil` before each request.
    var nikonBulbEnd: UInt16?
    /// The object whose data or thumbnail was requested last. Each call that reads a file first sets this
    /// property to `nil`, because the driver may send no such request.
    var readObject: UInt32?
    /// The only object that may be deleted now, or `nil` if no object may be deleted.
    var deletable: UInt32?
    /// The transaction that started the open capture and is needed to end it, or `nil` if no open capture is
    /// running.
    var openCapture: UInt32?
    /// Whether to hide the camera's support for partial transfers from the driver.
    var hidesPartialTransfers = false
    /// Whether the camera is a Fujifilm, which may never complete a partial transfer. ``deviceInfo`` hides
    /// this support from the driver in every connection, regardless of ``hidesPartialTransfers``.
    ///
    /// An X-T4 does not complete GetPartialObject, and the driver waits in ptp_usb_getdata (libgphoto2 issue
    /// 653). Commit 7fbe4c237 (libgphoto2 2.5.32) disables the operation for all Fujifilms, but only in
    /// get_file_func. read_file_func uses the operation in every version.
    var isFujifilm: Bool { vendorExtension == PTPVendor.fuji }
    /// Whether the camera supports Sony's remote release (ControlDevice) and the operation that opens Sony's
    /// extension.
    var hasSonyCapture: Bool {
        operations.isSuperset(of: [PTPOperation.sonyGetExtDeviceInfo, PTPOperation.sonySetControlDeviceB])
    }
    /// Whether an EOS supports keep-alive requests. ``deviceInfo`` hides this support from the driver,
    /// because the driver would send a keep-alive request at each poll for events.
    private(set) var keepsAwake = false
    /// Whether FrameFast's own request for object information is running.
    var isAskingForInfo = false
    /// Whether FrameFast's own request for a property value is running.
    var isAskingForValue = false
    /// The response to the request for a property value.
    private(set) var propertyValue: [UInt8] = []
    /// The maximum number of stored bytes of a property value. A time with its zone has 25 characters of 16
    /// bits.
    private static let valueBytesMax = 64
    /// The maximum number of photos in a Sony's memory. A larger value is not a number of photos. For
    /// example, an ILCE-6400 reported 0xFFFB while no photo could be read (libgphoto2 issue 1058).
    private static let photosInMemoryMax = 10_000
    /// The operation of FrameFast's own request without a data phase, or `nil` if no such request is running.
    var ownCommand: UInt16?
    /// The running change of a setting that a photo may end early, or `nil` if no such change runs.
    var steppedChange: SteppedChange?
    /// Whether to withhold the data of the current response from the driver, because only FrameFast needs the
    /// data.
    var keepsDataFromDriver: Bool {
        switch request.operation {
        case PTPOperation.getObjectHandles: handles.isScanning
        case PTPOperation.getObjectInfo: isAskingForInfo
        case PTPOperation.getPropertyValue: isAskingForValue
        default: false
        }
    }

    /// The handles of the objects in the last handle scan that were not reported. Excludes quarantined
    /// objects.
    var missing: Set<UInt32> {
        Set(handles.scannedHandles).subtracting(reported.handles).subtracting(handles.quarantined)
    }

    /// The handles of the objects in the last handle scan whose information the camera refused to send.
    /// Excludes quarantined objects.
    var refused: Set<UInt32> {
        reported.refused.intersection(handles.scannedHandles).subtracting(handles.quarantined)
    }

    private var dataOffset = 0
    /// The last bytes of the previous part of a Sony's properties. They may contain the start of the record
    /// with the number of photos.
    private var propertiesTail: [UInt8] = []
    /// Whether the current response has reported the number of photos in a Sony's memory.
    private var hasPhotoCount = false
    /// The number of bytes in the record with the number of photos, up to the current value.
    private static let photoCountBytes = 10

    /// Returns whether the driver can release the camera's shutter (camera_trigger_capture). libgphoto2 has
    /// the release of Panasonic cameras since 2.5.31, and of OM-D and OM System cameras since 2.5.32.
    ///
    /// - Parameter library: The version of libgphoto2, for example `2.5.30`.
    func canTrigger(with library: String) -> Bool {
        if !operations.isDisjoint(with: PTPOperation.triggers) { return true }
        if vendorExtension == PTPVendor.panasonic {
            return operations.contains(PTPOperation.panasonicInitiateCapture)
                && Self.isVersion(library, atLeast: [2, 5, 31])
        }
        let olympus: Set<UInt16> = [PTPOperation.olympusCapture, PTPOperation.olympusChangedProperties]
        return operations.isSuperset(of: olympus) && Self.isVersion(library, atLeast: [2, 5, 32])
    }

    /// Returns whether a version is not older than another version. A part that is not a number is newer than
    /// each number.
    private static func isVersion(_ version: String, atLeast least: [Int]) -> Bool {
        let parts = version.split(separator: ".").map { Int($0) ?? Int.max }
        return !parts.lexicographicallyPrecedes(least)
    }

    /// Processes a request. On PTP/IP, this happens before the request is sent.
    ///
    /// - Returns: A replacement for the first parameter, or `nil` to send the request unchanged.
    mutating func request(_ request: PTPRequest) -> UInt32? {
        self.request = request
        requests &+= 1
        responseCode = 0
        dataOffset = 0
        propertiesTail = []
        hasPhotoCount = false
        handles.startRequest(request)
        reported.beginReply()
        polled.startReply()
        if PTPOperation.reads(request.operation) || request.operation == PTPOperation.getThumbnail {
            readObject = request.parameters.0
        }
        if request.operation == PTPOperation.initiateOpenCapture { openCapture = request.transaction }
        // If ptp2's delete_file_func can't find a file, it ignores the error and sends
        // DeleteObject(0xFFFFFFFF), which means "delete everything". Handle 0 makes the camera refuse the
        // request.
        guard request.operation == PTPOperation.deleteObject else { return nil }
        deletion = 0
        return request.parameters.0 == UInt32.max || request.parameters.0 != deletable ? 0 : nil
    }

    /// Processes the start of the data phase.
    ///
    /// - Parameter limit: The maximum size of the data that the driver supports, in bytes. The driver would
    ///   read only the lower 32 bits of a larger size, and treat the truncated object as complete.
    /// - Returns: A replacement for the total size, or `nil` to leave the size unchanged.
    mutating func dataStart(transaction: UInt32, total: UInt64, limit: UInt64 = .max) -> UInt64? {
        if transaction != request.transaction { strays &+= 1 }
        // read_file_func copies all received bytes into the caller's buffer, even if they exceed the request.
        // A camera that sends too many bytes would overwrite memory. With a total of 0, the driver fails the
        // call and copies nothing.
        if let asked = request.chunkBytes, total > UInt64(asked) {
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
            case PTPOperation.getObjectInfo where ObjectInfo.inMemory.contains(request.parameters.0):
                memoryObject = ObjectInfo(bytes)
            case PTPOperation.getPropertyValue where isAskingForValue:
                propertyValue = Array(bytes.prefix(Self.valueBytesMax))
            default: break
            }
        }
        if request.operation == PTPOperation.sonyGetAllProperties { sonyProperties(bytes) }
        // Processes the camera's original data first, before quarantined objects are overwritten.
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
        if request.operation == PTPOperation.nikonTerminateCapture { nikonBulbEnd = code }
        reported.response(to: request, code: code)
        // FrameFast's own command has no data, but the driver expects data. After a successful response, the
        // driver would wait for a second response (ptp_ptpip_getdata). An error ends the transaction.
        if request.operation == ownCommand, code == PTPResponse.good { return PTPResponse.generalError }
        if let error = steppedChange?.response(
            to: request.operation, code: code, isPhotoReady: isPhotoReady)
        {
            return error
        }
        if isMemoryInfoTruncated { return PTPResponse.incompleteTransfer }
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

    /// Whether the camera sent no usable information about a memory photo. The driver does not parse such
    /// information, and uses uninitialized memory as the photo's name and size (`ptp_unpack_OI`, then
    /// `camera_wait_for_event`). After an error, the driver requests the information again at its next poll.
    private var isMemoryInfoTruncated: Bool {
        request.operation == PTPOperation.getObjectInfo && responseCode == PTPResponse.good
            && ObjectInfo.inMemory.contains(request.parameters.0) && dataOffset < ObjectInfo.fixedBytes
    }

    /// Whether a memory photo has fewer bytes than announced. In that case, the driver uses the announced
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

    /// Parses the start of DeviceInfo, in this order: version (16 bits), vendor extension (32 bits), its
    /// version (16 bits), its description, functional mode (16 bits), operations. The description is a UTF-16
    /// string with an 8-bit count. The operations are an array.
    private mutating func deviceInfo(_ bytes: UnsafeMutableRawBufferPointer) {
        guard bytes.count > 8 else { return }
        vendorExtension = bytes.word32(2)
        let array = 9 + 2 * Int(bytes[8]) + 2
        guard array + 4 <= bytes.count else { return }
        let count = Int(bytes.word32(array))
        let first = array + 4
        // Over USB, the dataset can arrive in two parts. Only the first part is parsed.
        let present = min(count, (bytes.count - first) / 2)
        operations = Set((0..<max(0, present)).map { bytes.word16(first + 2 * $0) })
        keepsAwake = operations.isSuperset(of: [PTPOperation.canonGetEvent, PTPOperation.canonKeepDeviceOn])
        var descriptionPlace = 8
        let description = ObjectInfo.text(bytes, &descriptionPlace)
        let (manufacturer, model) = Self.names(in: bytes, after: first + 2 * count)
        vendorExtension = PTPVendor.correctID(
            bytes.word32(2), description: description, manufacturer: manufacturer)
        var hidden = hidesPartialTransfers || isFujifilm ? PTPOperation.partial : []
        if keepsAwake { hidden.insert(PTPOperation.canonKeepDeviceOn) }
        if let model { hidden.formUnion(PTPOperation.incomplete[model] ?? []) }
        for place in stride(from: first, to: first + 2 * max(0, present), by: 2)
        where hidden.contains(bytes.word16(place)) {
            // Overwrites the code with the code of an operation that every camera supports.
            bytes.set16(place, PTPOperation.getDeviceInfo)
        }
    }

    /// Returns the manufacturer and the model in DeviceInfo. A value is `nil` if this part of DeviceInfo ends
    /// before it. The operations are followed by the arrays of events, properties, capture formats and image
    /// formats.
    ///
    /// Over USB, the first part of the dataset may end before the manufacturer, because the array of
    /// properties is long. The first part always contains the description of the extension.
    ///
    /// - Parameter operations: The offset of the first byte after the operations.
    private static func names(
        in bytes: UnsafeMutableRawBufferPointer, after operations: Int
    ) -> (manufacturer: String?, model: String?) {
        var place = operations
        for _ in 0..<4 {
            guard place + 4 <= bytes.count else { return (nil, nil) }
            place += 4 + 2 * Int(bytes.word32(place))
        }
        guard let manufacturer = ObjectInfo.text(bytes, &place) else { return (nil, nil) }
        return (manufacturer, ObjectInfo.text(bytes, &place))
    }

    /// Parses a part of GetAllDevicePropData (ptp_unpack_Sony_DPD) and uses only ObjectInMemory. The data
    /// contains a record for each property: code and type (16 bits each), two bytes of access flags, default
    /// value, current value.
    ///
    /// Over USB, the first part has at most 1,012 bytes, and the record may be in a later part. An A7R III
    /// lists ObjectInMemory after 48 other properties, among them the long list of ISO values.
    private mutating func sonyProperties(_ part: UnsafeMutableRawBufferPointer) {
        guard !hasPhotoCount else { return }
        // The record may be split between two parts.
        let most = Self.photoCountBytes - 1
        var seam = propertiesTail + part.prefix(most)
        seam.withUnsafeMutableBytes { readPhotoCount(in: $0) }
        readPhotoCount(in: part)
        propertiesTail = Array((propertiesTail + part.suffix(most)).suffix(most))
    }

    private mutating func readPhotoCount(in bytes: UnsafeMutableRawBufferPointer) {
        var place = 0
        while !hasPhotoCount, place + Self.photoCountBytes <= bytes.count {
            if bytes.word16(place) == PTPProperty.sonyObjectInMemory,
                bytes.word16(place + 2) == PTPProperty.typeOf16Bits
            {
                let value = bytes.word16(place + 8)
                let count = Int(value & 0x7FFF)
                let isNumber = count <= Self.photosInMemoryMax
                photosInMemory = isNumber ? count : 0
                isPhotoReady = isNumber && value > 0x8000
                hasPhotoCount = true
            }
            place += 1
        }
    }

    /// Parses SDIOGetExtDeviceInfo: a version (16 bits), followed by one or two arrays that contain codes of
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
