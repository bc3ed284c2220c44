import FrameFastModel
import Testing

@Suite struct ReadingsTests {
    typealias Verdict = Readings.Verdict

    @Test(
        arguments: [
            ("equal", ["a"], [.diskIsRight]),
            ("the second was wrong", ["x", "a"], [.again, .diskIsRight]),
            ("the first was wrong", ["b", "b"], [.again, .diskIsWrong]),
            ("the first and another were wrong", ["x", "b", "b"], [.again, .again, .diskIsWrong]),
            ("the last was wrong as well", ["b", "x", "b"], [.again, .again, .diskIsWrong]),
            ("never two alike", ["b", "c", "d", "e", "f"], [.again, .again, .again, .again, .undecided]),
        ] as [(String, [String], [Verdict])])
    func `trusts the bytes of two equal reads`(name: String, hashes: [String], verdicts: [Verdict]) {
        var readings = Readings(onDisk: "a")
        #expect(hashes.map { readings.record($0) } == verdicts)
        #expect(readings.haveDiffered == (name != "equal"))
    }

    @Test func `link counts as reliable after enough equal reads`() {
        var trust = LinkTrust()
        trust.recordPhoto(readsDiffered: false)
        #expect(!trust.isCorrupting)
        trust.recordPhoto(readsDiffered: true)
        trust.recordPhoto(readsDiffered: true)
        #expect(trust.isCorrupting && trust.differing == 2)
        for _ in 1..<LinkTrust.trustedAfter { trust.recordPhoto(readsDiffered: false) }
        #expect(trust.isCorrupting)
        trust.recordPhoto(readsDiffered: false)
        #expect(!trust.isCorrupting)
    }
}
