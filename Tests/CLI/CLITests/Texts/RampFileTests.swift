import Foundation
import FrameFastAPI
import SurfaceTestSupport
import Testing

@testable import FrameFastCLI

/// Tests of parsing the file for `framefast interval --ramp`.
@Suite struct RampFileTests {
    @Test func `parses the ramp file example from the remote control document`() throws {
        let text = try DocumentFile("docs/remote-control.md").text()
        let start = try #require(text.range(of: "```text\n# sunset.ramp\n"))
        let rest = text[start.upperBound...]
        let end = try #require(rest.range(of: "```")).lowerBound
        let steps = try RampFile.steps(in: String(rest[..<end])).get()
        #expect(
            steps == [
                .init(photo: 1, settings: ["iso": "100", "shutter": "1/250"]),
                .init(photo: 40, settings: ["shutter": "1/125"]),
                .init(photo: 80, settings: ["shutter": "1/60", "iso": "200"]),
            ])
        let request = IntervalRequest(everyMs: 10_000, count: 100, ramp: steps)
        #expect(throws: Never.self) { try request.checked() }
    }

    @Test(arguments: [("1 iso=100\n20", 2), ("0 iso=100", 1), ("# a\n\nfirst iso=100", 3), ("20 iso", 1)])
    func `names the first invalid line`(text: String, line: Int) {
        #expect(RampFile.steps(in: text) == .failure(.init(message: "line \(line) is invalid")))
    }
}
