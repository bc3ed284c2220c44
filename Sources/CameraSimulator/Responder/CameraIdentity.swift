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
        }
        self.serial = serial ?? "FF000001"
    }

    /// Vendor extension in DeviceInfo: Microsoft's (MTP) where the driver corrects it by the manufacturer.
    var vendorExtension: UInt32 {
        switch maker {
        case .generic: 0
        case .canon: 0x0000_000B
        case .nikon: 0x0000_000A
        }
    }

    /// What comes before the number in a file name.
    var filePrefix: String { maker == .nikon ? "DSC_" : "IMG_" }

    /// What comes behind the number in a folder name.
    var folderSuffix: String {
        switch maker {
        case .generic: "MEDIA"
        case .canon: "CANON"
        case .nikon: "NZ6_2"
        }
    }

    /// The raw format that such a camera writes.
    public var rawFormat: RawFormat {
        switch maker {
        case .generic: .dng
        case .canon: .cr3
        case .nikon: .nef
        }
    }

    /// Operations in DeviceInfo.
    var operations: [PTPOperation] {
        PTPOperation.allCases.filter { operation in
            // An EOS is released by its own operations only.
            if operation == .initiateCapture { return maker != .canon }
            return operation.maker == .generic || operation.maker == maker
        }
    }
}
