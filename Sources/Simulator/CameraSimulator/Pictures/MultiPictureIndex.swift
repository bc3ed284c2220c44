/// The index of a JPEG with a second picture (CIPA DC-007, multi-picture format).
struct MultiPictureIndex {
    /// The content of the index's segment.
    let payload: [UInt8]

    /// The offset of the first directory in the index's TIFF structure.
    private static let start = 8
    /// The bytes before the TIFF structure: the segment's marker, length and name.
    private static let prefixBytes = 8
    /// The first picture: the representative picture, a JPEG, with dependent pictures.
    private static let firstKind: UInt32 = 0xA003_0000
    /// The second picture: a dependent large thumbnail in full HD size.
    private static let secondKind: UInt32 = 0x4001_0002

    /// - Parameters:
    ///   - offset: The offset of the index's segment in the file, in bytes.
    ///   - followingBytes: The number of bytes of the first picture after the index's segment.
    ///   - second: The second picture, which follows the first picture.
    ///   - order: The byte order of the index.
    init(offset: Int, followingBytes: Int, second: EncodedPicture, order: ByteOrder) {
        func directory(firstBytes: Int) -> [UInt8] {
            var entries = ByteWriter()
            entries.u32(Self.firstKind, order)
            entries.u32(UInt32(firstBytes), order)
            // The offset of the first picture is 0. All other offsets start at the TIFF structure.
            entries.u32(0, order)
            entries.u16(2, order)
            entries.u16(0, order)
            entries.u32(Self.secondKind, order)
            entries.u32(second.announcedBytes, order)
            entries.u32(UInt32(max(0, firstBytes - offset - Self.prefixBytes)), order)
            entries.u16(0, order)
            entries.u16(0, order)
            var directory = TIFFDirectory()
            directory[0xB000] = .undefined(Array("0100".utf8))
            directory[0xB001] = .long([2])
            directory[0xB002] = .undefined(entries.bytes)
            return directory.encoded(at: Self.start, in: order)
        }
        var header = ByteWriter()
        header.raw(order.tiffMark)
        header.u32(UInt32(Self.start), order)
        // The length of the directory does not depend on its values.
        let segmentBytes = Self.prefixBytes + header.bytes.count + directory(firstBytes: 0).count
        payload =
            Array("MPF\0".utf8) + header.bytes
            + directory(firstBytes: offset + segmentBytes + followingBytes)
    }
}
