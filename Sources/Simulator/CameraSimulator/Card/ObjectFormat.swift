/// A PTP object format code (PIMA 15740, table 14). Canon's codes have libgphoto2's names.
struct ObjectFormat: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    /// A file of a type that PTP does not define. Nikon announces NEF files with this code.
    static let undefined = ObjectFormat(rawValue: 0x3000)
    /// A folder.
    static let association = ObjectFormat(rawValue: 0x3001)
    /// A QuickTime or MP4 movie.
    static let movie = ObjectFormat(rawValue: 0x300D)
    /// JPEG with EXIF.
    static let jpeg = ObjectFormat(rawValue: 0x3801)
    static let tiff = ObjectFormat(rawValue: 0x380D)
    static let dng = ObjectFormat(rawValue: 0x3811)
    static let arw = ObjectFormat(rawValue: 0xB101)
    static let cr2 = ObjectFormat(rawValue: 0xB103)
    static let cr3 = ObjectFormat(rawValue: 0xB108)

    /// Whether GetObjectHandles lists the format for the filter 0xFFFFFFFF ("images only").
    var isImage: Bool { rawValue & 0x3800 == 0x3800 || rawValue & 0xF800 == 0xB000 }

    /// Returns the format for a file name extension.
    static func of(fileExtension: String) -> ObjectFormat {
        switch fileExtension.lowercased() {
        case "jpg", "jpeg": .jpeg
        case "tif", "tiff": .tiff
        case "dng": .dng
        case "arw": .arw
        case "cr2": .cr2
        case "cr3": .cr3
        case "mov", "mp4": .movie
        default: .undefined
        }
    }
}
