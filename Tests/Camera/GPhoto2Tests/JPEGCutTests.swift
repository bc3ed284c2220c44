import Testing

@testable import GPhoto2

@Suite struct JPEGCutTests {
    private func cut(_ bytes: [UInt8]) -> [UInt8]? { bytes.withUnsafeBytes(JPEGExtractor.jpeg) }

    @Test func `extracts a JPEG from surrounding data`() {
        let picture: [UInt8] = [0xFF, 0xD8, 1, 2, 0xFF, 0xD9]
        #expect(cut(picture) == picture)
        #expect(cut([9, 0xFF, 8] + picture + [0, 0, 7]) == picture)
        // An embedded thumbnail ends before the image.
        let nested: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD8, 0xFF, 0xD9, 3, 0xFF, 0xD9]
        #expect(cut(nested) == nested)
    }

    @Test(arguments: [
        [], [0xFF, 0xD8], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 1, 2], [1, 2, 0xFF, 0xD9],
        [0xFF, 0xD9, 0xFF, 0xD8],
    ])
    func `returns nil for data without start or end of a JPEG`(bytes: [UInt8]) {
        #expect(cut(bytes) == nil)
    }
}
