import CameraSimulator
import Testing

@Suite struct DialectTests {
    /// The records of an EOS GetEvent answer: type and content.
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

    @Test func `an EOS gives all properties once, then nothing but the end mark`() {
        var test = TestCamera(.canon)
        test.ask(.canonSetRemoteMode, 1)
        test.ask(.canonSetEventMode, 1)
        let first = records(test.ask(.canonGetEvent))
        let properties = first.filter { $0.type == 0xC189 }.map { TestCamera.word($0.content, 0) }
        #expect(properties.contains(0xD11C))
        #expect(properties.contains(0xD1B0))
        #expect(first.last?.type == 0)
        #expect(records(test.ask(.canonGetEvent)).map(\.type) == [0])
    }

    @Test func `an EOS announces a photo on the card with name, size and folder`() throws {
        var test = TestCamera(.canon)
        test.ask(.canonSetEventMode, 1)
        test.ask(.canonGetEvent)
        let handle = try #require(try test.shoot().first)
        let added = records(test.ask(.canonGetEvent)).filter { $0.type == 0xC181 }
        let photo = try #require(added.last?.content)
        #expect(TestCamera.word(photo, 0) == handle)
        #expect(TestCamera.word(photo, 4) == Card.storageID)
        #expect(TestCamera.word(photo, 20) == 40_000)
        #expect(TestCamera.word(photo, 24) == 2)
        #expect(String(decoding: photo[32...].prefix { $0 != 0 }, as: UTF8.self) == "IMG_0001.JPG")
    }

    @Test func `an EOS told to keep nothing hands photos over and forgets them`() throws {
        var test = TestCamera(.canon)
        test.ask(.canonSetEventMode, 1)
        test.ask(.canonSetDevicePropValueEx, data: [12, 0, 0, 0, 0x1C, 0xD1, 0, 0, 4, 0, 0, 0])
        test.ask(.canonGetEvent)
        let handle = try #require(try test.shoot().first)
        #expect(records(test.ask(.canonGetEvent)).map(\.type).contains(0xC186))
        #expect(TestCamera.words(test.ask(.getObjectHandles, TestCamera.everything)) == [])
        #expect(test.ask(.canonGetPartialObject, handle, 0, 100).data?.count == 100)
        #expect(!test.camera.isEveryShotFetched)
        test.ask(.canonTransferComplete, handle)
        #expect(test.ask(.getObjectInfo, handle).response == .invalidObjectHandle)
        #expect(test.camera.isEveryShotFetched)
    }

    @Test func `photos that are only in memory are lost with the link, and the next goes to the card`() throws
    {
        var test = TestCamera(.nikon)
        test.ask(.setDevicePropValue, 0xD10B, data: [1])
        try test.shoot()
        test.camera.handleLinkClosed()
        #expect(test.camera.statistics.lost == 1)
        try test.shoot()
        test.ask(.openSession, 1)
        #expect(TestCamera.words(test.ask(.getObjectHandles, TestCamera.everything)).count == 3)
    }

    @Test func `a Nikon gives its events when asked, and the photo in memory has a handle of its own`() throws
    {
        var test = TestCamera(.nikon)
        test.ask(.nikonCapture, 0xFFFF_FFFF, 1)
        let events = test.ask(.nikonGetEvent).data?.bytes ?? []
        // The photo, the end of the capture, and the shots that are left.
        #expect(TestCamera.half(events, 0) == 3)
        #expect(TestCamera.half(events, 2) == 0xC101)
        #expect(TestCamera.word(events, 4) == 0xFFFF_0001)
        #expect(test.ask(.getObject, 0xFFFF_0001).data?.count == 40_000)
        #expect(test.ask(.deleteObject, 0xFFFF_0001).response == .ok)
        #expect(test.ask(.getObject, 0xFFFF_0001).response == .invalidObjectHandle)
        #expect(test.ask(.nikonGetEvent).data?.bytes == [0, 0])
    }
}
