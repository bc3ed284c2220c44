/// The property codes of a Fujifilm, as libgphoto2 names them.
enum FujiProperty {
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
