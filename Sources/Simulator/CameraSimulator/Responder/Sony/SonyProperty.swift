/// The property codes of a Sony, as libgphoto2 names them.
enum SonyProperty {
    static let focusFound: UInt16 = 0xD213
    static let objectInMemory: UInt16 = 0xD215
    static let battery: UInt16 = 0xD218
    static let destination: UInt16 = 0xD222
    /// An unsigned number on real bodies (libgphoto2 pull request 1184, and the reports of an ILCE-1M2 and an
    /// ILCE-7M5). Before 2.5.34, the driver offers `prioritymode` only for a signed number.
    static let priorityMode: UInt16 = 0xD25A
    static let halfPress: UInt16 = 0xD2C1
    static let press: UInt16 = 0xD2C2
    static let bulb: UInt16 = 0xD2C7
    static let movie: UInt16 = 0xD2C8
    static let nearFar: UInt16 = 0xD2D1
    static let focusMagnifier: UInt16 = 0xD2D2
    static let controls = [halfPress, press, bulb, movie, nearFar, focusMagnifier]
}

extension PhotoDestination {
    /// The value of StillImageStoreDestination, as libgphoto2 names it.
    var sonyCode: UInt16 {
        switch self {
        case .host: 0x0001
        case .card: 0x0010
        case .both: 0x0011
        }
    }
}
