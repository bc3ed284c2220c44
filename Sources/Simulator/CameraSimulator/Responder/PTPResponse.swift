/// Response codes (PIMA 15740, table 12).
public struct PTPResponse: RawRepresentable, Hashable, Sendable {
    /// The 16-bit code.
    public let rawValue: UInt16

    /// A response from its code.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Done.
    public static let ok = PTPResponse(rawValue: 0x2001)
    /// Something went wrong.
    public static let generalError = PTPResponse(rawValue: 0x2002)
    /// Only GetDeviceInfo and OpenSession work without a session.
    public static let sessionNotOpen = PTPResponse(rawValue: 0x2003)
    /// No such transaction.
    public static let invalidTransaction = PTPResponse(rawValue: 0x2004)
    /// This identity does not offer the operation.
    public static let operationNotSupported = PTPResponse(rawValue: 0x2005)
    /// A parameter that should be zero is not.
    public static let parameterNotSupported = PTPResponse(rawValue: 0x2006)
    /// No such storage.
    public static let invalidStorageID = PTPResponse(rawValue: 0x2008)
    /// No such object.
    public static let invalidObjectHandle = PTPResponse(rawValue: 0x2009)
    /// No such property.
    public static let devicePropNotSupported = PTPResponse(rawValue: 0x200A)
    /// The card is full.
    public static let storeFull = PTPResponse(rawValue: 0x200C)
    /// The object is protected.
    public static let objectWriteProtected = PTPResponse(rawValue: 0x200D)
    /// Not allowed.
    public static let accessDenied = PTPResponse(rawValue: 0x200F)
    /// The object has no thumbnail.
    public static let noThumbnailPresent = PTPResponse(rawValue: 0x2010)
    /// Try again.
    public static let deviceBusy = PTPResponse(rawValue: 0x2019)
    /// The given parent is not a folder.
    public static let invalidParentObject = PTPResponse(rawValue: 0x201A)
    /// The data phase is not what the operation wants.
    public static let invalidDataset = PTPResponse(rawValue: 0x2015)
    /// The property cannot have such a value.
    public static let invalidDevicePropValue = PTPResponse(rawValue: 0x201C)
    /// A parameter is out of range.
    public static let invalidParameter = PTPResponse(rawValue: 0x201D)
    /// A Nikon found no focus.
    public static let nikonOutOfFocus = PTPResponse(rawValue: 0xA002)
    /// A Nikon is in no state for it.
    public static let nikonInvalidStatus = PTPResponse(rawValue: 0xA004)
    /// A Nikon's shutter can be held open in mode M only.
    public static let nikonShutterSpeedBulb = PTPResponse(rawValue: 0xA008)
    /// A Nikon shows no live view.
    public static let nikonNotLiveView = PTPResponse(rawValue: 0xA00B)
    /// A Nikon's lens is at its end.
    public static let nikonLensEnd = PTPResponse(rawValue: 0xA00C)
    /// A step too small for a Nikon's lens.
    public static let nikonStepTooSmall = PTPResponse(rawValue: 0xA00E)
    /// A Nikon's shutter is held open.
    public static let nikonBulbBusy = PTPResponse(rawValue: 0xA200)
    /// An EOS has no picture of its live view yet.
    public static let canonNotReady = PTPResponse(rawValue: 0xA102)
    /// A session is open already.
    public static let sessionAlreadyOpen = PTPResponse(rawValue: 0x201E)
}
