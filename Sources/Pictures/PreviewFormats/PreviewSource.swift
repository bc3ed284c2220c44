/// A JPEG in a photo's file.
public struct PreviewSource: Hashable, Sendable {
    /// The place of a JPEG in a file.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// The file is this JPEG.
        case wholeFile
        /// The thumbnail in the EXIF data of a JPEG.
        case exifThumbnail
        /// A smaller copy after the main picture of a JPEG (CIPA DC-007, multi-picture format).
        case multiPicture
        /// A preview in a TIFF-based RAW file.
        case rawPreview
        /// The preview box `PRVW` of a CR3 file.
        case canonPreview
        /// The thumbnail box `THMB` of a CR3 file.
        case canonThumbnail
        /// The first track of a CR3 file, usually at full size.
        case canonTrack
        /// The JPEG in a RAF file.
        case fujiPreview
    }

    /// The bytes of the JPEG in the file.
    public var range: Range<UInt64>
    /// The place of the JPEG in the file.
    public var kind: Kind
    /// The width of the stored picture, in pixels, before it is turned.
    public var width: Int
    /// The height of the stored picture, in pixels, before it is turned.
    public var height: Int
    /// The EXIF orientation: 1...8.
    public var orientation: Int
    /// Whether the JPEG contains its own orientation.
    public var hasOwnOrientation: Bool
    /// The color space.
    public var colorSpace: PreviewColorSpace

    /// The number of pixels.
    public var pixels: Int { width * height }
    /// The longer side, in pixels.
    public var longestSide: Int { max(width, height) }

    /// The size of the upright picture.
    public var uprightSize: PreviewSize {
        orientation >= 5
            ? PreviewSize(width: height, height: width) : PreviewSize(width: width, height: height)
    }
}

/// The color space of a JPEG.
public enum PreviewColorSpace: Hashable, Sendable {
    /// sRGB, which is also the color space of a JPEG that declares no color space.
    case sRGB
    /// Adobe RGB (1998), which cameras declare with the DCF tag `R03` or with an uncalibrated color space.
    case adobeRGB
    /// An ICC profile, at these ranges of the file, in order.
    case profile([Range<UInt64>])
}

/// The JPEGs in a file.
public struct FoundPreviews: Hashable, Sendable {
    /// The JPEGs, in the order in which the finder found them.
    public var sources: [PreviewSource] = []
    /// The upright size of the original that the metadata declares, or `nil` if the metadata declares no
    /// size.
    public var statedSize: PreviewSize?

    /// The upright size of the original: the largest of the JPEGs and the declared size. `nil` if the file
    /// has no JPEG and declares no size.
    public var originalSize: PreviewSize? {
        let largest = sources.max { $0.pixels < $1.pixels }?.uprightSize
        // A JPEG file is the original. Its metadata may describe an earlier version of the picture.
        if let largest, sources.contains(where: { $0.kind == .wholeFile }) { return largest }
        return [largest, statedSize].compactMap(\.self).max { $0.pixels < $1.pixels }
    }

    /// Returns the JPEGs, with the most suitable first.
    ///
    /// The most suitable JPEG is the smallest whose longer side has at least `side` pixels, because its
    /// decoding costs the least. JPEGs that are too small follow, with the largest first.
    public func sorted(forSide side: Int) -> [PreviewSource] {
        sources.filter { $0.longestSide >= side }.sorted { $0.pixels < $1.pixels }
            + sources.filter { $0.longestSide < side }.sorted { $0.pixels > $1.pixels }
    }
}

/// The size of a picture, in pixels.
public struct PreviewSize: Hashable, Sendable {
    /// The width, in pixels.
    public var width: Int
    /// The height, in pixels.
    public var height: Int

    /// The number of pixels.
    public var pixels: Int { width * height }
}
