import CameraSimulator

/// A photo file with real pictures, for tests of programs that find and decode pictures. The simulator
/// generates the file, so `framefast-simcam --pictures` sends the same files.
///
/// All pictures in the file show the same scene: a gradient, the number of the shot, and a colored patch in
/// each corner (``Corner``).
public struct TestPicture: Sendable, CustomStringConvertible {
    /// A format of photo files. The raw value is the file name extension.
    public enum Format: String, Sendable, CaseIterable {
        /// JPEG with EXIF.
        case jpeg = "jpg"
        /// Adobe's RAW format: a TIFF with JPEGs as strips in SubIFDs.
        case dng
        /// Canon's RAW format based on TIFF: a JPEG as a strip of directory 0.
        case cr2
        /// Canon's RAW format based on ISO boxes: `THMB`, `PRVW` and a track with a JPEG.
        case cr3
        /// Nikon's RAW format: a TIFF with JPEGs in SubIFDs.
        case nef
        /// Sony's RAW format: a TIFF with JPEGs in directories 0, 1 and 2.
        case arw
        /// Fujifilm's RAW format: a header, and a JPEG with EXIF.
        case raf

        /// The formats that contain sensor data.
        public static let raw = allCases.filter { $0 != .jpeg }
    }

    /// The role of a JPEG in the file.
    public enum Role: String, Sendable {
        /// A JPEG of full size.
        case full
        /// A reduced JPEG. In a JPEG file, the second picture (MPF).
        case preview
        /// A JPEG of 160 × 120 pixels.
        case thumbnail
    }

    /// A JPEG in the file.
    public struct Embedded: Hashable, Sendable {
        /// The role of the JPEG.
        public var role: Role
        /// The bytes of the JPEG in the file.
        public var range: Range<Int>
        /// The width of the stored JPEG, in pixels.
        public var width: Int
        /// The height of the stored JPEG, in pixels.
        public var height: Int
    }

    /// The format of the file.
    public let format: Format
    /// The options of the file, for example `adobe-rgb,mpf`.
    public let words: String
    /// The content of the file.
    public let bytes: [UInt8]
    /// The complete JPEGs in the file. The picture of a JPEG file itself is not one of them.
    public let embedded: [Embedded]
    /// The width of the stored picture, in pixels.
    public let width: Int
    /// The height of the stored picture, in pixels.
    public let height: Int
    /// The EXIF orientation, 1...8.
    public let orientation: Int

    /// A file name with the extension of the format.
    public var fileName: String { "IMG_0001.\(format.rawValue.uppercased())" }

    /// The format and the options.
    public var description: String { words.isEmpty ? format.rawValue : "\(format.rawValue) \(words)" }

    /// Generates a file.
    ///
    /// - Parameters:
    ///   - words: The words of `framefast-simcam --pictures` after `real`, separated by commas. The default
    ///     size is 480 × 320 pixels.
    ///   - number: The number of the shot, which the picture shows.
    ///   - rating: The rating in stars, or 0 for no rating.
    ///   - rawBytes: The size of a RAW file, in bytes. If the pictures need more bytes, the file is larger.
    /// - Throws: An error if a word is unknown or has an invalid value.
    public init(
        _ format: Format, _ words: String = "", number: Int = 7, rating: Int = 0, rawBytes: Int = 200_000
    ) throws {
        var options = RealPhotoOptions()
        try options.apply("480x320")
        for word in words.split(separator: ",") { try options.apply(String(word)) }
        guard
            let photo = SamplePhoto(
                fileExtension: format.rawValue, number: number, rating: rating, rawBytes: rawBytes,
                options: options)
        else { throw SimulatorError.usage("cannot generate a file of the format \(format.rawValue)") }
        self.format = format
        self.words = words
        bytes = photo.bytes
        width = options.width
        height = options.height
        orientation = Int(options.orientation)
        embedded = photo.embedded.compactMap { picture in
            guard let start = Self.position(of: picture.bytes, in: photo.bytes),
                let role = Role(rawValue: picture.role)
            else { return nil }
            return Embedded(
                role: role, range: start..<start + picture.bytes.count, width: picture.width,
                height: picture.height)
        }
    }

    /// Returns the first JPEG with this role, or `nil` if the file does not contain the complete JPEG.
    public func jpeg(_ role: Role) -> Embedded? { embedded.first { $0.role == role } }

    /// Returns the bytes of the file from an offset, at most `count` bytes. Returns no bytes after the end.
    public func read(_ offset: UInt64, _ count: Int) -> [UInt8] {
        guard offset < UInt64(bytes.count) else { return [] }
        let start = Int(offset)
        return Array(bytes[start..<min(start + count, bytes.count)])
    }

    /// Returns the offset of a JPEG in a file, or `nil` if the file does not contain the JPEG.
    private static func position(of picture: [UInt8], in file: [UInt8]) -> Int? {
        guard picture.count <= file.count else { return nil }
        return (0...file.count - picture.count).first { start in
            file[start] == 0xFF && file[start + 1] == 0xD8
                && file[start..<start + picture.count].elementsEqual(picture)
        }
    }
}
