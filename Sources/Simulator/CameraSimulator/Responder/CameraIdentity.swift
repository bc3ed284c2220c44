import Crypto

/// The identity of a camera. The identity also determines file names, folder names and file formats.
public struct CameraIdentity: Hashable, Sendable {
    /// The maker whose PTP extension the camera implements.
    var maker: Maker
    /// The manufacturer in DeviceInfo and EXIF.
    var manufacturer: String
    /// The model in DeviceInfo and EXIF.
    var model: String
    /// The serial number.
    var serial: String
    /// The firmware version.
    var firmware: String
    /// The list in which a Sony announces its release operation (0x9207).
    public var sonyRelease = SonyRelease.deviceInfo
    /// The way in which a computer changes a Sony's settings.
    public var sonyGeneration = SonyGeneration.new
    /// The duration of a Sony's dial step, or of a change of quality or focus mode, in milliseconds.
    public var sonyStepMs = 0
    /// The version of an EOS's display record (property 0xD199): 7 for older bodies, 0x14 for the newest.
    public var eosDisplayVersion: UInt32 = 7
    /// The versions of the display record that real bodies use.
    public static let eosDisplayVersions = CanonOLC.versions
    /// The properties in which an EOS reports its battery level.
    public var eosBattery = EOSBattery.percent
    /// Whether an EOS reports photos in records for long names, like an EOS R1, R5 Mark II and R6 Mark III.
    public var eosLongNames = false
    /// Whether the camera supports objects of 4 GiB and more. For these objects, a Nikon uses its own
    /// operations, and a generic camera uses MTP operations.
    public var isWide = false
    /// The limit of a partial read of an object, or `nil` for no limit.
    public var pieceLimit: PieceLimit?

    /// Creates the identity of a maker's camera, with an optional model and serial number.
    public init(_ maker: Maker, model: String? = nil, serial: String? = nil) {
        let profile = maker.profile
        self.maker = maker
        manufacturer = profile.manufacturer
        self.model = model ?? profile.model
        firmware = profile.firmware
        self.serial = serial ?? "FF000001"
    }

    /// Returns a unique serial number. If the camera has a card folder, the number is derived from the
    /// folder's path. Otherwise, the number is random.
    public static func ownSerial(card: String?) -> String {
        let number =
            card.map { folder in
                SHA256.hash(data: Array(folder.utf8)).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            } ?? UInt32.random(in: .min ... .max)
        let digits = String(number, radix: 16, uppercase: true)
        // The leading letter prevents an all-zero serial number, which would not distinguish cameras.
        return "F" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The vendor extension ID in DeviceInfo. The value with all bits set means MTP.
    var vendorExtension: UInt32 { maker == .generic && isWide ? 0xFFFF_FFFF : maker.profile.vendorExtension }

    /// The raw format of the maker.
    var rawFormat: RawFormat { maker.profile.rawFormat }

    /// The Nikons that omit the operations of their extension from DeviceInfo.
    private static let modelsWithHiddenOperations: Set<String> = ["D3200", "D3300", "D3400", "D3500"]

    /// The operations in DeviceInfo.
    var operations: [PTPOperation] {
        guard maker == .nikon, Self.modelsWithHiddenOperations.contains(model) else {
            return supportedOperations
        }
        return supportedOperations.filter { $0.maker == .generic }
    }

    /// The operations that the camera supports.
    private var supportedOperations: [PTPOperation] {
        let missing = maker.profile.missingOperations
        return PTPOperation.allCases.filter { operation in
            if operation.isWide, !isWide { return false }
            if operation.isMTP { return maker == .generic }
            if operation == .sonyControl, sonyRelease != .deviceInfo { return false }
            return (operation.maker == .generic || operation.maker == maker) && !missing.contains(operation)
        }
    }

    /// Returns whether the camera supports an operation. The operation may be listed in DeviceInfo or only in
    /// an extension.
    func understands(_ operation: PTPOperation) -> Bool {
        if maker == .sony, operation == .sonyControl { return sonyRelease != .nowhere }
        return supportedOperations.contains(operation)
    }
}

/// The properties in which an EOS reports its battery level, as in libgphoto2's camera reports.
public enum EOSBattery: String, Hashable, Sendable, CaseIterable {
    /// The standard's property (0x5001) in percent, and Canon's own property (0xD111) in five steps.
    case percent
    /// Only Canon's own property: older bodies, for example an EOS 50D, 500D, 7D and 5D Mark II.
    case steps
    /// The standard's property with a level from 0 to 3, and Canon's own property: an EOS M3, M5 and M10.
    case levels
}

/// The way in which a computer changes a Sony's settings.
public enum SonyGeneration: String, Hashable, Sendable, CaseIterable {
    /// Each request sets the shutter speed, ISO or exposure compensation directly to a value.
    case new
    /// Each request changes the setting by one step, as a dial does, and each step takes time.
    case old
}

/// The list that contains a Sony's release operation. Operation 0x9202 returns the two lists of Sony's
/// extension.
public enum SonyRelease: String, Hashable, Sendable, CaseIterable {
    /// DeviceInfo, like all other operations.
    case deviceInfo = "device-info"
    /// The extension's first list.
    case firstList = "first-list"
    /// The extension's second list.
    case secondList = "second-list"
    /// No list: the body is not in the USB mode PC Remote.
    case nowhere
}
