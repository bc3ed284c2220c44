import Cameras
import FrameFastModel
import Testing

@testable import CaptureEngine

@Suite struct CameraConditionsTests {
    @Test func `conditions use the camera's name instead of its ID`() {
        let conditionBoard = ConditionBoard { _ in }
        var facts = CameraFacts()
        facts.batteryPercent = 5
        facts.clockDriftSeconds = -3_600
        facts.shotsLeft = 0
        facts.mustDeleteAfterSave = true
        (facts.bufferBytes, facts.bufferedBytes, facts.bufferedObjects) = (100, 90, 9)
        CameraConditions.update(
            facts, camera: "sony-0042", name: "second body", conditionBoard: conditionBoard)
        #expect(
            Set(conditionBoard.current.map(\.code)) == [
                "battery-low", "clock-drift", "camera-memory-filling", "card-full",
            ])
        for condition in conditionBoard.current {
            #expect(condition.subject == .camera("sony-0042"))
            #expect(condition.sentence.contains("second body") && !condition.sentence.contains("sony-0042"))
        }
    }

    @Test(
        arguments: [
            (11, false, nil), (10, false, "The battery of left is at 10 %."), (nil, false, nil),
            (nil, true, "The battery of left is low."),
        ] as [(Int?, Bool, String?)])
    func `warns of a low battery in percent or in steps`(percent: Int?, isLow: Bool, sentence: String?) {
        let conditionBoard = ConditionBoard { _ in }
        var facts = CameraFacts(batteryPercent: percent)
        facts.isBatteryLow = isLow
        CameraConditions.update(facts, camera: "a", name: "left", conditionBoard: conditionBoard)
        #expect(conditionBoard.current.first { $0.code == "battery-low" }?.sentence == sentence)
    }

    @Test(arguments: [
        (3_600, true), (-28_800, true), (19_800, true), (-2_700, true), (3_601, true), (28_745, true),
        (30, false), (600, false), (5_000, false), (86_400, false), (0, false), (Int.min, false),
    ])
    func `recognizes a drift that looks like a time zone offset`(drift: Int, isZone: Bool) {
        #expect(CameraClock.looksLikeZone(drift) == isZone)
    }

    /// Regression test: on a computer that had started with the time of its last shutdown, the condition
    /// asked only to set the correct clock of the camera to the wrong time.
    @Test(arguments: [
        (90, false), (3_000, false), (-5_000, false), (-864_000, false), (-7_200, false), (5_000, true),
        (7_200, true), (864_000, true), (Int.max, true),
    ])
    func `asks to check this computer's clock if a camera is far ahead`(drift: Int, isHostInDoubt: Bool) {
        #expect(CameraClock.hostMayBeBehind(drift) == isHostInDoubt)
        let conditionBoard = ConditionBoard { _ in }
        CameraConditions.update(
            CameraFacts(clockDriftSeconds: drift), camera: "a", name: "a", conditionBoard: conditionBoard)
        let step = conditionBoard.current.first { $0.code == "clock-drift" }?.nextStep
        #expect(step?.contains("If this computer's clock is behind") == isHostInDoubt)
        #expect(step?.contains("'framefast clock a --set'") == true)
    }

    @Test(arguments: [Int.min, .max, 29, -30])
    func `reports a clock drift of 30 seconds or more, in seconds`(drift: Int) {
        let conditionBoard = ConditionBoard { _ in }
        CameraConditions.update(
            CameraFacts(clockDriftSeconds: drift), camera: "a", name: "a", conditionBoard: conditionBoard)
        let said = conditionBoard.current.first { $0.code == "clock-drift" }?.sentence
        #expect(drift == 29 ? said == nil : said?.contains("\(drift.magnitude) s") == true)
    }

    @Test(arguments: [(ClockPolicy.ask, true), (.always, true), (.never, false)])
    func `reports clock drift with a command unless the policy is never`(
        clock: ClockPolicy, isReported: Bool
    ) {
        let conditionBoard = ConditionBoard { _ in }
        CameraConditions.update(
            CameraFacts(clockDriftSeconds: 90), camera: "a-1", name: "left", clock: clock,
            conditionBoard: conditionBoard)
        let step = conditionBoard.current.first { $0.code == "clock-drift" }?.nextStep
        #expect(isReported ? step?.contains("framefast clock left --set") == true : step == nil)
    }

    @Test func `reports an open shutter until the camera reports that it is closed`() {
        let conditionBoard = ConditionBoard { _ in }
        var facts = CameraFacts()
        for isOpen in [true, false] {
            facts.isShutterOpen = isOpen
            CameraConditions.update(facts, camera: "a-1", name: "left", conditionBoard: conditionBoard)
            #expect(conditionBoard.current.map(\.code) == (isOpen ? ["shutter-open"] : []))
        }
    }

    @Test(arguments: [
        (UInt64.max, UInt64.max, true), (.max, 1, false), (1_000, 700, true), (1_000, 699, false),
    ])
    func `warns at 70 percent of a memory of any size`(size: UInt64, used: UInt64, isFilling: Bool) {
        let conditionBoard = ConditionBoard { _ in }
        let facts = CameraFacts(mustDeleteAfterSave: true, bufferBytes: size, bufferedBytes: used)
        CameraConditions.update(facts, camera: "a", name: "a", conditionBoard: conditionBoard)
        #expect(conditionBoard.current.contains { $0.code == "camera-memory-filling" } == isFilling)
    }
}
