/// What stands before the picture of a JPEG (ITU-T T.81, EXIF 2.32, CIPA DC-007 for MPF).
struct JPEGHead {
    /// Most segments that are walked.
    private static let segmentsMax = 256
    /// Longest segment with metadata that is read, in bytes: one cannot be longer.
    private static let segmentBytesMax = 65_536

    var width = 0
    var height = 0
    /// How often the data is refined: a decoder has to keep all of it.
    var isProgressive = false
    var orientation = Orientation.upright
    var colour = ColourSpace.sRGB
    /// Further JPEGs in the same file, by MPF: offset from the start of this one, and bytes.
    var others: [(offset: UInt64, count: UInt64)] = []

    /// Reads it.
    ///
    /// - Returns: `nil` for what is no JPEG that can be shown: a lossless one (SOF3) is raw data.
    init?(_ source: some ByteSource) {
        guard source.bytes(at: 0, count: 3) == [0xFF, 0xD8, 0xFF] else { return nil }
        var offset: UInt64 = 2
        for _ in 0..<Self.segmentsMax {
            guard let head = source.bytes(at: offset, count: 4), head[0] == 0xFF else { return nil }
            // Fill bytes may stand before a marker.
            guard head[1] != 0xFF else {
                offset += 1
                continue
            }
            let length = Int(head[2]) << 8 | Int(head[3])
            guard length >= 2 else { return nil }
            switch head[1] {
            case 0xC0, 0xC1, 0xC2:
                guard let frame = source.bytes(at: offset + 4, count: 6), frame[0] == 8 else { return nil }
                height = Int(frame[1]) << 8 | Int(frame[2])
                width = Int(frame[3]) << 8 | Int(frame[4])
                isProgressive = head[1] == 0xC2
                guard width > 0, height > 0, frame[5] == 1 || frame[5] == 3 else { return nil }
                return
            case 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF, 0xD9, 0xDA: return nil
            case 0xE1, 0xE2:
                if let body = source.bytes(at: offset + 4, count: length - 2) { take(body, at: offset + 4) }
            default: break
            }
            offset += 2 + UInt64(length)
        }
        return nil
    }

    private mutating func take(_ body: [UInt8], at place: UInt64) {
        let (exif, profile, multiple) = (
            Array("Exif\0\0".utf8), Array("ICC_PROFILE\0".utf8), Array("MPF\0".utf8)
        )
        if body.starts(with: exif) {
            let directories = TIFFReader(BlockBytes(block: Array(body.dropFirst(exif.count))))
            orientation = directories?.orientation ?? orientation
            if directories?.isAdobeRGB == true { colour = .adobeRGB }
        } else if body.starts(with: profile), ColourSpace.isAdobeRGB(profile: body) {
            colour = .adobeRGB
        } else if body.starts(with: multiple) {
            let start = UInt64(multiple.count)
            let reader = TIFFReader(BlockBytes(block: Array(body.dropFirst(multiple.count))))
            // Offsets count from the byte after the mark; the first entry is this picture.
            others = (reader?.multiplePictures ?? []).map { ($0.offset + place + start, $0.count) }
        }
    }
}

/// How a picture is to be turned: EXIF's eight ways.
enum Orientation: Int {
    case upright = 1
    case mirrored, upsideDown, mirroredUpsideDown, mirroredLeft, right, mirroredRight, left

    /// Whether width and height change places.
    var isSideways: Bool { rawValue >= Self.mirroredLeft.rawValue }
}

/// What a picture's numbers stand for.
enum ColourSpace {
    case sRGB, adobeRGB

    /// Whether a profile is Adobe RGB (1998), by its description: no other is common in cameras.
    static func isAdobeRGB(profile: [UInt8]) -> Bool {
        let name = Array("Adobe RGB".utf8)
        guard profile.count > name.count else { return false }
        return (0...(profile.count - name.count)).contains { start in
            profile[start] == name[0] && profile[start..<(start + name.count)].elementsEqual(name)
        }
    }
}
