import FrameFastModel
import Testing

/// What is said of cameras that should be alike.
@Suite struct GroupComparisonTests {
    private static func member(
        _ name: String, model: String = "R6", firmware: String = "1.8", battery: Int? = 80, room: Int? = 900,
        drift: Int? = 0, iso: String = "400", shots: Int = 5
    ) -> GroupComparison.Member {
        let facts = CameraFacts(
            model: model, firmware: firmware, batteryPercent: battery, shotsLeft: room,
            clockDriftSeconds: drift)
        let setting = CameraSetting(
            key: .iso, name: "iso", value: CameraSettingValue(iso, for: .iso), word: iso, writable: .yes)
        return .init(name: name, facts: facts, settings: [.iso: setting], shots: shots)
    }

    private static func odd(_ members: [GroupComparison.Member]) -> [GroupComparison.Oddity] {
        GroupComparison(members).oddities
    }

    @Test func `cameras that are alike have nothing that is said`() {
        #expect(Self.odd((0..<4).map { Self.member("c\($0)") }).isEmpty)
        #expect(Self.odd([]).isEmpty && Self.odd([Self.member("c0")]).isEmpty)
        // What some do not tell is not compared.
        #expect(
            Self.odd([Self.member("c0"), Self.member("c1", battery: nil, room: nil, drift: nil)]).isEmpty)
        // A second is how clocks are read.
        #expect(
            Self.odd([Self.member("c0", drift: 1), Self.member("c1", drift: -1), Self.member("c2")]).isEmpty)
    }

    @Test(arguments: [
        (member("odd", shots: 4), GroupComparison.Oddity(name: "odd", what: .shots, value: "4", others: "5")),
        (member("odd", drift: 60), .init(name: "odd", what: .clock, value: "+60 s", others: "0 s")),
        (member("odd", drift: -5), .init(name: "odd", what: .clock, value: "-5 s", others: "0 s")),
        (member("odd", battery: 30), .init(name: "odd", what: .battery, value: "30 %", others: "80 %")),
        (member("odd", room: 12), .init(name: "odd", what: .room, value: "12 shots", others: "900 shots")),
        (member("odd", model: "R5"), .init(name: "odd", what: .model, value: "R5", others: "R6")),
        (member("odd", firmware: "1.2"), .init(name: "odd", what: .firmware, value: "1.2", others: "1.8")),
        (member("odd", iso: "800"), .init(name: "odd", what: .settings, value: "iso=800", others: "iso=400")),
    ])
    func `the odd one is named, wherever it stands`(
        member: GroupComparison.Member, oddity: GroupComparison.Oddity
    ) {
        let others = (0..<3).map { Self.member("c\($0)") }
        #expect(Self.odd([member] + others) == [oddity])
        #expect(Self.odd(others + [member]) == [oddity])
    }

    @Test func `of two that differ the second is the odd one, and numbers at their limits are no trap`() {
        let two = [Self.member("c0", iso: "100"), Self.member("c1", iso: "200")]
        #expect(Self.odd(two).map(\.name) == ["c1"])
        let far = [Self.member("c0", drift: .max), Self.member("c1", drift: .min), Self.member("c2")]
        #expect(Set(Self.odd(far).map(\.name)) == ["c0", "c1"])
    }
}
