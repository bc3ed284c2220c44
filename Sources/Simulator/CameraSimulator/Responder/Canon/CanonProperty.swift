/// The codes of EOS properties, as libgphoto2 names them.
enum CanonProperty {
    static let aperture: UInt16 = 0xD101
    static let shutterSpeed: UInt16 = 0xD102
    static let isoSpeed: UInt16 = 0xD103
    static let exposureCompensation: UInt16 = 0xD104
    static let exposureMode: UInt16 = 0xD105
    static let driveMode: UInt16 = 0xD106
    static let meteringMode: UInt16 = 0xD107
    static let focusMode: UInt16 = 0xD108
    static let whiteBalance: UInt16 = 0xD109
    static let colorTemperature: UInt16 = 0xD10A
    static let whiteBalanceShiftA: UInt16 = 0xD10B
    static let whiteBalanceShiftB: UInt16 = 0xD10C
    static let batteryPower: UInt16 = 0xD111
    static let cameraTime: UInt16 = 0xD113
    static let autoPowerOff: UInt16 = 0xD114
    static let owner: UInt16 = 0xD115
    static let availableShots: UInt16 = 0xD11B
    static let captureDestination: UInt16 = 0xD11C
    static let bracketMode: UInt16 = 0xD11D
    static let currentStorage: UInt16 = 0xD11E
    static let imageFormat: UInt16 = 0xD120
    static let exposureModeDial: UInt16 = 0xD138
    static let utcTime: UInt16 = 0xD17C
    static let olcVersion: UInt16 = 0xD199
    static let temperatureStatus: UInt16 = 0xD1AB
    static let shutterCounter: UInt16 = 0xD1AC
    static let serialNumber: UInt16 = 0xD1AF
    static let viewfinderOutput: UInt16 = 0xD1B0
    static let viewfinderMode: UInt16 = 0xD1B1
    static let movieRecording: UInt16 = 0xD1B8
    static let artist: UInt16 = 0xD1D0
    static let copyright: UInt16 = 0xD1D1
    static let lensName: UInt16 = 0xD1D8
    static let exposureBracketing: UInt16 = 0xD1D9
    /// The model name. Clients read this property with the standard's operations.
    static let friendlyName: UInt16 = 0xD402
}
