import TestRig
import Testing

@testable import FrameFastCLI

/// Programs that are run for what they print.
@Suite(.programs(1)) struct ShortCommandTests {
    @Test func `a program has the pipe as its output and nowhere else`() throws {
        // Names each descriptor behind which its output is.
        let script =
            "for file in /proc/$$/fd/*; do [ $file -ef /proc/$$/fd/1 ] && echo ${file##*/}; done; exit 3"
        let result = try #require(ShortCommand.run("/bin/sh", ["-c", script]))
        #expect(String(decoding: result.output, as: UTF8.self) == "1\n")
        #expect(result.status == 3)
    }
}
