/// A PTP response code (PIMA 15740, table 12).
struct PTPResponse: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    static let ok = PTPResponse(rawValue: 0x2001)
    static let generalError = PTPResponse(rawValue: 0x2002)
    /// No session is open. Only GetDeviceInfo and OpenSession work without a session.
    static let sessionNotOpen = PTPResponse(rawValue: 0x2003)
    static let invalidTransaction = PTPResponse(rawValue: 0x2004)
    static let operationNotSupported = PTPResponse(rawValue: 0x2005)
    /// A parameter that must be zero is not zero.
    static let parameterNotSupported = PTPResponse(rawValue: 0x2006)
    static let invalidStorageID = PTPResponse(rawValue: 0x2008)
    static let invalidObjectHandle = PTPResponse(rawValue: 0x2009)
    static let devicePropNotSupported = PTPResponse(rawValue: 0x200A)
    static let storeFull = PTPResponse(rawValue: 0x200C)
    static let objectWriteProtected = PTPResponse(rawValue: 0x200D)
    static let accessDenied = PTPResponse(rawValue: 0x200F)
    static let noThumbnailPresent = PTPResponse(rawValue: 0x2010)
    static let deviceBusy = PTPResponse(rawValue: 0x2019)
    static let invalidParentObject = PTPResponse(rawValue: 0x201A)
    /// The data phase does not match the operation.
    static let invalidDataset = PTPResponse(rawValue: 0x2015)
    static let invalidDevicePropValue = PTPResponse(rawValue: 0x201C)
    static let invalidParameter = PTPResponse(rawValue: 0x201D)
    static let nikonOutOfFocus = PTPResponse(rawValue: 0xA002)
    /// A Nikon's state does not permit the operation.
    static let nikonInvalidStatus = PTPResponse(rawValue: 0xA004)
    /// A Nikon permits bulb in mode M only.
    static let nikonShutterSpeedBulb = PTPResponse(rawValue: 0xA008)
    static let nikonNotLiveView = PTPResponse(rawValue: 0xA00B)
    static let nikonLensEnd = PTPResponse(rawValue: 0xA00C)
    static let nikonStepTooSmall = PTPResponse(rawValue: 0xA00E)
    /// A Nikon's shutter is open for a bulb exposure.
    static let nikonBulbBusy = PTPResponse(rawValue: 0xA200)
    /// An EOS has no live-view frame yet.
    static let canonNotReady = PTPResponse(rawValue: 0xA102)
    static let sessionAlreadyOpen = PTPResponse(rawValue: 0x201E)
}
