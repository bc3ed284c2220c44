import Foundation
import FrameFastAPI
import Testing

@testable import FrameFastCLI

/// Tests of the texts that `clock` prints for each camera.
@Suite struct ClocksViewTests {
    private static func lines(_ now: Int?, _ before: Int?, wasSet: Bool) -> [String] {
        let clock = ClockReply(camera: .init(id: "a", name: "left"), driftMs: now, driftBeforeMs: before)
        return ClocksView(reply: ClocksReply(clocks: [clock]), wasSet: wasSet, json: Data()).plain()
    }

    @Test(
        arguments: [
            (0, -3_607_000, ["clock left: set, exact", "clock left before: 3,607 s behind"]),
            (nil, 3_000, ["clock left: set, not available", "clock left before: 3 s ahead"]),
            (nil, nil, ["clock left: set, not available", "clock left before: not available"]),
            (75_000, 80_000, ["clock left: 75 s ahead", "clock left before: 80 s ahead"]),
        ] as [(Int?, Int?, [String])])
    func `shows the drift before and after setting a clock`(now: Int?, before: Int?, lines: [String]) {
        #expect(Self.lines(now, before, wasSet: true) == lines)
    }

    @Test func `shows only the current drift of a clock that was not set`() {
        #expect(Self.lines(-2_000, nil, wasSet: false) == ["clock left: 2 s behind"])
    }
}
