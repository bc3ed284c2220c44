/// The PTP operation codes that ``PacketTap`` uses (ISO 15740, and ptp.h for vendor codes).
enum PTPOperation {
    static let getDeviceInfo: UInt16 = 0x1001
    static let getObjectHandles: UInt16 = 0x1007
    static let getObjectInfo: UInt16 = 0x1008
    static let getObject: UInt16 = 0x1009
    static let getThumbnail: UInt16 = 0x100A
    static let deleteObject: UInt16 = 0x100B
    static let initiateCapture: UInt16 = 0x100E
    static let getPropertyValue: UInt16 = 0x1015
    static let terminateOpenCapture: UInt16 = 0x1018
    static let getPartialObject: UInt16 = 0x101B
    static let initiateOpenCapture: UInt16 = 0x101C
    static let nikonStartLiveView: UInt16 = 0x9201
    static let nikonGetPartialObjectEx: UInt16 = 0x9431
    static let androidGetPartialObject64: UInt16 = 0x95C1
    static let nikonInitiateCaptureRecInMedia: UInt16 = 0x9207
    static let nikonTerminateCapture: UInt16 = 0x920C
    static let nikonGetEvent: UInt16 = 0x90C7
    static let nikonGetEventEx: UInt16 = 0x941C
    static let canonGetDeviceInfoEx: UInt16 = 0x9108
    static let canonGetObjectInfoEx: UInt16 = 0x9109
    static let canonGetEvent: UInt16 = 0x9116
    static let canonInitiateCaptureInMemory: UInt16 = 0x901A
    static let canonRemoteRelease: UInt16 = 0x910F
    static let canonKeepDeviceOn: UInt16 = 0x911D
    static let canonRequestPropertyValue: UInt16 = 0x9127
    static let canonRemoteReleaseOn: UInt16 = 0x9128
    static let sonyGetExtDeviceInfo: UInt16 = 0x9202
    static let sonyGetAllProperties: UInt16 = 0x9209
    static let sonySetControlDeviceB: UInt16 = 0x9207
    static let panasonicInitiateCapture: UInt16 = 0x9404
    static let olympusCapture: UInt16 = 0x9481
    static let olympusChangedProperties: UInt16 = 0x9486

    /// The operations that transfer a part of an object (ptp.h): one of the standard, five of Canon, one of
    /// Nikon and one of Android.
    static let partial: Set<UInt16> = [
        getPartialObject, 0x901B, 0x9107, 0x912C, 0x9172, 0x9174, nikonGetPartialObjectEx,
        androidGetPartialObject64,
    ]

    /// Returns whether an operation transfers all or a part of an object's data.
    static func reads(_ operation: UInt16) -> Bool { operation == getObject || partial.contains(operation) }

    /// The operations that a model does not complete, by the model's name in DeviceInfo.
    ///
    /// An EOS R5 Mark II sends the data of GetDeviceInfoEx but no response (libgphoto2 issue 1028). The
    /// driver before 2.5.32 uses the data only for its log, but requests it before the first event poll.
    static let incomplete: [String: Set<UInt16>] = ["Canon EOS R5m2": [canonGetDeviceInfoEx]]

    /// The operations with which the driver requests frames from a Canon (EOS, PowerShot) or a Panasonic.
    static let viewfinders: Set<UInt16> = [0x9153, 0x900B, 0x9706]

    /// The operations with which camera_trigger_capture can release the shutter, in every version of
    /// libgphoto2.
    static let triggers: Set<UInt16> = [
        initiateCapture, nikonInitiateCaptureRecInMedia, canonInitiateCaptureInMemory, canonRemoteRelease,
        canonRemoteReleaseOn, sonySetControlDeviceB,
    ]
}

/// Vendor extensions (ptp.h).
enum PTPVendor {
    static let microsoft: UInt32 = 0x0000_0006
    static let nikon: UInt32 = 0x0000_000A
    static let canon: UInt32 = 0x0000_000B
    static let fuji: UInt32 = 0x0000_000E
    static let sony: UInt32 = 0x0000_0011
    static let panasonic: UInt32 = 0x0000_001C
    static let mtp: UInt32 = 0xFFFF_FFFF

    /// Returns the id that the driver uses for a camera. Many bodies have the id of Microsoft or MTP, and the
    /// driver replaces it with the maker's id (fixup_cached_deviceinfo).
    ///
    /// The driver recognizes such a Fujifilm only over USB and by the description of its extension. This
    /// method recognizes every Fujifilm, because any of them may never complete a partial transfer.
    ///
    /// - Parameters:
    ///   - id: The id in DeviceInfo.
    ///   - description: The description of the extension, or `nil` if unknown.
    ///   - manufacturer: The manufacturer, or `nil` if unknown.
    static func correctID(_ id: UInt32, description: String?, manufacturer: String?) -> UInt32 {
        let maker = manufacturer ?? ""
        if description?.contains("fujifilm.co.jp") == true || maker.contains("FUJIFILM") { return fuji }
        guard id == microsoft || id == mtp else { return id }
        if maker.contains("Canon") { return canon }
        if maker.contains("Nikon") { return nikon }
        return id == mtp && maker == "Sony Corporation" ? sony : id
    }

    /// Returns whether the driver may treat a camera with this id as a Nikon. If the manufacturer is unknown,
    /// a Nikon may have the id of Microsoft, and a Nikon Z the id of MTP.
    static func mayBeNikon(_ id: UInt32?) -> Bool { id == nikon || id == microsoft || id == mtp }
}

/// The event codes that the tap uses.
enum PTPEvent {
    /// "Undefined". The driver reports this event as unknown and performs no action.
    static let undefined: UInt16 = 0x4000
    static let objectAdded: UInt16 = 0x4002
    static let objectRemoved: UInt16 = 0x4003
    static let storeAdded: UInt16 = 0x4004
    static let storeRemoved: UInt16 = 0x4005
    static let propertyChanged: UInt16 = 0x4006
    static let objectInfoChanged: UInt16 = 0x4007
    static let deviceInfoChanged: UInt16 = 0x4008
    static let captureComplete: UInt16 = 0x400D
    static let nikonObjectAddedInMemory: UInt16 = 0xC101
    static let nikonCaptureCompleteInMemory: UInt16 = 0xC102
    static let nikonMovieComplete: UInt16 = 0xC108
    static let sonyPropertyChanged: UInt16 = 0xC203
    static let canonObjectAddedEx: UInt32 = 0xC181
    static let canonObjectRemoved: UInt32 = 0xC182
    static let canonRequestObjectTransfer: UInt32 = 0xC186
    static let canonObjectInfoChangedEx: UInt32 = 0xC187
    static let canonObjectContentChanged: UInt32 = 0xC188
    static let canonPropertyChanged: UInt32 = 0xC189
    static let canonChoicesChanged: UInt32 = 0xC18A
    static let canonStatusChanged: UInt32 = 0xC18B
    static let canonStoreAdded: UInt32 = 0xC192
    static let canonStoreRemoved: UInt32 = 0xC193
    static let canonExposureChanged: UInt32 = 0xC1A5
    static let canonObjectAddedEx64: UInt32 = 0xC1A7
    static let canonRequestObjectTransfer64: UInt32 = 0xC1A9
    static let canonObjectAddedEx64LFN: UInt32 = 0xC1B6
    static let canonRequestObjectTransfer64LFN: UInt32 = 0xC1B8
    /// The older record types that the driver knows, by the record types that an EOS R1, R5 Mark II or
    /// R6 Mark III sends.
    ///
    /// The records have the same layout as older records, except for the name (libgphoto2 issues 1028 and
    /// 1200). The driver does not use the name in a record. libgphoto2 up to 2.5.34 does not know the record
    /// for a photo on the card, and libgphoto2 before 2.5.34 does not know the record for a photo in memory.
    static let canonKnownTypes = [
        canonObjectAddedEx64LFN: canonObjectAddedEx64,
        canonRequestObjectTransfer64LFN: canonRequestObjectTransfer,
    ]
    /// A type that no EOS sends. The driver skips a record of this type.
    static let canonUnknown: UInt32 = 0xC1FF
}

/// The object formats that the tap uses.
enum PTPFormat {
    /// A folder.
    static let association: UInt16 = 0x3001
}

/// The properties that the tap uses.
enum PTPProperty {
    /// A Sony's ObjectInMemory: the number of photos in its memory. The top bit is set if the first photo can
    /// be read.
    static let sonyObjectInMemory: UInt16 = 0xD215
    /// The type code of a 16-bit number.
    static let typeOf16Bits: UInt16 = 0x0004
    /// The camera's clock, as text.
    static let dateTime: UInt16 = 0x5011
    static let canonAperture: UInt16 = 0xD101
    static let canonShutterSpeed: UInt16 = 0xD102
    static let canonISOSpeed: UInt16 = 0xD103
    /// Returns the properties in an EOS exposure record, based on the bits in its second word.
    static func canonExposure(_ mask: UInt32) -> Set<UInt16> {
        var properties: Set<UInt16> = []
        for (bit, property) in [(UInt32(2), canonShutterSpeed), (4, canonAperture), (8, canonISOSpeed)]
        where mask & bit != 0 {
            properties.insert(property)
        }
        return properties
    }
    static let canonFocusMode: UInt16 = 0xD108
    static let canonAvailableShots: UInt16 = 0xD11B
    static let canonCaptureDestination: UInt16 = 0xD11C
    static let canonClock: UInt16 = 0xD113
    /// An EOS's battery, clocks and remaining shots: BatteryPower, CameraTime, AvailableShots, UTCTime.
    static let canonFacts: Set<UInt16> = [0xD111, canonClock, canonAvailableShots, 0xD17C]
}

/// Special handles: the oldest photo in a Nikon's or Sony's memory, and a Fujifilm's live-view frame.
enum PTPHandle {
    static let nikonMemory: UInt32 = 0xFFFF_0001
    static let sonyMemory: UInt32 = 0xFFFF_C001
    static let fujiPreview: UInt32 = 0x8000_0001
}

/// The response codes that the worker handles.
public enum PTPResponse {
    static let good: UInt16 = 0x2001
    static let generalError: UInt16 = 0x2002
    static let operationNotSupported: UInt16 = 0x2005
    static let incompleteTransfer: UInt16 = 0x2007
    static let invalidObjectHandle: UInt16 = 0x2009
    /// The camera does not have this property, or not in its current state.
    public static let propertyNotSupported: UInt16 = 0x200A
    /// The operation is currently not permitted.
    public static let accessDenied: UInt16 = 0x200F
    /// The camera is busy.
    public static let deviceBusy: UInt16 = 0x2019
    /// The value has the wrong format.
    public static let invalidPropertyFormat: UInt16 = 0x201B
    /// The camera does not accept the value.
    public static let invalidPropertyValue: UInt16 = 0x201C
    /// The camera could not focus (Nikon).
    public static let outOfFocus: UInt16 = 0xA002

    /// Returns the response code in a message of the driver or of ``CameraHandle``: `(0x2019: PTP Device
    /// Busy)` or `(PTP response 0x2019)`. Returns `nil` if the message contains no code.
    static func code(in text: String) -> UInt16? {
        for mark in ["(0x", "(PTP response 0x"] {
            var rest = Substring(text)
            while let place = rest.firstRange(of: mark) {
                rest = rest[place.upperBound...]
                let digits = rest.prefix { $0.isASCII && $0.isHexDigit }
                if let end = rest.dropFirst(digits.count).first, end == ":" || end == ")",
                    let code = UInt16(digits, radix: 16)
                {
                    return code
                }
            }
        }
        return nil
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Returns the little-endian number at a byte offset. The caller must check the bounds.
    func word16(_ offset: Int) -> UInt16 {
        UInt16(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }
    /// Returns the little-endian number at a byte offset. The caller must check the bounds.
    func word32(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
    /// Writes a little-endian number at a byte offset. The caller must check the bounds.
    func set16(_ offset: Int, _ value: UInt16) {
        storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt16.self)
    }
    /// Writes a little-endian number at a byte offset. The caller must check the bounds.
    func set32(_ offset: Int, _ value: UInt32) {
        storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}
