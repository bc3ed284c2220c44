import Testing

@testable import CameraSimulator

@Suite struct CanonControlTests {
    private func runCommand(_ line: String, to client: inout EOSClient) throws -> String {
        guard case .body(let control) = try ControlCommand(line) else { return "" }
        return try client.test.camera.run(control, at: client.now)
    }

    @Test(
        arguments: [
            ("aperture", "1.8", 0xD101, 0x15), ("aperture", "5.6", 0xD101, 0x30),
            ("aperture", "22", 0xD101, 0x50),
            ("shutter", "1/125", 0xD102, 0x70), ("shutter", "0.8", 0xD102, 0x3B),
            ("shutter", "30", 0xD102, 0x10),
            ("shutter", "1/8000", 0xD102, 0xA0), ("shutter", "bulb", 0xD102, 0x0C),
            ("iso", "100", 0xD103, 0x48),
            ("iso", "160", 0xD103, 0x4D), ("iso", "25600", 0xD103, 0x88), ("iso", "auto", 0xD103, 0),
            ("ev", "0", 0xD104, 0), ("ev", "1/3", 0xD104, 3), ("ev", "-1/3", 0xD104, 0xFD),
            ("ev", "-1", 0xD104, 0xF8),
            ("ev", "-3", 0xD104, 0xE8), ("mode", "S", 0xD138, 1), ("d106", "4", 0xD106, 4),
        ] as [(String, String, UInt16, UInt32)])
    func `converts a dial setting to the code and the value of a property`(
        name: String, word: String, code: UInt16, value: UInt32
    )
        throws
    {
        guard case .body(.dials(let dials)) = try ControlCommand("dial \(name)=\(word)") else {
            Issue.record("the command is not parsed as a dial")
            return
        }
        let settings = try dials.map { try $0.parse(with: CanonDialText.setting) }
        #expect(settings.map(\.code) == [code] && settings.map(\.value) == [value])
    }

    @Test(
        arguments: [Maker.canon, .nikon, .sony, .fuji],
        ["aperture=1e30", "shutter=1e-30", "iso=1e99", "ev=4000", "ev=-1e9"])
    func `every body refuses a dial value out of range`(maker: Maker, dial: String) throws {
        var test = TestCamera(maker)
        guard case .body(let control) = try ControlCommand("dial \(dial)") else { return }
        #expect(throws: SimulatorError.self) { try test.camera.run(control, at: TestCamera.noon) }
    }

    @Test(arguments: [
        "dial", "dial iso", "dial iso=-1", "dial shutter=1/0", "dial shutter=1/2/3", "dial mode=X", "busy -1",
        "busy soon", "af maybe", "hot", "refuse d101", "refuse d101 xyz", "refuse q 2019",
    ])
    func `refuses an invalid control command`(line: String) {
        var client = EOSClient()
        #expect(throws: SimulatorError.self) { try runCommand(line, to: &client) }
    }

    @Test func `turning the mode dial sends value, list and display records`() throws {
        var client = EOSClient()
        #expect(try runCommand("dial mode=S", to: &client) == "ok")
        let records = client.poll()
        let values = records.filter { $0.type == EOSRecord.value }.map { $0.word(0) }
        #expect(Set(values) == [0xD105, 0xD138, 0xD101])
        let lists = records.filter { $0.type == EOSRecord.list }
        #expect(Set(lists.map { $0.word(0) }) == [0xD101, 0xD102, 0xD104])
        #expect(lists.first { $0.word(0) == 0xD101 }?.word(2) == 0)
        #expect(records.last?.type == EOSRecord.display)
        #expect(throws: SimulatorError.self) { try runCommand("dial aperture=8", to: &client) }
        #expect(client.poll().isEmpty)
    }

    @Test func `refuses to turn a dial of a locked body`() throws {
        var client = EOSClient()
        client.send(.canonSetUILock)
        #expect(throws: SimulatorError.bodyLocked) { try runCommand("set iso=800", to: &client) }
        #expect(try runCommand("locked", to: &client) == "ok {\"locked\":true}")
    }

    @Test func `a forced response to a change lasts until it is removed`() throws {
        var client = EOSClient()
        for (word, response) in [("2019", 0x2019), ("201c", 0x201C), ("ok", 0x2001)] as [(String, UInt16)] {
            _ = try runCommand("refuse d101 \(word)", to: &client)
            #expect(client.set(0xD101, to: 0x30).rawValue == response)
            #expect(client.poll().isEmpty)
        }
        _ = try runCommand("refuse d101 off", to: &client)
        #expect(client.set(0xD101, to: 0x30) == .ok)
        #expect(client.poll().count == 2)
    }

    @Test func `bulb-state reports the monotonic times of the shutter`() throws {
        var client = EOSClient()
        #expect(
            try runCommand("bulb-state", to: &client)
                == "ok {\"open\":false,\"opened_ns\":null,\"closed_ns\":null,\"button\":\"up\"}")
        _ = try runCommand("dial shutter=bulb", to: &client)
        client.now.monotonicNs = 7
        client.send(.canonBulbStart)
        #expect(
            try runCommand("bulb-state", to: &client)
                == "ok {\"open\":true,\"opened_ns\":7,\"closed_ns\":null,\"button\":\"up\"}")
        client.now.monotonicNs = 2_000_000_007
        client.send(.canonBulbEnd)
        #expect(
            try runCommand("bulb-state", to: &client)
                == "ok {\"open\":false,\"opened_ns\":7,\"closed_ns\":2000000007,\"button\":\"up\"}")
    }

    @Test func `the controls and frames commands report the state of live view`() throws {
        var client = EOSClient()
        let before = try runCommand("controls", to: &client)
        #expect(before.contains("\"d101\":32,") && before.contains("\"d1b0\":0,"))
        client.send(.canonStartViewfinder)
        #expect(try runCommand("controls", to: &client).contains("\"d1b0\":2,"))
        #expect(try runCommand("frames", to: &client) == "ok {\"on\":true,\"served\":0,\"refused\":0}")
        client.send(.canonEndViewfinder)
        #expect(try runCommand("frames", to: &client) == "ok {\"on\":false,\"served\":0,\"refused\":0}")
    }

    @Test func `the busy command makes the body busy for the given time`() throws {
        var client = EOSClient()
        _ = try runCommand("busy 500", to: &client)
        #expect(client.set(0xD101, to: 0x30) == .deviceBusy)
        client.now.hostMs += 500
        #expect(client.set(0xD101, to: 0x30) == .ok)
    }

    @Test func `a generic camera refuses commands for a Canon`() throws {
        var test = TestCamera(.generic)
        #expect(throws: SimulatorError.self) {
            try test.camera.run(.locked, at: TestCamera.noon)
        }
    }
}
