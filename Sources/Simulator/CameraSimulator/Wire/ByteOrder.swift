/// The byte order of a TIFF structure.
enum ByteOrder: Hashable, Sendable {
    /// The lowest byte first, which TIFF calls `II`.
    case little
    /// The highest byte first, which TIFF calls `MM`.
    case big

    /// The first four bytes of a TIFF structure: the byte order and the number 42.
    var tiffMark: [UInt8] { self == .little ? [0x49, 0x49, 0x2A, 0x00] : [0x4D, 0x4D, 0x00, 0x2A] }
}
