/// A finder for the JPEGs that a camera stored in a photo's file.
///
/// The finder reads untrusted bytes. It reads small pieces, visits each place at most once, and limits every
/// loop. It decodes no picture.
///
/// Sources:
///
/// - JPEG: ITU-T T.81. Directories: TIFF 6.0, EXIF 2.32, DNG 1.6, TIFF/EP (SubIFDs).
/// - A second picture: CIPA DC-007, multi-picture format.
/// - Adobe RGB: DCF 2.0 (interoperability index `R03`).
/// - CR3: ISO 14496-12, and https://github.com/lclevy/canon_cr3 for Canon's boxes.
/// - Panasonic's tags 0x002E and 0x0127, Olympus's maker note, Fujifilm's header:
///   https://exiftool.org/TagNames.
public enum PreviewFinder {
    /// The largest number of directories, container boxes and JPEGs to visit in one file. The largest RAW
    /// files need about 20.
    public static let visitsMax = 64
    /// The largest depth of nested directories.
    static let depthMax = 6
    /// The largest number of entries to read in a directory.
    static let entriesMax = 512
    /// The largest number of directories to read from one entry.
    static let subdirectoriesMax = 8
    /// The largest number of segments to read before the image data of a JPEG.
    static let segmentsMax = 512
    /// The largest number of boxes to read in one box.
    static let boxesMax = 64
    /// The largest number of pictures to read from a multi-picture list.
    static let multiPicturesMax = 8
    /// The largest ICC profile, in bytes. Profiles of cameras and color spaces have at most 4 KB. Profiles
    /// with tables may have hundreds of KB.
    static let profileBytesMax: UInt64 = 1 << 20
    /// The longest side that a size in the metadata may have, in pixels: the limit of libjpeg.
    static let sideMax = 65_500

    /// Finds the JPEGs in a file.
    ///
    /// - Parameters:
    ///   - size: The size of the file, in bytes.
    ///   - read: Reads `count` bytes at `offset`, or fewer at the end of the file.
    public static func find<Failure: Error>(
        size: UInt64, read: @escaping (_ offset: UInt64, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) -> FoundPreviews {
        var search = PreviewSearch<Failure>(size: size, read: read)
        let head = try read(0, 96)
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            try search.findInJPEG(at: 0, end: size, kind: .wholeFile)
        } else if head.starts(with: "FUJIFILMCCD-RAW".utf8), head.count >= 92 {
            let offset = UInt64(bigEndianBytes: head[84..<88])
            let length = UInt64(bigEndianBytes: head[88..<92])
            if offset < size {
                let end = offset + min(length, size - offset)
                try search.findInJPEG(at: offset, end: end, kind: .fujiPreview)
            }
        } else if head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) {
            try search.findInBoxes()
        } else {
            let facts = try search.tiff(at: 0, end: size)
            search.recordSize(facts.size, orientation: facts.orientation)
            for place in facts.previews { try search.addPreview(place, kind: .rawPreview, facts: facts) }
        }
        return search.found
    }
}

/// The state of one run of ``PreviewFinder``.
struct PreviewSearch<Failure: Error> {
    /// The size of the file, in bytes.
    let size: UInt64
    private let source: (UInt64, Int) throws(Failure) -> [UInt8]
    private var visited: Set<UInt64> = []
    private(set) var found = FoundPreviews()

    init(size: UInt64, read: @escaping (UInt64, Int) throws(Failure) -> [UInt8]) {
        self.size = size
        source = read
    }

    /// Reads exactly this number of bytes. Returns `nil` if the range extends beyond `end` or beyond the end
    /// of the file.
    func bytes(at offset: UInt64, _ count: Int, before end: UInt64) throws(Failure) -> [UInt8]? {
        let end = min(end, size)
        guard offset <= end, UInt64(count) <= end - offset else { return nil }
        let bytes = try source(offset, count)
        return bytes.count == count ? bytes : nil
    }

    /// Records the visit of a place. Returns `false` if the place was visited before, or if
    /// ``PreviewFinder/visitsMax`` places were visited.
    mutating func visit(_ offset: UInt64) -> Bool {
        visited.count < PreviewFinder.visitsMax && visited.insert(offset).inserted
    }

    /// Records the size that the metadata of the file declares.
    mutating func recordSize(_ size: PreviewSize?, orientation: Int?) {
        guard found.statedSize == nil, let size else { return }
        let isTurned = (orientation ?? 1) >= 5
        found.statedSize = isTurned ? PreviewSize(width: size.height, height: size.width) : size
    }

    /// Adds the JPEG at this place, if the decoder can read this JPEG.
    ///
    /// - Parameter facts: The metadata of the file, for the orientation and color space of a JPEG without its
    ///   own metadata.
    mutating func addPreview(
        _ place: PreviewPlace, kind: PreviewSource.Kind, facts: TIFFFacts, profile: [Range<UInt64>] = []
    ) throws(Failure) {
        guard let header = try jpegHeader(at: place.range.lowerBound, end: place.range.upperBound) else {
            return
        }
        append(header, place.range, kind: kind, fallback: facts, space: place.colorSpace, profile: profile)
    }

    /// Adds a JPEG.
    ///
    /// - Parameters:
    ///   - fallback: The metadata of the file, for a JPEG without metadata.
    ///   - space: The color space that the file states for this JPEG, or `nil`.
    ///   - profile: The ICC profile of the file, for a JPEG without a color space.
    mutating func append(
        _ header: JPEGHeader, _ range: Range<UInt64>, kind: PreviewSource.Kind, fallback: TIFFFacts,
        space: PreviewColorSpace? = nil, profile: [Range<UInt64>] = []
    ) {
        let colorSpace: PreviewColorSpace
        if !header.profile.isEmpty {
            colorSpace = .profile(header.profile)
        } else if let own = header.facts.colorSpace ?? space {
            colorSpace = own
        } else if !profile.isEmpty {
            colorSpace = .profile(profile)
        } else {
            colorSpace = fallback.colorSpace ?? .sRGB
        }
        found.sources.append(
            PreviewSource(
                range: range, kind: kind, width: header.width, height: header.height,
                orientation: header.facts.orientation ?? fallback.orientation ?? 1,
                hasOwnOrientation: header.facts.orientation != nil, colorSpace: colorSpace))
    }
}

/// The place of a JPEG that is not yet checked.
struct PreviewPlace: Hashable {
    var range: Range<UInt64>
    /// The color space that the file states for this JPEG, or `nil`.
    var colorSpace: PreviewColorSpace?
}

extension UInt64 {
    /// Creates a number from bytes with the most significant byte first.
    init(bigEndianBytes bytes: ArraySlice<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
