import Foundation
import FrameFastSystem
import TestRig
import Testing

/// Tests of the file by which a start detects that the previous run crashed.
@Suite struct RunMarkTests {
    private let scratch: ScratchFolder
    private let mark: RunMark
    private let start = Date(timeIntervalSince1970: 1_795_271_130.25)

    init() throws {
        scratch = try ScratchFolder()
        mark = RunMark(path: scratch.path("running"))
    }

    @Test func `returns the start of the first run since the last clean stop`() throws {
        #expect(try mark.recordStart(at: start) == nil)
        for later in [60.0, 120] {
            #expect(try mark.recordStart(at: start.addingTimeInterval(later)) == start)
        }
        try mark.recordStop()
        #expect(!DurableFile.exists(mark.path))
        #expect(try mark.recordStart(at: start) == nil)
    }

    @Test func `uses the modification time of a file that a power failure emptied`() throws {
        try Data().write(to: URL(filePath: mark.path))
        let modified = Date(timeIntervalSince1970: 1_795_271_000)
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: mark.path)
        #expect(try mark.recordStart(at: start) == modified)
    }

    @Test func `a stop without a recorded start is not an error`() throws { try mark.recordStop() }
}
