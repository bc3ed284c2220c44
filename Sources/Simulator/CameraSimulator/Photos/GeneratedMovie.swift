/// A generator of movie files that have valid boxes but no picture data.
enum GeneratedMovie {
    /// The size of the movie data, in bytes. The size requires several partial reads.
    private static let dataBytes = 256 << 10

    /// Returns an MP4 (ISO 14496-12): `ftyp`, then `mdat` to the end. Files with consecutive numbers differ.
    static func file(number: Int) -> [UInt8] {
        var out = ByteWriter(capacity: dataBytes + 32)
        out.big32(16)
        out.raw(Array("ftypmp42".utf8))
        out.big32(0)
        out.big32(UInt32(dataBytes + 8))
        out.raw(Array("mdat".utf8))
        out.raw((0..<dataBytes).map { UInt8(truncatingIfNeeded: ($0 >> 8) &* 31 &+ $0 &+ number) })
        return out.bytes
    }
}
