import FrameFastAPI
import SurfaceTestSupport
import Testing

@testable import APIServer

@Suite struct StatusJSONTests {
    private static func status(cameras: Int, _ change: (inout StatusReply) -> Void = { _ in }) -> StatusReply
    {
        var status = Samples.status
        status.cameras = (0..<cameras).map { number in
            var camera = Samples.camera
            camera.id = CameraID(rawValue: "camera-\(number)")
            camera.name = "[\(number)], \"cameras\":[]"
            return camera
        }
        change(&status)
        return status
    }

    @Test(arguments: [0, 1, 2, 100])
    func `status JSON equals the output of WireCoder, byte for byte`(cameras: Int) throws {
        let json = StatusJSON()
        let status = Self.status(cameras: cameras) { $0.conditions = [Samples.condition] }
        for _ in 0..<2 { #expect(try json.encode(status) == WireCoder.encode(status)) }
        #expect(try json.encode(Samples.status) == WireCoder.encode(Samples.status))
    }

    @Test func `encodes a camera only after a change`() throws {
        let json = StatusJSON()
        for _ in 0..<10 { _ = try json.encode(Self.status(cameras: 100)) }
        #expect(json.encodedCount == 100)
        let changed = Self.status(cameras: 100) {
            $0.cameras[7].state = .downloading
            $0.captures.total += 1
        }
        #expect(try json.encode(changed) == WireCoder.encode(changed))
        #expect(json.encodedCount == 101)
        // The cache drops a camera that is no longer listed.
        _ = try json.encode(Self.status(cameras: 99))
        _ = try json.encode(Self.status(cameras: 100))
        #expect(json.encodedCount == 103)
    }
}
