/// A JPEG that stands in a camera's file, or is it.
struct EmbeddedPicture {
    /// Most places that are looked at in one file.
    private static let placesMax = 64
    /// Shortest JPEG that is looked at, in bytes.
    private static let bytesMin: UInt64 = 128

    var offset: UInt64
    var count: UInt64
    var width: Int
    var height: Int
    var isProgressive: Bool
    var colour: ColourSpace

    /// Its longer side in pixels.
    var side: Int { max(width, height) }

    /// What can be shown of a file, smallest first, and how it is to be turned.
    ///
    /// The file may be a JPEG, RAF, CR3, or a RAW that is built like a TIFF (CR2, NEF, ARW, DNG, ORF, RW2, PEF and others).
    static func all(in source: some ByteSource) -> (pictures: [Self], orientation: Orientation) {
        guard let head = source.bytes(at: 0, count: 16) else { return ([], .upright) }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return ofJPEG(in: source, at: 0, count: source.count) }
        if head.starts(with: "FUJIFILMCCD-RAW".utf8) {
            // Places of the JPEG, as every reader of RAF files knows them.
            guard let offset = source.number(at: 84, bytes: 4), let count = source.number(at: 88, bytes: 4)
            else { return ([], .upright) }
            return ofJPEG(in: source, at: offset, count: count)
        }
        if head[4..<8].elementsEqual("ftyp".utf8) {
            let boxes = BoxReader(source: source)
            return (
                some(of: boxes.jpegs, in: source, isAdobeRGB: boxes.isAdobeRGB),
                boxes.orientation ?? .upright
            )
        }
        guard let directories = TIFFReader(source) else { return ([], .upright) }
        return (
            some(of: directories.jpegs, in: source, isAdobeRGB: directories.isAdobeRGB),
            directories.orientation ?? .upright
        )
    }

    /// The smallest that has a longer side of at least so many pixels; else the largest.
    static func best(of pictures: [Self], side: Int) -> Self? {
        pictures.first { $0.side >= side } ?? pictures.last
    }

    private static func ofJPEG(
        in source: some ByteSource, at offset: UInt64, count: UInt64
    ) -> (pictures: [Self], orientation: Orientation) {
        guard let part = PartOfBytes(source, at: offset, count: count), let head = JPEGHead(part) else {
            return ([], .upright)
        }
        let places = [(offset, count)] + head.others.map { (offset + min($0.offset, count), $0.count) }
        return (some(of: places, in: source, isAdobeRGB: head.colour == .adobeRGB), head.orientation)
    }

    /// Those places at which there is a JPEG that can be shown.
    private static func some(
        of places: [(offset: UInt64, count: UInt64)], in source: some ByteSource, isAdobeRGB: Bool
    ) -> [Self] {
        var seen: Set<UInt64> = []
        return places.prefix(placesMax).compactMap { offset, count -> Self? in
            guard count >= bytesMin, seen.insert(offset).inserted,
                let part = PartOfBytes(source, at: offset, count: count), let head = JPEGHead(part)
            else { return nil }
            // What stands in a file with a colour space has it as well.
            let colour = isAdobeRGB ? .adobeRGB : head.colour
            return Self(
                offset: offset, count: count, width: head.width, height: head.height,
                isProgressive: head.isProgressive, colour: colour)
        }.sorted { ($0.side, $0.count) < ($1.side, $1.count) }
    }
}
