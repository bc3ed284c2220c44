/// The operations that simulated cameras support. Each maker supports a subset.
///
/// The raw value is the operation's code. Sony's own operations are prefixed with Sony's vendor ID, because
/// Nikon uses the same codes.
enum PTPOperation: UInt32, Hashable, Sendable, CaseIterable {
    // PIMA 15740, table 10
    case getDeviceInfo = 0x1001
    case openSession = 0x1002
    case closeSession = 0x1003
    case getStorageIDs = 0x1004
    case getStorageInfo = 0x1005
    case getNumObjects = 0x1006
    case getObjectHandles = 0x1007
    case getObjectInfo = 0x1008
    case getObject = 0x1009
    case getThumb = 0x100A
    case deleteObject = 0x100B
    case initiateCapture = 0x100E
    case resetDevice = 0x1010
    case getDevicePropDesc = 0x1014
    case getDevicePropValue = 0x1015
    case setDevicePropValue = 0x1016
    case resetDevicePropValue = 0x1017
    case terminateOpenCapture = 0x1018
    case getPartialObject = 0x101B
    case initiateOpenCapture = 0x101C

    // Canon EOS, as libgphoto2 names them
    case canonGetStorageIDs = 0x9101
    case canonGetStorageInfo = 0x9102
    case canonGetObject = 0x9104
    case canonGetPartialObject = 0x9107
    case canonGetDeviceInfoEx = 0x9108
    case canonGetObjectInfoEx = 0x9109
    case canonSetDevicePropValueEx = 0x9110
    case canonSetRemoteMode = 0x9114
    case canonSetEventMode = 0x9115
    case canonGetEvent = 0x9116
    case canonTransferComplete = 0x9117
    case canonCancelTransfer = 0x9118
    case canonHostCapacity = 0x911A
    case canonSetUILock = 0x911B
    case canonResetUILock = 0x911C
    case canonKeepDeviceOn = 0x911D
    case canonBulbStart = 0x9125
    case canonBulbEnd = 0x9126
    case canonRequestDevicePropValue = 0x9127
    case canonRemoteReleaseOn = 0x9128
    case canonRemoteReleaseOff = 0x9129
    case canonMovieSwitchOn = 0x9133
    case canonMovieSwitchOff = 0x9134
    case canonSetRequestOLCInfoGroup = 0x913D
    case canonStartViewfinder = 0x9151
    case canonEndViewfinder = 0x9152
    case canonGetViewfinderImage = 0x9153
    case canonAutofocus = 0x9154
    case canonDriveLens = 0x9155
    case canonZoom = 0x9158
    case canonZoomPosition = 0x9159
    case canonAutofocusCancel = 0x9160

    // Nikon, as libgphoto2 names them
    case nikonCaptureToMemory = 0x90C0
    case nikonFocus = 0x90C1
    case nikonChangeCameraMode = 0x90C2
    case nikonDeleteFromMemory = 0x90C3
    case nikonGetEvent = 0x90C7
    case nikonDeviceReady = 0x90C8
    case nikonGetVendorPropCodes = 0x90CA
    case nikonFocusAndCaptureToMemory = 0x90CB
    case nikonStartLiveView = 0x9201
    case nikonEndLiveView = 0x9202
    case nikonGetLiveViewImage = 0x9203
    case nikonDriveLens = 0x9204
    case nikonChangeFocusArea = 0x9205
    case nikonCancelFocus = 0x9206
    case nikonCapture = 0x9207
    case nikonStartMovie = 0x920A
    case nikonEndMovie = 0x920B
    case nikonEndCapture = 0x920C

    // For objects of 4 GiB and more
    case nikonGetObjectSize = 0x9421
    case nikonGetPartialObjectEx = 0x9431

    // MTP, and its extension by Android, for objects of 4 GiB and more
    case mtpGetObjectPropList = 0x9805
    case mtpGetPartialObject64 = 0x95C1

    // Sony, as libgphoto2 names them
    case sonyConnect = 0x11_9201
    case sonyGetExtDeviceInfo = 0x11_9202
    case sonySetProperty = 0x11_9205
    /// SetControlDeviceB, which operates the release button and other buttons.
    case sonyControl = 0x11_9207
    case sonyGetAllProperties = 0x11_9209

    /// Creates the operation that has this code on a maker's camera.
    init?(code: UInt16, maker: Maker) {
        let own: UInt32 = maker == .sony && code >= 0x9000 ? 0x11_0000 : 0
        self.init(rawValue: own | UInt32(code))
    }

    /// The operation code in requests.
    var code: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

    /// Whether the operation returns the content of an object.
    var readsObject: Bool {
        switch self {
        case .getObject, .getPartialObject, .canonGetObject, .canonGetPartialObject, .nikonGetPartialObjectEx,
            .mtpGetPartialObject64:
            true
        default: false
        }
    }

    /// Whether the operation is for objects of 4 GiB and more, which many cameras do not support.
    var isWide: Bool {
        switch self {
        case .nikonGetObjectSize, .nikonGetPartialObjectEx: true
        default: isMTP
        }
    }

    /// Whether the operation belongs to MTP, which only a generic camera supports.
    var isMTP: Bool { self == .mtpGetObjectPropList || self == .mtpGetPartialObject64 }

    /// The maker whose extension contains the operation, or `generic` for the standard's operations.
    var maker: Maker {
        switch rawValue {
        case 0x11_0000...: .sony
        case 0x9100..<0x9200: .canon
        case 0x9000..<0x9300, 0x9400..<0x9500: .nikon
        default: .generic
        }
    }

    /// Whether the operation works without an open session.
    var worksWithoutSession: Bool { self == .getDeviceInfo || self == .openSession }

    /// Whether the client sends data with the operation. USB links need this value, because a USB request
    /// does not show whether data follows.
    var takesData: Bool {
        switch self {
        case .setDevicePropValue, .canonSetDevicePropValueEx, .sonySetProperty, .sonyControl: true
        default: false
        }
    }
}
