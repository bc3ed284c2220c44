import Glibc
import TestRig
import Testing

@testable import FrameFastCLI

/// Tests of running short-lived programs and reading their output.
@Suite(.programs(1)) struct ShortCommandTests {
    @Test func `a child process inherits the pipe only as its output`() throws {
        // Prints each descriptor that refers to the output.
        let script =
            "for file in /proc/$$/fd/*; do [ $file -ef /proc/$$/fd/1 ] && echo ${file##*/}; done; exit 3"
        let result = try #require(ShortCommand.run("/bin/sh", ["-c", script]))
        #expect(String(decoding: result.output, as: UTF8.self) == "1\n")
        #expect(result.status == 3)
    }

    @Test func `passes each complete line of a program to a function`() {
        var lines: [String] = []
        let isStarted = ShortCommand.readLines("/bin/sh", ["-c", "printf 'a\\nb\\nc'"]) {
            lines.append(String(decoding: $0, as: UTF8.self))
        }
        #expect(isStarted && lines == ["a", "b"])
        #expect(!ShortCommand.readLines("/nonexistent/program", []) { _ in })
    }

    @Test func `starts a program from PATH in the background`() async throws {
        let scratch = try ScratchFolder()
        let path = scratch.path("started")
        #expect(ShortCommand.startInBackground("touch", [path]))
        try await eventually("the program to run") { access(path, F_OK) == 0 ? () : nil }
        #expect(!ShortCommand.startInBackground("no-such-framefast-program", []))
    }
}
