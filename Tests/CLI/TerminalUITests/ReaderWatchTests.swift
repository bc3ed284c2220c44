import Foundation
import Testing

@testable import TerminalUI

@Suite struct ReaderWatchTests {
    @Test func `the wait ends when the reader of a pipe is gone`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        ReaderWatch.waitUntilGone(pipe.fileHandleForWriting.fileDescriptor)
    }
}
