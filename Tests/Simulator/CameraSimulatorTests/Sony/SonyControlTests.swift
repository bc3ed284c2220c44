import Testing

@testable import CameraSimulator

/// Steps, buttons and the lens of a simulated Sony, by ControlDevice.
@Suite struct SonyControlTests {
    private typealias Button = Camera.SonyProperty
    private var test = TestCamera(.sony)
    private var now = TestCamera.noon

    private mutating func send(_ operation: PTPOperation, _ code: UInt16, _ data: [UInt8]) -> PTPResponse {
        test.camera.respond(
            to: PTPRequest(code: operation.code, parameters: [UInt32(code)], data: data), at: now
        ).response
    }

    private mutating func press(_ button: UInt16, _ isDown: Bool = true) -> PTPResponse {
        send(.sonyControl, button, [isDown ? 2 : 1, 0])
    }

    private mutating func takePriority() { _ = send(.sonySetProperty, Button.priorityMode, [1]) }

    /// The client looks at the properties.
    private mutating func look() { _ = send(.sonyGetAllProperties, 0, []) }

    private mutating func say(_ line: String) throws {
        guard case .body(let control) = try ControlCommand(line) else { return }
        _ = try control.run(on: &test.camera, at: now)
    }

    private func value(_ code: UInt16) -> PropertyValue? { test.camera.sony.settings[code]?.current }

    private var shots: Int { test.camera.statistics.shots }

    @Test mutating func `an older body has the older settings, and a step has its time before the next`() {
        test.camera.sony = SonyBody(.old)
        test.camera.sony.stepMs = 200
        #expect([0xD226, 0xD229, 0xD224].allSatisfy { value($0) == nil })
        takePriority()
        let iso: UInt16 = 0xD21E
        #expect(send(.sonyControl, iso, [1]) == .ok)
        look()
        #expect(value(iso) == .u32(400))
        // The first has not had its time.
        #expect(send(.sonyControl, iso, [1]) == .ok)
        now.hostMs += 200
        look()
        #expect(value(iso) == .u32(800))
        #expect(send(.sonyControl, iso, [0xFF]) == .ok)
        now.hostMs += 200
        look()
        #expect(value(iso) == .u32(400))
        // What is set to a value has no effect, though the answer is OK.
        #expect(send(.sonySetProperty, iso, [0x40, 0x06, 0, 0]) == .ok)
        #expect(value(iso) == .u32(400))
    }

    @Test(arguments: [(UInt16(0x5004), [UInt8(0x10)], PropertyValue.u8(0x10)), (0x500A, [1, 0], .u16(1))])
    mutating func `another quality or focus mode takes its time`(
        code: UInt16, data: [UInt8], changed: PropertyValue
    ) {
        test.camera.sony.stepMs = 1_000
        takePriority()
        let before = value(code)
        #expect(send(.sonySetProperty, code, data) == .ok)
        now.hostMs += 999
        look()
        #expect(value(code) == before)
        #expect(send(.sonySetProperty, code, data) == .deviceBusy)
        now.hostMs += 1
        look()
        #expect(value(code) == changed)
        // What it is set to already takes none.
        #expect(send(.sonySetProperty, code, data) == .ok)
        #expect(test.camera.sony.step == nil)
    }

    @Test mutating func `the shutter is opened in bulb only, and closed by the release`() throws {
        #expect(press(Button.bulb) == .accessDenied)
        try say("dial shutter=bulb")
        #expect(press(Button.bulb) == .ok)
        #expect(press(Button.bulb) == .accessDenied)
        now.hostMs += 2_000
        #expect(shots == 0)
        #expect(press(Button.press, false) == .ok)
        #expect(shots == 1)
        #expect(test.camera.sony.shutter.openTenths == 20)
        // The release alone does it as well.
        #expect(press(Button.press) == .ok)
        #expect(test.camera.sony.shutter.isOpen)
        #expect(press(Button.press, false) == .ok)
        #expect(shots == 2)
    }

    @Test mutating func `what is not in focus is not released, unless the lens is focused by hand`() throws {
        try say("af fail")
        #expect(press(Button.halfPress) == .ok)
        #expect(press(Button.press) == .ok)
        _ = press(Button.press, false)
        #expect(shots == 0)
        try say("dial 500a=1")
        #expect(press(Button.press) == .ok)
        #expect(shots == 1)
    }

    @Test mutating func `the lens goes seven steps either way in an order, and no more`() {
        #expect(send(.sonyControl, Button.nearFar, [7, 0]) == .ok)
        #expect(send(.sonyControl, Button.nearFar, [0xFE, 0xFF]) == .ok)
        #expect(test.camera.sony.lens == 5)
        #expect(send(.sonyControl, Button.nearFar, [8, 0]) == .invalidDevicePropValue)
        #expect(send(.sonyControl, Button.nearFar, [0xF8, 0xFF]) == .invalidDevicePropValue)
        #expect(test.camera.sony.lens == 5)
    }

    @Test mutating func `a movie is made when it is ended, and once`() {
        #expect(press(Button.movie) == .ok)
        #expect(test.camera.sony.isRecording)
        #expect(press(Button.movie, false) == .ok)
        // The button is up already.
        #expect(press(Button.movie, false) == .ok)
        #expect(!test.camera.sony.isRecording)
        #expect(shots == 1)
    }
}
