/// The codes of the standard's properties (PIMA 15740, table 27).
enum StandardProperty {
    static let battery: UInt16 = 0x5001
    static let imageSize: UInt16 = 0x5003
    static let compression: UInt16 = 0x5004
    static let whiteBalance: UInt16 = 0x5005
    static let fNumber: UInt16 = 0x5007
    static let focusMode: UInt16 = 0x500A
    static let meteringMode: UInt16 = 0x500B
    static let exposureTime: UInt16 = 0x500D
    static let exposureMode: UInt16 = 0x500E
    static let exposureIndex: UInt16 = 0x500F
    static let exposureCompensation: UInt16 = 0x5010
    static let dateTime: UInt16 = 0x5011
    static let captureMode: UInt16 = 0x5013
    static let burstNumber: UInt16 = 0x5018

    /// The apertures f/1.4 to f/16 in thirds of a stop, as f-numbers times 100.
    static let apertures: [UInt16] = [
        140, 160, 180, 200, 220, 250, 280, 320, 350, 400, 450, 500, 560, 630, 710, 800, 900, 1000, 1100, 1300,
        1400, 1600,
    ]
}

/// The exposure modes (0x500E).
enum ExposureMode: UInt16, Sendable {
    case manual = 1
    case program = 2
    case aperturePriority = 3
    case shutterPriority = 4
    /// The automatic mode of a Nikon.
    case auto = 0x8010
}
