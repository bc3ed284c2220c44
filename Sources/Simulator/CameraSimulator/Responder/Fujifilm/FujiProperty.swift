/// The property codes of a Fujifilm, as libgphoto2 names them, and its additional standard properties.
enum FujiProperty {
    static let whiteBalance: UInt16 = 0x5005
    static let focusMode: UInt16 = 0x500A
    static let meteringMode: UInt16 = 0x500B
    static let exposureMode: UInt16 = 0x500E
    static let exposureCompensation: UInt16 = 0x5010
    static let filmSimulation: UInt16 = 0xD001
    static let colorTemperature: UInt16 = 0xD017
    static let quality: UInt16 = 0xD018
    static let liveViewSize: UInt16 = 0xD174
    static let driveMode: UInt16 = 0xD201
    static let priorityMode: UInt16 = 0xD207
    static let release: UInt16 = 0xD208
    static let focusStatus: UInt16 = 0xD209
    static let freeMemoryImages: UInt16 = 0xD20E
    static let currentState: UInt16 = 0xD212
    static let computerMode: UInt16 = 0xD38C
}
