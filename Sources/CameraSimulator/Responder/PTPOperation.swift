/// Operations that the simulated camera knows. Each identity offers a part of them.
public enum PTPOperation: UInt16, Hashable, Sendable, CaseIterable {
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
    case getPartialObject = 0x101B

    /// Whether it sends the contents of an object.
    var readsObject: Bool {
        switch self {
        case .getObject, .getPartialObject: true
        default: false
        }
    }

    /// Whether it may be asked before a session is open.
    var worksWithoutSession: Bool { self == .getDeviceInfo || self == .openSession }
}
