import Testing

@testable import CameraSimulator

@Suite struct SonySettingTests {
    private func runCommand(_ line: String, to test: inout TestCamera) throws -> String {
        guard case .body(let control) = try ControlCommand(line) else { return "" }
        return try test.camera.run(control, at: TestCamera.noon)
    }

    private func drainEvents(_ test: inout TestCamera) -> [PTPEvent] { test.camera.drainEvents() }

    private static func changed(_ code: UInt32) -> PTPEvent { .event(code: 0xC203, parameters: [code]) }

    @Test func `a setting is reported only when it changes`() {
        var test = TestCamera(.sony)
        #expect(test.send(.sonySetProperty, 0xD25A, data: [1]).response == .ok)
        let iso: [UInt8] = [0x20, 0x03, 0, 0]
        #expect(test.send(.sonySetProperty, 0xD226, data: iso).response == .ok)
        #expect(drainEvents(&test) == [Self.changed(0xD226)])
        #expect(test.send(.sonySetProperty, 0xD226, data: iso).response == .ok)
        #expect(drainEvents(&test).isEmpty)
        #expect(test.send(.sonySetProperty, 0xD226, data: [1, 0, 0, 0]).response == .invalidDevicePropValue)
        #expect(test.camera.sony.settings[0xD226]?.current == .u32(800))
    }

    @Test func `the aperture changes only in steps and stops at its end`() {
        var test = TestCamera(.sony)
        #expect(test.send(.sonyControl, 0x5007, data: [1]).response == .accessDenied)
        _ = test.send(.sonySetProperty, 0xD25A, data: [1])
        #expect(test.send(.sonySetProperty, 0x5007, data: [0x30, 0x02]).response == .ok)
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(280))
        #expect(test.send(.sonyControl, 0x5007, data: [5]).response == .ok)
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(320))
        for _ in 0..<2 { _ = test.send(.sonyControl, 0x5007, data: [0xFF]) }
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(280))
        #expect(drainEvents(&test) == [Self.changed(0x5007), Self.changed(0x5007)])
    }

    @Test func `the aperture stops at the limit of the lens`() throws {
        var test = TestCamera(.sony)
        _ = test.send(.sonySetProperty, 0xD25A, data: [1])
        _ = try runCommand("lens-limit 3.2", to: &test)
        for _ in 0..<2 { #expect(test.send(.sonyControl, 0x5007, data: [1]).response == .ok) }
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(320))
        _ = try runCommand("lens-limit off", to: &test)
        _ = test.send(.sonyControl, 0x5007, data: [1])
        #expect(test.camera.sony.settings[0x5007]?.current == .u16(350))
        #expect(throws: SimulatorError.self) { try runCommand("lens-limit wide", to: &test) }
    }

    /// The shutter speed of a newer body, and the older property that every newer body also has.
    private static let (shutter, oldShutter): (UInt32, UInt32) = (0xD229, 0xD20D)

    private static func bytes(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// Returns the record of the older shutter speed in the reply to GetAllDevicePropData: a 32-bit number
    /// whose range contains all 32-bit numbers.
    private static func oldShutterRecord(_ value: UInt32) -> [UInt8] {
        let parts: [[UInt8]] = [
            [0x0D, 0xD2, 6, 0, 1, 1], bytes(value), bytes(value), [1], bytes(0), bytes(.max), bytes(1),
        ]
        return parts.flatMap { $0 }
    }

    private func contains(_ record: [UInt8], _ reply: PTPReply) -> Bool {
        let bytes = reply.data?.bytes ?? []
        return bytes.indices.contains { bytes[$0...].starts(with: record) }
    }

    @Test func `a newer body also reports its shutter speed in the older property`() {
        var test = TestCamera(.sony)
        let listed = test.send(.sonyGetExtDeviceInfo)
        #expect(contains([0x0D, 0xD2], listed))
        #expect(contains([0x29, 0xD2], listed))
        let before = test.send(.sonyGetAllProperties)
        #expect(contains(Self.oldShutterRecord(1 << 16 | 125), before))
        _ = test.send(.sonySetProperty, 0xD25A, data: [1])
        let set = test.send(.sonySetProperty, Self.shutter, data: Self.bytes(1 << 16 | 250))
        #expect(set.response == .ok)
        let after = test.send(.sonyGetAllProperties)
        #expect(contains(Self.oldShutterRecord(1 << 16 | 250), after))
    }

    @Test func `the older shutter speed of a newer body changes only in steps`() {
        var test = TestCamera(.sony)
        #expect(test.send(.sonyControl, Self.oldShutter, data: [1]).response == .accessDenied)
        _ = test.send(.sonySetProperty, 0xD25A, data: [1])
        // libgphoto2 2.5.34 sends this request as well, after it has set the newer property.
        let set = test.send(.sonySetProperty, Self.oldShutter, data: Self.bytes(1 << 16 | 500))
        #expect(set.response == .ok)
        #expect(test.camera.sony.settings[0xD229]?.current == .u32(1 << 16 | 125))
        #expect(drainEvents(&test).isEmpty)
        #expect(test.send(.sonyControl, Self.oldShutter, data: [1]).response == .ok)
        #expect(test.camera.sony.settings[0xD229]?.current == .u32(1 << 16 | 250))
        #expect(drainEvents(&test) == [Self.changed(Self.shutter)])
    }

    @Test func `reports dial changes while the body has priority, refuses unknown dials and values`() throws {
        var test = TestCamera(.sony)
        #expect(try runCommand("dial d226=1600 500e=2", to: &test) == "ok")
        #expect(drainEvents(&test) == [Self.changed(0xD226), Self.changed(0x500E)])
        #expect(throws: SimulatorError.self) { try runCommand("dial d226=1", to: &test) }
        #expect(throws: SimulatorError.self) { try runCommand("dial d999=1", to: &test) }
    }

    @Test func `a forced response lasts until it is removed`() throws {
        var test = TestCamera(.sony)
        _ = test.send(.sonySetProperty, 0xD25A, data: [1])
        _ = try runCommand("refuse d226 ok", to: &test)
        #expect(test.send(.sonySetProperty, 0xD226, data: [0x20, 3, 0, 0]).response == .ok)
        #expect(test.camera.sony.settings[0xD226]?.current == .u32(400))
        _ = try runCommand("refuse d226 off", to: &test)
        #expect(test.send(.sonySetProperty, 0xD226, data: [0x20, 3, 0, 0]).response == .ok)
        #expect(test.camera.sony.settings[0xD226]?.current == .u32(800))
    }

    @Test func `a live-view reply starts with offset and length of the frame`() throws {
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
        // The client requests a frame before the next frame is available.
        #expect(picture(.getObject).response == .accessDenied)
        #expect(try runCommand("frames", to: &test) == "ok {\"served\":1,\"refused\":1}")
        _ = try runCommand("hot on", to: &test)
        now.hostMs += 1_000
        #expect(picture(.getObjectInfo).response == .invalidObjectHandle)
    }
}
