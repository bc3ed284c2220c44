import Foundation
import Testing

@testable import FrameFastCLI

@Suite struct GivenFileTests {
    @Test(arguments: [0, 1, 99, 100, 101, 200_000])
    func `a file is read whole, and one byte more than it may have`(size: Int) throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "framefast-given-\(UUID().uuidString)"
        ).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(repeating: 7, count: size).write(to: URL(filePath: path))
        #expect(GivenFile.bytes(path, most: 100) == [UInt8](repeating: 7, count: min(size, 101)))
        #expect(GivenFile.bytes(path, most: 200_000)?.count == size)
    }

    @Test func `what has no end is not read to it, and what cannot be read is nothing`() {
        #expect(GivenFile.bytes("/dev/zero", most: 100_000)?.count == 100_001)
        #expect(GivenFile.bytes("/nowhere/list.csv", most: 100) == nil)
        #expect(GivenFile.bytes("/tmp", most: 100) == nil)
    }
}
