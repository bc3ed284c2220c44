import FrameFastModel
import Testing

@Suite struct ReadingsTests {
    typealias Outcome = Readings.Outcome

    @Test(
        arguments: [
            ("equal", ["a"], [.diskIsRight]),
            ("the second read is wrong", ["x", "a"], [.again, .diskIsRight]),
            ("the first read is wrong", ["b", "b"], [.again, .diskIsWrong]),
            ("the first and second reads are wrong", ["x", "b", "b"], [.again, .again, .diskIsWrong]),
            ("the first and third reads are wrong", ["b", "x", "b"], [.again, .again, .diskIsWrong]),
            ("all reads differ", ["b", "c", "d", "e", "f"], [.again, .again, .again, .again, .undecided]),
        ] as [(String, [String], [Outcome])])
    func `accepts the bytes of two equal reads`(name: String, hashes: [String], outcomes: [Outcome]) {
        var readings = Readings(onDisk: "a")
        #expect(hashes.map { readings.record($0) } == outcomes)
        #expect(readings.haveDiffered == (name != "equal"))
    }

    @Test func `a connection is reliable again after enough equal reads`() {
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
