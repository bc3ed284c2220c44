import Foundation
import TestRig
import Testing

@testable import FrameFastCLI

@Suite struct BoundedFileTests {
    @Test(arguments: [(0, 0), (100, 100), (101, nil), (200_000, nil)])
    func `reads only a file within the limit`(size: Int, read: Int?) throws {
        let folder = try ScratchFolder()
        let path = folder.path("file")
        try Data(repeating: 7, count: size).write(to: URL(filePath: path))
        #expect(BoundedFile.bytes(path, limit: 100) == read.map { [UInt8](repeating: 7, count: $0) })
        #expect(BoundedFile.bytes(path, limit: 200_000)?.count == size)
    }

    @Test(arguments: ["/dev/zero", "/nowhere/ramp.txt", "/tmp"])
    func `returns nil for an endless device, a missing file and a folder`(path: String) {
        #expect(BoundedFile.bytes(path, limit: 100_000) == nil)
    }
}
