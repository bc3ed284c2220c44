import Foundation
import Testing

@testable import TerminalUI

@Suite struct ReaderWatchTests {
    @Test func `stops waiting when the reader closes the pipe`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        ReaderWatch.waitUntilGone(pipe.fileHandleForWriting.fileDescriptor)
    }
}
