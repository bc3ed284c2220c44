import PreviewFormats
import Testing

/// One run of `PreviewFinder` over bytes in memory, with a count of its reads.
final class PreviewSearchRun {
    /// The maximum number of bytes that the finder may read at once: a directory with 512 entries.
    private static let pieceMax = 512 * 12

    private let bytes: [UInt8]
    private(set) var reads = 0
    private(set) var readBytes = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Finds the JPEGs, and checks that their ranges are inside the file.
    func find(sourceLocation: SourceLocation = #_sourceLocation) -> FoundPreviews {
        let found = PreviewFinder.find(size: UInt64(bytes.count), read: read)
        for source in found.sources {
            #expect(source.range.upperBound <= UInt64(bytes.count), sourceLocation: sourceLocation)
            #expect((1...8).contains(source.orientation), sourceLocation: sourceLocation)
            #expect(source.width > 0 && source.height > 0, sourceLocation: sourceLocation)
            #expect(source.kind == .wholeFile || !source.range.isEmpty, sourceLocation: sourceLocation)
            if case .profile(let ranges) = source.colorSpace {
                #expect(
                    ranges.allSatisfy { $0.upperBound <= UInt64(bytes.count) }, sourceLocation: sourceLocation
                )
            }
        }
        #expect(found.sources.count <= PreviewFinder.visitsMax, sourceLocation: sourceLocation)
        return found
    }

    private func read(_ offset: UInt64, _ count: Int) -> [UInt8] {
        reads += 1
        readBytes += count
        #expect(count <= Self.pieceMax)
        guard offset < UInt64(bytes.count) else { return [] }
        return Array(bytes[Int(offset)..<min(Int(offset) + count, bytes.count)])
    }

    /// Returns the JPEG of a source.
    func jpeg(of source: PreviewSource) -> [UInt8] {
        Array(bytes[Int(source.range.lowerBound)..<Int(source.range.upperBound)])
    }
}
