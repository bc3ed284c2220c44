/// A PTP response code (PIMA 15740, table 12).
public struct PTPResponse: RawRepresentable, Hashable, Sendable {
    /// The 16-bit code.
    public let rawValue: UInt16

    /// Creates a response from its code.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The operation succeeded.
    public static let ok = PTPResponse(rawValue: 0x2001)
    /// The operation failed.
    public static let generalError = PTPResponse(rawValue: 0x2002)
    /// No session is open. Only GetDeviceInfo and OpenSession work without a session.
    public static let sessionNotOpen = PTPResponse(rawValue: 0x2003)
    /// The transaction does not exist.
    public static let invalidTransaction = PTPResponse(rawValue: 0x2004)
    /// The camera does not support the operation.
    public static let operationNotSupported = PTPResponse(rawValue: 0x2005)
    /// A parameter that must be zero is not zero.
    public static let parameterNotSupported = PTPResponse(rawValue: 0x2006)
    /// The storage does not exist.
    public static let invalidStorageID = PTPResponse(rawValue: 0x2008)
    /// The object does not exist.
    public static let invalidObjectHandle = PTPResponse(rawValue: 0x2009)
    /// The property does not exist.
    public static let devicePropNotSupported = PTPResponse(rawValue: 0x200A)
    /// The card is full.
    public static let storeFull = PTPResponse(rawValue: 0x200C)
    /// The object is protected.
    public static let objectWriteProtected = PTPResponse(rawValue: 0x200D)
    /// Access is denied.
    public static let accessDenied = PTPResponse(rawValue: 0x200F)
    /// The object has no thumbnail.
    public static let noThumbnailPresent = PTPResponse(rawValue: 0x2010)
    /// The camera is busy. The client should try again.
    public static let deviceBusy = PTPResponse(rawValue: 0x2019)
    /// The given parent is not a folder.
    public static let invalidParentObject = PTPResponse(rawValue: 0x201A)
    /// The data phase does not match the operation.
    public static let invalidDataset = PTPResponse(rawValue: 0x2015)
    /// The value is not allowed for the property.
    public static let invalidDevicePropValue = PTPResponse(rawValue: 0x201C)
    /// A parameter is out of range.
    public static let invalidParameter = PTPResponse(rawValue: 0x201D)
    /// A Nikon found no focus.
    public static let nikonOutOfFocus = PTPResponse(rawValue: 0xA002)
    /// A Nikon's state does not permit the operation.
    public static let nikonInvalidStatus = PTPResponse(rawValue: 0xA004)
    /// A Nikon permits bulb in mode M only.
    public static let nikonShutterSpeedBulb = PTPResponse(rawValue: 0xA008)
    /// A Nikon's live view is off.
    public static let nikonNotLiveView = PTPResponse(rawValue: 0xA00B)
    /// A Nikon's lens has reached its end.
    public static let nikonLensEnd = PTPResponse(rawValue: 0xA00C)
    /// The step is too small for a Nikon's lens.
    public static let nikonStepTooSmall = PTPResponse(rawValue: 0xA00E)
    /// A Nikon's shutter is open for a bulb exposure.
    public static let nikonBulbBusy = PTPResponse(rawValue: 0xA200)
    /// An EOS has no live-view frame yet.
    public static let canonNotReady = PTPResponse(rawValue: 0xA102)
    /// A session is open already.
    public static let sessionAlreadyOpen = PTPResponse(rawValue: 0x201E)
}
