import Crypto

/// The identity of a camera. The identity also determines file names, folder names and file formats.
public struct CameraIdentity: Hashable, Sendable {
    /// The maker whose PTP extension the camera implements.
    public var maker: Maker
    /// The manufacturer in DeviceInfo and EXIF.
    public var manufacturer: String
    /// The model in DeviceInfo and EXIF.
    public var model: String
    /// The serial number.
    public var serial: String
    /// The firmware version.
    public var firmware: String
    /// The list in which a Sony announces its release operation (0x9207).
    public var sonyRelease = SonyRelease.deviceInfo
    /// The way in which a computer changes a Sony's settings.
    public var sonyGeneration = SonyGeneration.new
    /// The version of an EOS's display record (property 0xD199): 7 for older bodies, 0x14 for the newest.
    public var eosDisplayVersion: UInt32 = 7
    /// The versions that real bodies use.
    public static let eosDisplayVersions = CanonOLC.versions
    /// Whether the camera supports objects of 4 GiB and more. For these objects, a Nikon uses its own
    /// operations, and a generic camera uses MTP operations.
    public var isWide = false
    /// The limit of a partial read of an object, or `nil` for no limit.
    public var pieceLimit: PieceLimit?

    /// Creates the identity of a maker's camera, with an optional model and serial number.
    public init(_ maker: Maker, model: String? = nil, serial: String? = nil) {
        self.maker = maker
        switch maker {
        case .generic:
            manufacturer = "FrameFast"
            self.model = model ?? "Simulated Camera"
            firmware = "1.0"
        case .canon:
            manufacturer = "Canon Inc."
            self.model = model ?? "Canon EOS R5"
            firmware = "3-1.8.1"
        case .nikon:
            manufacturer = "Nikon Corporation"
            self.model = model ?? "Z 6_2"
            firmware = "V1.60"
        case .sony:
            manufacturer = "Sony Corporation"
            self.model = model ?? "ILCE-7M3"
            firmware = "4.01"
        case .fuji:
            manufacturer = "FUJIFILM"
            self.model = model ?? "X-T4"
            firmware = "1.20"
        }
        self.serial = serial ?? "FF000001"
    }

    /// Returns a unique serial number. The number is random, or derived from the path of the card's folder.
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
    var vendorExtension: UInt32 {
        switch maker {
        case .generic: isWide ? 0xFFFF_FFFF : 0
        case .canon: 0x0000_000B
        case .nikon: 0x0000_000A
        case .sony: 0x0000_0011
        case .fuji: 0x0000_000E
        }
    }

    /// The vendor extension description in DeviceInfo.
    var vendorExtensionText: String {
        switch maker {
        case .generic: ""
        case .canon, .nikon: "microsoft.com: 1.0;"
        case .sony: "Sony PTP Extensions"
        case .fuji: "fujifilm.co.jp: 1.0;"
        }
    }

    /// The text before the number in a file name.
    var filePrefix: String {
        switch maker {
        case .generic, .canon: "IMG_"
        case .nikon: "DSC_"
        case .sony: "DSC0"
        case .fuji: "DSCF"
        }
    }

    /// The text after the number in a folder name.
    var folderSuffix: String {
        switch maker {
        case .generic: "MEDIA"
        case .canon: "CANON"
        case .nikon: "NZ6_2"
        case .sony: "MSDCF"
        case .fuji: "_FUJI"
        }
    }

    /// The raw format of the maker.
    public var rawFormat: RawFormat {
        switch maker {
        case .generic: .dng
        case .canon: .cr3
        case .nikon: .nef
        case .sony: .arw
        case .fuji: .raf
        }
    }

    /// The operations in DeviceInfo.
    var operations: [PTPOperation] {
        if maker == .sony {
            return Self.sonyOperations.filter { $0 != .sonyControl || sonyRelease == .deviceInfo }
        }
        return PTPOperation.allCases.filter { operation in
            if operation.isWide, !isWide { return false }
            if operation.isMTP { return maker == .generic }
            if operation == .initiateOpenCapture || operation == .terminateOpenCapture {
                return maker == .fuji
            }
            // An EOS supports only its own operations for a release.
            if operation == .initiateCapture { return maker != .canon }
            return operation.maker == .generic || operation.maker == maker
        }
    }

    /// Returns whether the camera supports an operation. The operation may be listed in DeviceInfo or only in
    /// an extension.
    func understands(_ operation: PTPOperation) -> Bool {
        if maker == .sony, operation == .sonyControl { return sonyRelease != .nowhere }
        return operations.contains(operation)
    }

    /// The operations of a Sony in PC Remote, which lacks the standard's operations for deleting, releasing
    /// and properties.
    private static let sonyOperations: [PTPOperation] = [
        .getDeviceInfo, .openSession, .closeSession, .getStorageIDs, .getStorageInfo, .getNumObjects,
        .getObjectHandles, .getObjectInfo, .getObject, .getThumb, .sonyConnect, .sonyGetExtDeviceInfo,
        .sonySetProperty, .sonyControl, .sonyGetAllProperties,
    ]
}

/// The way in which a computer changes a Sony's settings.
public enum SonyGeneration: String, Hashable, Sendable, CaseIterable {
    /// Shutter speed, ISO and exposure compensation are set to a value.
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
    /// No list: the body is not in PC Remote.
    case nowhere
}
