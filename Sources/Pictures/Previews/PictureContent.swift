public import FrameFastSystem

/// The content of a picture.
public enum PictureContent: Sendable {
    /// A small picture, or the facts of a picture.
    case bytes([UInt8])
    /// A full-size picture, which is read in parts. The file stays readable after the cache has deleted its
    /// name.
    case file(PictureFile)
}

/// An open file with a JPEG.
///
/// The functions block the calling thread.
public final class PictureFile: Sendable {
    /// The path when the file was opened.
    public let path: String
    private let reader: FileReader

    /// Opens a file.
    public init(_ path: String) throws(SystemCallError) {
        reader = try FileReader(path)
        self.path = path
    }

    /// The size when the file was opened, in bytes.
    public var size: UInt64 { reader.size }

    /// Returns the bytes from an offset: `countMax` bytes, or fewer at the end of the file.
    public func read(at offset: Int, countMax: Int) throws(SystemCallError) -> [UInt8] {
        try reader.read(at: UInt64(offset), count: countMax)
    }
}
