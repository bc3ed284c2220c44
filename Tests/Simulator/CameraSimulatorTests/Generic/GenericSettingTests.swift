import Testing

@testable import CameraSimulator

/// Tests of a generic camera's settings, byte by byte as in the standard (PIMA 15740, 13.3.3).
struct GenericSettingTests {
    private func runCommand(_ line: String, to test: inout TestCamera) throws -> String {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let control = try #require(try BodyControl(verb: words[0], words.count > 1 ? words[1] : ""))
        return try test.camera.run(control, at: TestCamera.noon)
    }

    private func isWritable(_ code: UInt32, _ test: inout TestCamera) -> Bool {
        test.send(.getDevicePropDesc, code).data?.bytes[4] == 1
    }

    @Test(arguments: [
        (UInt32(0x5004), UInt16(2), 3), (0x5005, 4, 7), (0x5007, 4, 7), (0x500A, 4, 3), (0x500B, 4, 4),
        (0x500D, 6, 7), (0x500E, 4, 4), (0x500F, 4, 6), (0x5010, 3, 9), (0x5013, 4, 3),
    ])
    func `describes each setting with type, value and list`(
        code: UInt32, type: UInt16, count: Int
    ) throws {
        var test = TestCamera()
        let bytes = try #require(test.send(.getDevicePropDesc, code).data?.bytes)
        let value = try #require(test.send(.getDevicePropValue, code).data?.bytes)
        #expect(TestCamera.half(bytes, 0) == UInt16(code) && TestCamera.half(bytes, 2) == type)
        #expect(Array(bytes[(5 + value.count)..<(5 + 2 * value.count)]) == value)
        let form = 5 + 2 * value.count
        #expect(bytes[form] == 2 && Int(TestCamera.half(bytes, form + 1)) == count)
        #expect(bytes.count == form + 3 + count * value.count)
    }

    @Test(arguments: [
        ("M", true, true), ("A", true, false), ("S", false, true), ("P", false, false),
    ])
    func `the mode determines which settings are writable`(mode: String, aperture: Bool, shutter: Bool) throws
    {
        var test = TestCamera()
        _ = try runCommand("dial mode=\(mode)", to: &test)
        #expect(isWritable(0x5007, &test) == aperture && isWritable(0x500D, &test) == shutter)
        #expect(isWritable(0x500F, &test))
        #expect(
            test.send(.setDevicePropValue, 0x5007, data: [0x30, 2]).response
                == (aperture ? .ok : .accessDenied))
        // The body's dial can't change the shutter speed either.
        if !shutter {
            #expect(throws: SimulatorError.self) { try runCommand("dial shutter=1/125", to: &test) }
        }
    }

    @Test func `notifies the client of dial changes and of settings that become read-only`() throws {
        var test = TestCamera()
        #expect(try runCommand("dial iso=800 aperture=5.6 ev=-1.5 shutter=1/125 5005=4", to: &test) == "ok")
        #expect(
            test.camera.drainEvents()
                == [0x500F, 0x5007, 0x5010, 0x500D, 0x5005].map(PTPEvent.propertyChanged))
        let controls = try runCommand("controls", to: &test)
        #expect(controls.contains("\"5007\":560,") && controls.contains("\"500d\":80,"))
        #expect(controls.contains("\"500f\":800,") && controls.contains("\"5010\":-1500,"))
        _ = try runCommand("dial mode=S", to: &test)
        #expect(test.camera.drainEvents() == [0x500E, 0x5007].map(PTPEvent.propertyChanged))
    }

    @Test func `a change by the client causes events only for dependent settings`() {
        var test = TestCamera()
        #expect(test.send(.setDevicePropValue, 0x500F, data: [0x20, 3]).response == .ok)
        #expect(test.camera.drainEvents().isEmpty)
        #expect(test.send(.setDevicePropValue, 0x500E, data: [2, 0]).response == .ok)
        #expect(test.camera.drainEvents() == [0x5007, 0x500D].map(PTPEvent.propertyChanged))
    }

    @Test func `refuses a value outside the list and a truncated value`() {
        var test = TestCamera()
        #expect(test.send(.setDevicePropValue, 0x5007, data: [1, 0]).response == .invalidDevicePropValue)
        #expect(test.send(.setDevicePropValue, 0x5007, data: [0x30]).response == .invalidDataset)
        #expect(test.send(.setDevicePropValue, 0x5099, data: [0]).response == .devicePropNotSupported)
        #expect(test.send(.getDevicePropValue, 0x5007).data?.bytes == [0x18, 1])
    }

    @Test(arguments: ["2002", "2005", "2019", "200a", "200f", "201c", "ok"])
    func `a setting keeps its value until a forced response is removed`(answer: String) throws {
        var test = TestCamera()
        _ = try runCommand("refuse 5007 \(answer)", to: &test)
        let response = test.send(.setDevicePropValue, 0x5007, data: [0x30, 2]).response
        #expect(response.rawValue == UInt16(answer, radix: 16) ?? PTPResponse.ok.rawValue)
        #expect(test.send(.getDevicePropValue, 0x5007).data?.bytes == [0x18, 1])
        _ = try runCommand("refuse 5007 off", to: &test)
        #expect(test.send(.setDevicePropValue, 0x5007, data: [0x30, 2]).response == .ok)
        #expect(test.send(.getDevicePropValue, 0x5007).data?.bytes == [0x30, 2])
    }

    @Test(arguments: ["iso=123", "aperture=1e30", "ev=1e30", "mode=B", "5007=1", "d102=4", "wheel=1"])
    func `refuses an unknown dial or value`(dial: String) {
        var test = TestCamera()
        #expect(throws: SimulatorError.self) { try runCommand("dial \(dial)", to: &test) }
        #expect(test.camera.drainEvents().isEmpty)
    }

    @Test func `a reset restores the initial value`() throws {
        var test = TestCamera()
        _ = try runCommand("dial iso=800", to: &test)
        #expect(test.send(.resetDevicePropValue, 0x500F).response == .ok)
        #expect(test.send(.getDevicePropValue, 0x500F).data?.bytes == [0x90, 1])
    }
}
