/// The metadata in the directories of a TIFF block.
struct TIFFFacts: Hashable {
    /// The EXIF orientation, 1...8, or `nil`. The first directory with an orientation decides.
    var orientation: Int?
    /// The size of the stored picture, or `nil`.
    var size: PreviewSize?
    /// The JPEGs that the directories name. The places are not checked.
    var previews: [PreviewPlace] = []
    /// The EXIF color space: 1 for sRGB, 0xFFFF for uncalibrated.
    var colorTag: UInt64?
    /// The DCF interoperability index, for example `R98` or `R03`.
    var interoperability: [UInt8]?

    /// The color space, or `nil` if the metadata declares no color space.
    ///
    /// Cameras declare Adobe RGB as uncalibrated, with the index `R03`. Some programs use the value 2.
    var colorSpace: PreviewColorSpace? {
        if colorTag == 1 { return .sRGB }
        if interoperability == Array("R03".utf8) { return .adobeRGB }
        if interoperability == Array("R98".utf8) { return .sRGB }
        return colorTag == 2 || colorTag == 0xFFFF ? .adobeRGB : nil
    }
}

/// A TIFF block in a file.
struct TIFFBlock {
    /// The offset of the block in the file. Offsets in the block are relative to this offset.
    let base: UInt64
    /// The end of the block in the file.
    let end: UInt64
    /// Whether numbers have their least significant byte first.
    let isLittle: Bool

    /// Creates a block. Returns `nil` if the block does not start with a byte order.
    init?(head: [UInt8], base: UInt64, end: UInt64) {
        isLittle = head.starts(with: "II".utf8)
        guard isLittle || head.starts(with: "MM".utf8) else { return nil }
        (self.base, self.end) = (base, end)
    }

    /// Decodes a number of up to eight bytes.
    func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        isLittle ? bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } : UInt64(bigEndianBytes: bytes)
    }
}

/// An entry of a directory.
struct TIFFEntry {
    var tag: UInt64
    var kind: UInt64
    /// The number of values.
    var count: UInt64
    /// The last four bytes as an offset.
    var offset: UInt64
    /// The last four bytes, which contain the values themselves if they fit.
    var inline: [UInt8]

    /// Creates an entry from its twelve bytes.
    init(_ bytes: ArraySlice<UInt8>, in block: TIFFBlock) {
        let start = bytes.startIndex
        tag = block.number(bytes[start..<(start + 2)])
        kind = block.number(bytes[(start + 2)..<(start + 4)])
        count = block.number(bytes[(start + 4)..<(start + 8)])
        inline = Array(bytes[(start + 8)..<(start + 12)])
        offset = block.number(bytes[(start + 8)..<(start + 12)])
    }

    /// The size of a value, in bytes, or `nil` for a kind that ``PreviewFinder`` does not read.
    var valueBytes: Int? {
        switch kind {
        case 1, 2, 7: 1
        case 3: 2
        case 4, 13: 4
        default: nil
        }
    }
}
