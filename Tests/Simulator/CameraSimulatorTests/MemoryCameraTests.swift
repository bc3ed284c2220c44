import Testing

@testable import CameraSimulator

/// Tests of cameras that transfer photos from their memory.
@Suite struct MemoryCameraTests {
    private static let memory: UInt32 = 0xFFFF_C001

    /// Returns the value of a Sony's 16-bit property in the reply with all properties.
    private func sony(_ code: UInt16, _ test: inout TestCamera) -> UInt16? {
        let bytes = test.send(.sonyGetAllProperties).data?.bytes ?? []
        for at in 8..<max(8, bytes.count - 9)
        where TestCamera.half(bytes, at) == code && TestCamera.half(bytes, at + 2) == 4 {
            return TestCamera.half(bytes, at + 8)
        }
        return nil
    }

    @Test func `a Sony announces photos before they are readable, in order`() throws {
        var test = TestCamera(.sony, recording: .pair)
        var counts = [sony(0xD215, &test)]
        try test.shoot()
        let events = test.camera.drainEvents()
        #expect(
            events == [
                .event(code: 0xC201, parameters: [Self.memory]), .event(code: 0xC203, parameters: [0xD213]),
                .event(code: 0xC203, parameters: [0xD215]),
            ])
        for _ in 0..<2 { counts.append(sony(0xD215, &test)) }
        #expect(counts == [0, 2, 0x8002])
        for left: UInt16 in [0x8001, 0] {
            let reply = test.send(.getObject, Self.memory)
            let delivery = try #require(reply.delivery)
            let isComplete = test.camera.recordDelivery(delivery)
            let count = sony(0xD215, &test)
            #expect(isComplete && count == left)
        }
        #expect(test.camera.statistics.crashes == 0)
        #expect(test.camera.isEveryShotFetched)
    }

    @Test(arguments: [PTPOperation.getObjectInfo, .getObject])
    func `a Sony crashes when a client reads too early`(operation: PTPOperation) throws {
        var test = TestCamera(.sony)
        try test.shoot()
        #expect(test.send(operation, Self.memory).linkFault == .linkDown(milliseconds: 2_000))
        #expect(test.camera.statistics.crashes == 1)
        #expect(!test.camera.isSessionOpen)
    }

    @Test(arguments: [("host", 0, 1), ("card", 1, 0), ("card+host", 1, 1)] as [(String, Int, UInt16)])
    func `a Sony stores photos according to its destination`(
        destination: String, onCard: Int, inMemory: UInt16
    ) throws {
        var test = TestCamera(.sony)
        let isOffered = test.camera.setCaptureTarget(destination)
        #expect(isOffered)
        try test.shoot()
        let count = sony(0xD215, &test)
        #expect(count == inMemory)
        test.camera.handleLinkClosed()
        #expect(test.camera.card.files.map(\.handle).count == onCard)
        #expect(test.camera.statistics.lost == 1 - onCard)
    }

    @Test func `a Sony lists no card and requires priority for settings`() {
        var test = TestCamera(.sony)
        #expect(TestCamera.words(test.send(.getStorageIDs)) == [])
        #expect(TestCamera.words(test.send(.getObjectHandles, TestCamera.allObjects)) == [])
        #expect(test.send(.sonySetProperty, 0xD222, data: [17, 0]).response == .accessDenied)
        #expect(test.send(.sonySetProperty, 0xD25A, data: [1]).response == .ok)
        #expect(test.send(.sonySetProperty, 0xD222, data: [17, 0]).response == .ok)
        #expect(test.send(.sonySetProperty, 0xD222, data: []).response == .invalidDataset)
        #expect(test.camera.captureTarget == "card+host")
    }

    @Test func `a Sony takes one photo for each press`() {
        var test = TestCamera(.sony)
        for value: UInt8 in [2, 2, 1, 2, 1] { test.send(.sonyControl, 0xD2C2, data: [value, 0]) }
        #expect(test.camera.statistics.shots == 2)
    }

    @Test func `only the controlling side can release a Fujifilm's shutter`()
        throws
    {
        var test = TestCamera(.fuji)
        test.send(.setDevicePropValue, 0xD208, data: [4, 3])
        #expect(test.send(.initiateCapture).response == .accessDenied)
        try test.camera.pressShutter(at: TestCamera.noon)
        test.send(.setDevicePropValue, 0xD207, data: [2, 0])
        #expect(throws: SimulatorError.bodyLocked) { try test.camera.pressShutter(at: TestCamera.noon) }
        #expect(test.send(.initiateCapture).response == .ok)
        #expect(test.camera.statistics.shots == 2)
        // Focuses without a shot.
        test.send(.setDevicePropValue, 0xD208, data: [0, 2])
        test.send(.initiateCapture)
        #expect(test.camera.statistics.shots == 2)
        test.camera.handleLinkClosed()
        try test.camera.pressShutter(at: TestCamera.noon)
        let events = test.camera.drainEvents()
        #expect(events.isEmpty)
    }

    @Test func `a Fujifilm with full memory refuses shots until a client deletes photos`() throws {
        var test = TestCamera(.fuji, photoBytes: 10_000, recording: .pair)
        test.camera.bufferShots = 2
        #expect(test.camera.lamp == .off)
        let first = try test.shoot()
        #expect(test.camera.lamp == .blinking)
        try test.shoot()
        #expect(test.camera.lamp == .full)
        #expect(throws: SimulatorError.cardFull) { try test.camera.pressShutter(at: TestCamera.noon) }
        // Deleting a raw file without its JPEG frees no space.
        test.send(.deleteObject, first[0])
        #expect(test.camera.lamp == .full)
        test.send(.deleteObject, first[1])
        #expect(test.camera.lamp == .blinking)
        try test.camera.pressShutter(at: TestCamera.noon)
    }

    @Test func `file names of a Fujifilm restart with each session`() throws {
        var test = TestCamera(.fuji)
        try test.shoot(2)
        test.camera.handleLinkClosed()
        test.send(.openSession, 1)
        try test.shoot()
        let names = test.camera.card.files.map(\.name.string)
        #expect(Array(names) == ["DSCF0001.JPG", "DSCF0002.JPG", "DSCF0001.JPG"])
    }
}
