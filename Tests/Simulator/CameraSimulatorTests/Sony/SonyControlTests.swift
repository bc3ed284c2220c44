import Testing

@testable import CameraSimulator

/// Tests of a simulated Sony's ControlDevice operation, which steps settings, presses buttons and moves the
/// lens.
@Suite struct SonyControlTests {
    private typealias Button = SonyProperty
    private var test = TestCamera(.sony)
    private var now = TestCamera.noon

    private mutating func send(_ operation: PTPOperation, _ code: UInt16, _ data: [UInt8]) -> PTPResponse {
        test.camera.respond(
            to: PTPRequest(code: operation.code, parameters: [UInt32(code)], data: data), at: now
        ).response
    }

    private mutating func pressButton(_ button: UInt16, _ isDown: Bool = true) -> PTPResponse {
        send(.sonyControl, button, [isDown ? 2 : 1, 0])
    }

    private mutating func takePriority() { _ = send(.sonySetProperty, Button.priorityMode, [1]) }

    /// Polls the properties as a client does.
    private mutating func pollProperties() { _ = send(.sonyGetAllProperties, 0, []) }

    private mutating func runCommand(_ line: String) throws {
        guard case .body(let control) = try ControlCommand(line) else { return }
        _ = try test.camera.run(control, at: now)
    }

    private func value(_ code: UInt16) -> PropertyValue? { test.camera.sony.settings[code]?.current }

    private var shots: Int { test.camera.statistics.shots }

    @Test mutating func `an older body changes settings in steps that take time`() {
        test.camera.sony = SonyBody(.old)
        test.camera.sony.stepMs = 200
        #expect([0xD226, 0xD229, 0xD224].allSatisfy { value($0) == nil })
        takePriority()
        let iso: UInt16 = 0xD21E
        #expect(send(.sonyControl, iso, [1]) == .ok)
        pollProperties()
        #expect(value(iso) == .u32(400))
        // The first step is still in progress.
        #expect(send(.sonyControl, iso, [1]) == .ok)
        now.hostMs += 200
        pollProperties()
        #expect(value(iso) == .u32(800))
        #expect(send(.sonyControl, iso, [0xFF]) == .ok)
        now.hostMs += 200
        pollProperties()
        #expect(value(iso) == .u32(400))
        // Setting a value has no effect, although the response is OK.
        #expect(send(.sonySetProperty, iso, [0x40, 0x06, 0, 0]) == .ok)
        #expect(value(iso) == .u32(400))
    }

    @Test(arguments: [(UInt16(0x5004), [UInt8(0x10)], PropertyValue.u8(0x10)), (0x500A, [1, 0], .u16(1))])
    mutating func `a change of quality or focus mode takes time`(
        code: UInt16, data: [UInt8], changed: PropertyValue
    ) {
        test.camera.sony.stepMs = 1_000
        takePriority()
        let before = value(code)
        #expect(send(.sonySetProperty, code, data) == .ok)
        now.hostMs += 999
        pollProperties()
        #expect(value(code) == before)
        #expect(send(.sonySetProperty, code, data) == .deviceBusy)
        now.hostMs += 1
        pollProperties()
        #expect(value(code) == changed)
        // Setting the current value takes no time.
        #expect(send(.sonySetProperty, code, data) == .ok)
        #expect(test.camera.sony.step == nil)
    }

    @Test mutating func `the shutter opens only in bulb and closes with the release`() throws {
        #expect(pressButton(Button.bulb) == .accessDenied)
        try runCommand("dial shutter=bulb")
        #expect(pressButton(Button.bulb) == .ok)
        #expect(pressButton(Button.bulb) == .accessDenied)
        now.hostMs += 2_000
        #expect(shots == 0)
        #expect(pressButton(Button.press, false) == .ok)
        #expect(shots == 1)
        #expect(test.camera.sony.shutter.openTenths == 20)
        // The release button alone also opens the shutter.
        #expect(pressButton(Button.press) == .ok)
        #expect(test.camera.sony.shutter.isOpen)
        #expect(pressButton(Button.press, false) == .ok)
        #expect(shots == 2)
    }

    @Test mutating func `a release without focus takes no photo in autofocus`() throws {
        try runCommand("af fail")
        #expect(pressButton(Button.halfPress) == .ok)
        #expect(pressButton(Button.press) == .ok)
        _ = pressButton(Button.press, false)
        #expect(shots == 0)
        try runCommand("dial 500a=1")
        #expect(pressButton(Button.press) == .ok)
        #expect(shots == 1)
    }

    @Test mutating func `the lens moves at most seven steps in one request`() {
        #expect(send(.sonyControl, Button.nearFar, [7, 0]) == .ok)
        #expect(send(.sonyControl, Button.nearFar, [0xFE, 0xFF]) == .ok)
        #expect(test.camera.sony.lens == 5)
        #expect(send(.sonyControl, Button.nearFar, [8, 0]) == .invalidDevicePropValue)
        #expect(send(.sonyControl, Button.nearFar, [0xF8, 0xFF]) == .invalidDevicePropValue)
        #expect(test.camera.sony.lens == 5)
    }

    @Test mutating func `a movie is saved once when it ends`() {
        #expect(pressButton(Button.movie) == .ok)
        #expect(test.camera.sony.isRecording)
        #expect(pressButton(Button.movie, false) == .ok)
        // The button is already released.
        #expect(pressButton(Button.movie, false) == .ok)
        #expect(!test.camera.sony.isRecording)
        #expect(shots == 1)
    }
}
