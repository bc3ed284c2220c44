import Testing

@testable import CameraSimulator

@Suite struct DialectTests {
    /// Returns the types and contents of the records in an EOS's reply to GetEvent.
    private func records(_ reply: PTPReply) -> [(type: UInt32, content: [UInt8])] {
        let bytes = reply.data?.bytes ?? []
        var found: [(UInt32, [UInt8])] = []
        var at = 0
        while at + 8 <= bytes.count {
            let size = Int(TestCamera.word(bytes, at))
            guard size >= 8, at + size <= bytes.count else { break }
            found.append((TestCamera.word(bytes, at + 4), Array(bytes[at + 8..<at + size])))
            at += size
        }
        return found
    }

    @Test func `an EOS reports all properties once, then only the end record`() {
        var test = TestCamera(.canon)
        test.send(.canonSetRemoteMode, 1)
        test.send(.canonSetEventMode, 1)
        let first = records(test.send(.canonGetEvent))
        let properties = first.filter { $0.type == 0xC189 }.map { TestCamera.word($0.content, 0) }
        #expect(properties.contains(0xD11C))
        #expect(properties.contains(0xD1B0))
        #expect(first.last?.type == 0)
        #expect(records(test.send(.canonGetEvent)).map(\.type) == [0])
    }

    @Test func `an EOS announces a photo with its name, size and folder`() throws {
        var test = TestCamera(.canon)
        test.send(.canonSetEventMode, 1)
        test.send(.canonGetEvent)
        let handle = try #require(try test.shoot().first)
        let added = records(test.send(.canonGetEvent)).filter { $0.type == 0xC181 }
        let photo = try #require(added.last?.content)
        #expect(TestCamera.word(photo, 0) == handle)
        #expect(TestCamera.word(photo, 4) == Card.storageID)
        #expect(TestCamera.word(photo, 20) == 40_000)
        #expect(TestCamera.word(photo, 24) == 2)
        #expect(String(decoding: photo[32...].prefix { $0 != 0 }, as: UTF8.self) == "IMG_0001.JPG")
    }

    @Test func `an EOS with host as destination removes a transferred photo`() throws {
        var test = TestCamera(.canon)
        test.send(.canonSetEventMode, 1)
        test.send(.canonSetDevicePropValueEx, data: [12, 0, 0, 0, 0x1C, 0xD1, 0, 0, 4, 0, 0, 0])
        test.send(.canonGetEvent)
        let handle = try #require(try test.shoot().first)
        #expect(records(test.send(.canonGetEvent)).map(\.type).contains(0xC186))
        #expect(TestCamera.words(test.send(.getObjectHandles, TestCamera.allObjects)) == [])
        #expect(test.send(.canonGetPartialObject, handle, 0, 100).data?.count == 100)
        #expect(!test.camera.isEveryShotFetched)
        test.send(.canonTransferComplete, handle)
        #expect(test.send(.getObjectInfo, handle).response == .invalidObjectHandle)
        #expect(test.camera.isEveryShotFetched)
    }

    @Test func `photos in memory are lost when the link closes, and later photos are on the card`() throws {
        var test = TestCamera(.nikon)
        test.send(.setDevicePropValue, 0xD10B, data: [1])
        try test.shoot()
        test.camera.handleLinkClosed()
        #expect(test.camera.statistics.lost == 1)
        try test.shoot()
        test.send(.openSession, 1)
        #expect(TestCamera.words(test.send(.getObjectHandles, TestCamera.allObjects)).count == 3)
    }

    @Test func `a Nikon returns polled events and a memory handle`() throws {
        var test = TestCamera(.nikon)
        test.send(.nikonCapture, 0xFFFF_FFFF, 1)
        let events = test.send(.nikonGetEvent).data?.bytes ?? []
        // The events report the photo, the end of the capture, and the number of remaining shots.
        #expect(TestCamera.half(events, 0) == 3)
        #expect(TestCamera.half(events, 2) == 0xC101)
        #expect(TestCamera.word(events, 4) == 0xFFFF_0001)
        #expect(test.send(.getObject, 0xFFFF_0001).data?.count == 40_000)
        #expect(test.send(.deleteObject, 0xFFFF_0001).response == .ok)
        #expect(test.send(.getObject, 0xFFFF_0001).response == .invalidObjectHandle)
        #expect(test.send(.nikonGetEvent).data?.bytes == [0, 0])
    }
}
