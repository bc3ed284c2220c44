import Testing

@testable import CameraSimulator

@Suite struct SonySettingTests {
    private func say(_ line: String, to test: inout TestCamera) throws -> String {
        guard case .body(let control) = try ControlCommand(line) else { return "" }
        return try control.run(on: &test.camera, at: TestCamera.noon)
    }

    private func told(_ test: inout TestCamera) -> [PTPEvent] { test.camera.drainEvents() }

    private static func changed(_ code: UInt32) -> PTPEvent { .event(code: 0xC203, parameters: [code]) }

    @Test func `a setting tells that it changed, and only when it did`() {
        var test = TestCamera(.sony)
        #expect(test.ask(.sonySetProperty, 0xD25A, data: [1]).response == .ok)
        let iso: [UInt8] = [0x20, 0x03, 0, 0]
        #expect(test.ask(.sonySetProperty, 0xD226, data: iso).response == .ok)
        #expect(told(&test) == [Self.changed(0xD226)])
        #expect(test.ask(.sonySetProperty, 0xD226, data: iso).response == .ok)
        #expect(told(&test).isEmpty)
        #expect(test.ask(.sonySetProperty, 0xD226, data: [1, 0, 0, 0]).response == .invalidDevicePropValue)
        #expect(test.camera.sony.settings[0xD226]?.current == .u32(800))
    }

    @Test func `the aperture goes a step at a time, by steps only, and stops at its end`() {
        var test = TestCamera(.sony)
        #expect(test.ask(.sonyControl, 0x5007, data: [1]).response == .accessDenied)
        _ = test.ask(.sonySetProperty, 0xD25A, data: [1])
        #expect(test.ask(.sonySetProperty, 0x5007, data: [0x30, 0x02]).response == .ok)
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(280))
        #expect(test.ask(.sonyControl, 0x5007, data: [5]).response == .ok)
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(320))
        for _ in 0..<2 { _ = test.ask(.sonyControl, 0x5007, data: [0xFF]) }
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(280))
        #expect(told(&test) == [Self.changed(0x5007), Self.changed(0x5007)])
    }

    @Test func `the aperture stops where the lens has its limit`() throws {
        var test = TestCamera(.sony)
        _ = test.ask(.sonySetProperty, 0xD25A, data: [1])
        _ = try say("lens-limit 3.2", to: &test)
        for _ in 0..<2 { #expect(test.ask(.sonyControl, 0x5007, data: [1]).response == .ok) }
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(320))
        _ = try say("lens-limit off", to: &test)
        _ = test.ask(.sonyControl, 0x5007, data: [1])
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(350))
        #expect(throws: SimulatorError.self) { try say("lens-limit wide", to: &test) }
    }

    @Test func `a dial of the body is told of, whoever has priority`() throws {
        var test = TestCamera(.sony)
        #expect(try say("dial d226=1600 500e=2", to: &test) == "ok")
        #expect(told(&test) == [Self.changed(0xD226), Self.changed(0x500E)])
        #expect(throws: SimulatorError.self) { try say("dial d226=1", to: &test) }
        #expect(throws: SimulatorError.self) { try say("dial d999=1", to: &test) }
    }

    @Test func `an answer to a set is what was said, until it is off`() throws {
        var test = TestCamera(.sony)
        _ = test.ask(.sonySetProperty, 0xD25A, data: [1])
        _ = try say("refuse d226 ok", to: &test)
        #expect(test.ask(.sonySetProperty, 0xD226, data: [0x20, 3, 0, 0]).response == .ok)
        #expect(test.camera.sony.settings[0xD226]?.current == .u32(400))
        _ = try say("refuse d226 off", to: &test)
        #expect(test.ask(.sonySetProperty, 0xD226, data: [0x20, 3, 0, 0]).response == .ok)
        #expect(test.camera.sony.settings[0xD226]?.current == .u32(800))
    }

    @Test func `a picture of live view comes when it is made, behind its place and length`() throws {
        var test = TestCamera(.sony)
        var now = TestCamera.noon
        func picture(_ operation: PTPOperation) -> PTPReply {
            test.camera.respond(to: PTPRequest(operation, 0xFFFF_C002), at: now)
        }
        #expect(picture(.getObjectInfo).response == .invalidObjectHandle)
        now.hostMs += 1_000
        #expect(picture(.getObjectInfo).response == .ok)
        let bytes = picture(.getObject).data?.bytes ?? []
        let start = Int(TestCamera.word(bytes, 0))
        #expect(bytes[start...].starts(with: [0xFF, 0xD8]) && bytes.suffix(2) == [0xFF, 0xD9])
        #expect(bytes.count - start == Int(TestCamera.word(bytes, 4)))
        // Asked faster than they are made.
        #expect(picture(.getObject).response == .accessDenied)
        #expect(try say("frames", to: &test) == "ok {\"served\":1,\"refused\":1}")
        _ = try say("hot on", to: &test)
        now.hostMs += 1_000
        #expect(picture(.getObjectInfo).response == .invalidObjectHandle)
    }
}
