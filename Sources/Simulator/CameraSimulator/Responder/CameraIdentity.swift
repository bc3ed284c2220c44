import Crypto

/// Who the camera says it is, and what follows from it for names and formats.
public struct CameraIdentity: Hashable, Sendable {
    /// Whose dialect it speaks.
    public var maker: Maker
    /// Manufacturer as in DeviceInfo and EXIF.
    public var manufacturer: String
    /// Model as in DeviceInfo and EXIF.
    public var model: String
    /// Serial number.
    public var serial: String
    /// Firmware version.
    public var firmware: String
    /// Where a Sony says that its release button can be pressed from the computer (operation 0x9207).
    public var sonyRelease = SonyRelease.deviceInfo
    /// How a Sony is set.
    public var sonyGeneration = SonyGeneration.new
    /// Version of an EOS's record of what its display shows (property 0xD199): 7 for an older body, 0x14 for a new one.
    public var eosDisplayVersion: UInt32 = 7
    /// Versions that there are bodies with.
    public static let eosDisplayVersions = CanonOLC.versions
    /// Whether it has the operations for objects of 4 GiB and more: a Nikon its own, a camera that is no maker's those of
    /// MTP.
    public var isWide = false
    /// The most of an object that it sends at a time; `nil` for no such limit.
    public var pieceLimit: PieceLimit?

    /// The identity of a maker, with the model and serial number of choice.
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

    /// A serial number that no other camera has: made anew each time, or from the folder that keeps the card.
    public static func ownSerial(card: String?) -> String {
        let number =
            card.map { folder in
                SHA256.hash(data: Array(folder.utf8)).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            } ?? UInt32.random(in: .min ... .max)
        let digits = String(number, radix: 16, uppercase: true)
        // A letter in front: never one of zeros only, which tells no cameras apart.
        return "F" + String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Vendor extension in DeviceInfo, as libgphoto2 counts them; all ones is MTP's.
    var vendorExtension: UInt32 {
        switch maker {
        case .generic: isWide ? 0xFFFF_FFFF : 0
        case .canon: 0x0000_000B
        case .nikon: 0x0000_000A
        case .sony: 0x0000_0011
        case .fuji: 0x0000_000E
        }
    }

    /// Vendor extension in words.
    var vendorExtensionText: String {
        switch maker {
        case .generic: ""
        case .canon, .nikon: "microsoft.com: 1.0;"
        case .sony: "Sony PTP Extensions"
        case .fuji: "fujifilm.co.jp: 1.0;"
        }
    }

    /// What comes before the number in a file name.
    var filePrefix: String {
        switch maker {
        case .generic, .canon: "IMG_"
        case .nikon: "DSC_"
        case .sony: "DSC0"
        case .fuji: "DSCF"
        }
    }

    /// What comes behind the number in a folder name.
    var folderSuffix: String {
        switch maker {
        case .generic: "MEDIA"
        case .canon: "CANON"
        case .nikon: "NZ6_2"
        case .sony: "MSDCF"
        case .fuji: "_FUJI"
        }
    }

    /// The raw format that such a camera writes.
    public var rawFormat: RawFormat {
        switch maker {
        case .generic: .dng
        case .canon: .cr3
        case .nikon: .nef
        case .sony: .arw
        case .fuji: .raf
        }
    }

    /// Operations in DeviceInfo.
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
            // An EOS is released by its own operations only.
            if operation == .initiateCapture { return maker != .canon }
            return operation.maker == .generic || operation.maker == maker
        }
    }

    /// Operations that it carries out: those in DeviceInfo, and those that only an extension lists.
    func understands(_ operation: PTPOperation) -> Bool {
        if maker == .sony, operation == .sonyControl { return sonyRelease != .nowhere }
        return operations.contains(operation)
    }

    /// A Sony in PC Remote: no deleting, no shutter and no properties as the standard has them.
    private static let sonyOperations: [PTPOperation] = [
        .getDeviceInfo, .openSession, .closeSession, .getStorageIDs, .getStorageInfo, .getNumObjects,
        .getObjectHandles, .getObjectInfo, .getObject, .getThumb, .sonyConnect, .sonyGetExtDeviceInfo,
        .sonySetProperty, .sonyControl, .sonyGetAllProperties,
    ]
}

/// How a Sony is set from the computer.
public enum SonyGeneration: String, Hashable, Sendable, CaseIterable {
    /// Shutter speed, ISO and exposure compensation are set to a value.
    case new
    /// They go up or down by a step, as a dial does, and each step takes its time.
    case old
}

/// Where a Sony lists its release operation. Its extension has an answer of its own (0x9202), with two lists.
public enum SonyRelease: String, Hashable, Sendable, CaseIterable {
    /// In DeviceInfo, as every other operation.
    case deviceInfo = "device-info"
    /// In the extension's first list.
    case firstList = "first-list"
    /// In the extension's second list.
    case secondList = "second-list"
    /// Nowhere: the body is not in PC Remote.
    case nowhere
}
