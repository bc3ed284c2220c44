import Testing

@testable import CameraSimulator

@Suite struct ResponderTests {
    @Test(arguments: [
        (PTPOperation.getDeviceInfo, PTPResponse.ok), (.getStorageIDs, .sessionNotOpen),
        (.getObjectHandles, .sessionNotOpen), (.initiateCapture, .sessionNotOpen),
        (.openSession, .invalidParameter),
    ])
    func `only GetDeviceInfo and OpenSession need no session`(
        operation: PTPOperation, response: PTPResponse
    ) {
        var test = TestCamera(isSessionOpen: false)
        #expect(test.send(operation).response == response)
    }

    @Test func `statistics contain the last shot and count requests`() throws {
        var test = TestCamera()
        let before = test.camera.statistics.requestCount
        #expect(test.camera.statistics.lastShot == nil)
        try test.camera.shoot(at: TestCamera.noon, isOld: true)
        #expect(test.camera.statistics.lastShot == nil)
        try test.camera.shoot(at: TestCamera.noon)
        #expect(test.camera.statistics.lastShot == TestCamera.noon)
        for _ in 0..<3 { test.send(.getStorageIDs) }
        #expect(test.camera.statistics.requestCount == before + 3)
        #expect(test.camera.statistics.requests[PTPOperation.getStorageIDs.code] == 3)
    }

    @Test func `refuses a second session and returns the ID of the open session`() {
        var test = TestCamera()
        let reply = test.send(.openSession, 9)
        #expect(reply.response == .sessionAlreadyOpen)
        #expect(reply.parameters == [1])
    }

    @Test func `an unknown operation is not supported`() {
        var test = TestCamera()
        let reply = test.camera.respond(to: PTPRequest(code: 0x9999), at: TestCamera.noon)
        #expect(reply.response == .operationNotSupported)
    }

    @Test(arguments: [
        (Maker.generic, PTPOperation.canonGetEvent, false), (.canon, .canonGetEvent, true),
        (.nikon, .canonGetEvent, false), (.nikon, .nikonGetEvent, true), (.generic, .nikonGetEvent, false),
        (.canon, .initiateCapture, false), (.nikon, .initiateCapture, true),
        (.generic, .initiateCapture, true),
    ])
    func `each maker offers its own operations`(maker: Maker, operation: PTPOperation, isOffered: Bool) {
        var test = TestCamera(maker)
        #expect((test.send(operation).response != .operationNotSupported) == isOffered)
        let info = test.send(.getDeviceInfo).data?.bytes ?? []
        let code = [UInt8(operation.code & 0xFF), UInt8(operation.code >> 8)]
        #expect(info.indices.dropLast().contains { Array(info[$0...$0 + 1]) == code } == isOffered)
    }

    @Test(arguments: [("Z 6_2", true), ("D3500", false)])
    func `a D3500 supports operations that its DeviceInfo omits`(model: String, isListed: Bool) {
        let identity = CameraIdentity(.nikon, model: model)
        #expect(identity.operations.contains(.nikonStartLiveView) == isListed)
        #expect(identity.operations.contains(.initiateCapture))
        #expect(identity.understands(.nikonStartLiveView))
    }

    @Test func `a camera with 64-bit objects reports sizes and accepts offsets by MTP`() throws {
        var test = TestCamera(isWide: true)
        let handle = try test.shoot()[0]
        let whole = test.send(.getObject, handle).data?.bytes ?? []
        let list = test.send(.mtpGetObjectPropList, handle, 0, Self.allProperties, 0, 0).data?.bytes ?? []
        // Each property has a handle, a code, a type and a value.
        let size = try #require(
            list.indices.dropLast(11).first {
                TestCamera.half(list, $0) == 0xDC04 && TestCamera.half(list, $0 + 2) == 8
            })
        #expect(TestCamera.word(list, size + 4) == UInt32(whole.count))
        #expect(TestCamera.word(list, size + 8) == 0)

        let piece = test.send(.mtpGetPartialObject64, handle, 100, 0, 50)
        #expect(piece.data?.bytes == Array(whole[100..<150]))
        #expect(test.send(.mtpGetPartialObject64, handle, 100, 1, 50).data?.count == 0)
        #expect(
            test.send(.mtpGetObjectPropList, 77, 0, Self.allProperties, 0, 0).response == .invalidObjectHandle
        )
        // A list of a whole tree is refused, as by many devices.
        #expect(
            test.send(.mtpGetObjectPropList, handle, 0, Self.allProperties, 0, 1).response
                == .parameterNotSupported)
    }

    private static let allProperties: UInt32 = 0xFFFF_FFFF

    @Test(arguments: [
        (UInt32(0xFFFF_FFFF), UInt32(0), UInt32(0), 4), (0x0001_0001, 0, 0, 4), (0xFFFF_FFFF, 0x3801, 0, 2),
        (0xFFFF_FFFF, 0xFFFF_FFFF, 0, 2), (0xFFFF_FFFF, 0x3001, 0, 2), (0xFFFF_FFFF, 0, 0xFFFF_FFFF, 1),
        (0xFFFF_FFFF, 0, 1, 1), (0xFFFF_FFFF, 0, 2, 2), (0xFFFF_FFFF, 0xB103, 0, 0),
    ])
    func `handles are selected by storage, format and folder`(
        storage: UInt32, format: UInt32, parent: UInt32, count: Int
    ) throws {
        var test = TestCamera()
        try test.shoot(2)
        #expect(TestCamera.words(test.send(.getObjectHandles, storage, format, parent)).count == count)
        #expect(test.send(.getNumObjects, storage, format, parent).parameters == [UInt32(count)])
    }

    @Test(arguments: [
        (UInt32(0x0002_0001), UInt32(0), PTPResponse.invalidStorageID),
        (0xFFFF_FFFF, 99, .invalidObjectHandle),
        (0xFFFF_FFFF, 3, .invalidParentObject),
    ])
    func `refuses to list handles of an unknown storage or folder`(
        storage: UInt32, parent: UInt32, response: PTPResponse
    )
        throws
    {
        var test = TestCamera()
        try test.shoot()
        #expect(test.send(.getObjectHandles, storage, 0, parent).response == response)
    }

    @Test func `counts an object as fetched after its last byte`() throws {
        var test = TestCamera(photoBytes: 100_000)
        let handle = try #require(try test.shoot().first)
        let whole = try #require(test.send(.getObject, handle).data).bytes
        #expect(whole.count == 100_000)
        var parts: [UInt8] = []
        while true {
            let reply = test.send(.getPartialObject, handle, UInt32(parts.count), 30_000)
            let part = reply.data?.bytes ?? []
            #expect(reply.parameters == [UInt32(part.count)])
            guard !part.isEmpty else { break }
            parts += part
            #expect(!test.camera.isEveryShotFetched)
            if let delivery = reply.delivery { _ = test.camera.recordDelivery(delivery) }
        }
        #expect(parts == whole)
        #expect(test.camera.isEveryShotFetched)
    }

    @Test func `deleting an object frees its space on the card`() throws {
        var test = TestCamera()
        let handle = try #require(try test.shoot().first)
        let free = test.camera.card.freeBytes
        #expect(test.send(.deleteObject, handle).response == .ok)
        #expect(test.camera.card.freeBytes == free + 40_000)
        #expect(test.send(.getObjectInfo, handle).response == .invalidObjectHandle)
        #expect(test.send(.deleteObject, handle).response == .invalidObjectHandle)
    }

    @Test func `refuses a shot and reports a full card`() throws {
        var test = TestCamera(cardBytes: 100_000)
        #expect(test.send(.initiateCapture).response == .ok)
        #expect(test.send(.initiateCapture).response == .ok)
        #expect(test.send(.initiateCapture).response == .storeFull)
        #expect(test.camera.drainEvents().contains(.event(code: 0x400A, parameters: [Card.storageID])))
        let info = try #require(test.send(.getStorageInfo, Card.storageID).data).bytes
        #expect(TestCamera.word(info, 14) == 20_000)
        #expect(TestCamera.word(info, 22) == 0)
    }

    @Test func `photos carry the time of the clock that a client set`() throws {
        var test = TestCamera()
        var text: [UInt8] = [16]
        for unit in "20010203T040506".utf16 + [0] { text += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        #expect(test.send(.setDevicePropValue, 0x5011, data: text).response == .ok)
        #expect(test.send(.getDevicePropValue, 0x5011).data?.bytes == text)
        let photo = try test.camera.shoot(at: TestCamera.noon)
        #expect(photo.first?.time.ptp == "20010203T040506")
    }

    @Test func `the battery level is read-only`() {
        var test = TestCamera()
        test.camera.setBattery(42)
        #expect(test.send(.getDevicePropValue, 0x5001).data?.bytes == [42])
        #expect(test.camera.drainEvents() == [.event(code: 0x4006, parameters: [0x5001])])
        #expect(test.send(.setDevicePropValue, 0x5001, data: [99]).response == .accessDenied)
    }

    @Test func `a shot announces its files and new folders`() throws {
        var test = TestCamera(recording: .pair)
        try test.shoot()
        let added = test.camera.drainEvents().map { event -> UInt32 in
            guard case .event(let code, let parameters) = event else { return 0 }
            return code == 0x4002 ? parameters[0] : UInt32(code)
        }
        #expect(added == [1, 2, 3, 4, 0x400D])
    }

    @Test func `sends no events for photos taken without a client`() throws {
        var test = TestCamera()
        test.camera.handleLinkClosed()
        try test.shoot()
        #expect(test.camera.drainEvents() == [])
        test.send(.openSession, 2)
        #expect(test.camera.drainEvents() == [])
        #expect(TestCamera.words(test.send(.getObjectHandles, TestCamera.allObjects)).count == 3)
    }
}
