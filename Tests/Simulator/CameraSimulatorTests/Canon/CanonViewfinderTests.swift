import Testing

@testable import CameraSimulator

@Suite struct CanonViewfinderTests {
    private static let notReady: UInt16 = 0xA102

    /// Returns the types and contents of the blobs in a frame.
    private func blobs(_ reply: PTPReply) -> [(kind: UInt32, bytes: ArraySlice<UInt8>)] {
        let bytes = reply.data?.bytes ?? []
        var found: [(UInt32, ArraySlice<UInt8>)] = []
        var at = 0
        while at + 8 <= bytes.count {
            let end = at + Int(TestCamera.word(bytes, at))
            guard end > at + 8, end <= bytes.count else { break }
            found.append((TestCamera.word(bytes, at + 4), bytes[at + 8..<end]))
            at = end
        }
        return found
    }

    /// Returns a client with active live view.
    private func liveClient() -> EOSClient {
        var client = EOSClient()
        #expect(client.set(0xD1B1, to: 1) == .ok)
        #expect(client.set(0xD1B0, to: 2) == .ok)
        #expect(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0).response.rawValue == Self.notReady)
        client.now.hostMs += 1_000
        return client
    }

    @Test func `live view returns a new frame at its frame rate`() {
        var client = liveClient()
        let first = blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0))
        #expect(first.map(\.kind) == [3, 1])
        #expect(first.last?.bytes.prefix(2) == [0xFF, 0xD8] && first.last?.bytes.suffix(2) == [0xFF, 0xD9])
        // The client requests a frame before the next frame is available.
        #expect(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0).response.rawValue == Self.notReady)
        client.now.hostMs += 40
        let second = blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0))
        #expect(second.last?.bytes != first.last?.bytes)
        #expect(client.test.camera.canon.liveView.served == 2)
        #expect(client.test.camera.canon.liveView.refused == 2)
    }

    @Test func `the live-view operations change settings and report them`() {
        var client = EOSClient()
        client.send(.canonStartViewfinder)
        #expect(client.poll(EOSRecord.value).map { $0.word(0) } == [0xD1B0, 0xD1B1])
        client.send(.canonEndViewfinder)
        #expect(client.poll(EOSRecord.value).map { $0.word(1) } == [0])
        #expect(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0).response.rawValue == Self.notReady)
    }

    @Test func `movie mode sends frames of another blob type`() {
        var client = liveClient()
        client.send(.canonMovieSwitchOn)
        #expect(blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0)).map(\.kind) == [3, 9])
        client.send(.canonMovieSwitchOff)
        client.now.hostMs += 40
        #expect(blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0)).map(\.kind) == [3, 1])
    }

    @Test func `the lens moves only in live view, one step at a time`() {
        var client = EOSClient()
        #expect(client.send(.canonDriveLens, 1).response == .deviceBusy)
        client = liveClient()
        #expect(client.send(.canonDriveLens, 0x8003).response == .ok)
        #expect(client.send(.canonDriveLens, 1).response == .deviceBusy)
        client.now.hostMs += 100
        #expect(client.send(.canonDriveLens, 1).response == .ok)
        #expect(client.send(.canonDriveLens, 4).response == .invalidParameter)
    }

    @Test func `magnification requires live view`() {
        var client = EOSClient()
        #expect(client.send(.canonZoom, 5).response == .deviceBusy)
        client = liveClient()
        #expect(client.send(.canonZoom, 5).response == .ok)
        #expect(client.send(.canonZoomPosition, 64, 128).response == .ok)
        #expect(client.test.camera.canon.zoomCorner == (64, 128))
    }

    @Test func `an overheated body has no live view until it cools down`() throws {
        var client = liveClient()
        client.poll()
        try client.setHot(true)
        let reported = client.poll(EOSRecord.value)
        #expect(reported.map { $0.word(0) } == [0xD1B0, 0xD1AB])
        #expect(reported.map { $0.word(1) } == [0, 3])
        #expect(client.send(.canonStartViewfinder).response == .deviceBusy)
        try client.setHot(false)
        #expect(client.poll(EOSRecord.value).map { $0.word(0) } == [0xD1AB])
        #expect(client.send(.canonStartViewfinder).response == .ok)
    }

    @Test func `movie recording requires movie mode and live view`() {
        var client = EOSClient()
        #expect(client.set(0xD1B8, to: 4) == .deviceBusy)
        client = liveClient()
        #expect(client.set(0xD1B8, to: 4) == .deviceBusy)
        client.send(.canonMovieSwitchOn)
        #expect(client.set(0xD1B8, to: 4) == .ok)
        client.poll()
        #expect(client.set(0xD1B8, to: 0) == .ok)
        let movie = client.test.camera.card.files.map { ($0.name.string, $0.format, $0.bytes.count) }
        #expect(movie.map(\.0) == ["IMG_0001.MP4"] && movie.map(\.1) == [.movie])
        #expect(!client.poll(0xC181).isEmpty)
        // No movie was being recorded.
        #expect(client.set(0xD1B8, to: 0) == .ok)
        #expect(client.test.camera.card.files.map(\.handle).count == 1)
    }

    @Test func `a frame fault changes one frame only`() throws {
        var client = liveClient()
        client.test.camera.canon.frameFault = .cut
        let cut = blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0))
        #expect(cut.map(\.kind) == [3, 1] && cut.last?.bytes.suffix(2) != [0xFF, 0xD9])
        client.test.camera.canon.frameFault = .missing
        client.now.hostMs += 40
        #expect(blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0)).map(\.kind) == [3])
        client.test.camera.canon.frameFault = .endless
        client.now.hostMs += 40
        let endless = client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0).data?.bytes ?? []
        #expect(endless.prefix(8) == [0, 0, 0, 0, 3, 0, 0, 0])
        client.now.hostMs += 40
        #expect(blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0)).map(\.kind) == [3, 1])
    }

    @Test func `the shutter button on the body works in live view`() throws {
        var client = liveClient()
        try client.test.camera.pressShutter(at: client.now)
        #expect(client.test.camera.statistics.shots == 1)
        #expect(blobs(client.send(.canonGetViewfinderImage, 0x20_0000, 0, 0)).count == 2)
    }
}
