import Testing

@testable import CameraSimulator

@Suite struct CanonReleaseTests {
    private static let bulb: UInt32 = 0x0C
    private static let immediately: UInt32 = 1

    /// A client of a body in manual mode with the shutter on bulb.
    private func bulbClient() -> EOSClient {
        var client = EOSClient()
        #expect(client.set(0xD102, to: Self.bulb) == .ok)
        client.poll()
        return client
    }

    @Test func `a half press finds focus and a full press takes a photo`() {
        var client = EOSClient()
        client.ask(.canonRemoteReleaseOn, 1, 0)
        let focus = client.poll(EOSRecord.display)
        #expect(focus.map { $0.content.suffix(2) } == [[0, 1], [1, 1]])
        #expect(client.test.camera.statistics.shots == 0)
        #expect(client.ask(.canonRemoteReleaseOn, 2, 0).response == .ok)
        client.ask(.canonRemoteReleaseOff, 2)
        client.ask(.canonRemoteReleaseOff, 1)
        #expect(client.test.camera.statistics.shots == 1)
        #expect(client.poll(EOSRecord.status).map { $0.word(0) } == [1, 0])
    }

    @Test func `a full press without focus is answered with busy, and the button stays half-way`() {
        var client = EOSClient()
        client.test.camera.canon.autofocus = .fails
        client.ask(.canonRemoteReleaseOn, 1, 0)
        #expect(client.poll(EOSRecord.display).map { $0.content.suffix(2) } == [[0, 1], [2, 2], [2, 0]])
        #expect(client.ask(.canonRemoteReleaseOn, 2, 0).response == .deviceBusy)
        #expect(client.test.camera.canon.button == .half)
        // Without autofocus the same body takes it.
        #expect(client.ask(.canonRemoteReleaseOn, 3, Self.immediately).response == .ok)
        #expect(client.test.camera.statistics.shots == 1)
    }

    @Test func `focus that takes its time is told when it is found, and a full press waits for it`() {
        var client = EOSClient()
        client.test.camera.canon.autofocus = .findsLate
        client.ask(.canonRemoteReleaseOn, 1, 0)
        #expect(client.poll(EOSRecord.display).map { $0.content.suffix(2) } == [[0, 1]])
        #expect(client.ask(.canonRemoteReleaseOn, 2, 0).response == .deviceBusy)
        client.now.hostMs += 1_500
        #expect(client.poll(EOSRecord.display).map { $0.content.suffix(2) } == [[1, 1]])
        #expect(client.poll().isEmpty)
        #expect(client.ask(.canonRemoteReleaseOn, 2, 0).response == .ok)
        client.ask(.canonRemoteReleaseOff, 3)
        client.poll()
        // The next one has to be looked for anew, and can be called off.
        client.ask(.canonAutofocus)
        client.ask(.canonAutofocusCancel)
        client.now.hostMs += 1_500
        #expect(client.poll(EOSRecord.focusResult).isEmpty)
    }

    @Test func `a lens on manual says nothing of focus`() {
        var client = EOSClient()
        #expect(client.set(0xD108, to: 3) == .ok)
        client.poll()
        client.test.camera.canon.autofocus = .fails
        client.ask(.canonRemoteReleaseOn, 1, 0)
        #expect(client.poll().isEmpty)
        #expect(client.ask(.canonRemoteReleaseOn, 2, 0).response == .ok)
    }

    @Test func `a button that hangs takes no second press`() {
        var client = EOSClient()
        #expect(client.ask(.canonRemoteReleaseOn, 3, 0).response == .ok)
        #expect(client.ask(.canonRemoteReleaseOn, 3, 0).response == .deviceBusy)
        client.ask(.canonRemoteReleaseOff, 3)
        #expect(client.test.camera.canon.button == .up)
        #expect(client.ask(.canonRemoteReleaseOn, 3, 0).response == .ok)
    }

    @Test func `in bulb a full press opens the shutter and its release closes it`() {
        var client = bulbClient()
        #expect(client.ask(.canonRemoteReleaseOn, 3, Self.immediately).response == .ok)
        #expect(client.poll(EOSRecord.status).map { $0.word(0) } == [1])
        #expect(client.set(0xD101, to: 0x30) == .deviceBusy)
        client.now.hostMs += 2_500
        #expect(client.poll(EOSRecord.bulb).map { $0.word(0) } == [2])
        #expect(client.poll(EOSRecord.bulb).isEmpty)
        #expect(client.test.camera.statistics.shots == 0)
        client.ask(.canonRemoteReleaseOff, 3)
        #expect(client.test.camera.statistics.shots == 1)
        #expect(client.poll(EOSRecord.status).map { $0.word(0) }.last == 0)
    }

    @Test func `bulb by its own operations needs the bulb setting`() {
        var client = EOSClient()
        #expect(client.ask(.canonBulbStart).response == .generalError)
        #expect(client.ask(.canonBulbEnd).response == .generalError)
        client = bulbClient()
        #expect(client.ask(.canonBulbStart).response == .ok)
        #expect(client.ask(.canonBulbStart).response == .deviceBusy)
        #expect(client.ask(.canonBulbEnd).response == .ok)
        #expect(client.test.camera.statistics.shots == 1)
    }

    @Test func `the B of the mode dial is bulb as well`() {
        var client = EOSClient()
        #expect(client.set(0xD138, to: 4) == .ok)
        #expect(client.ask(.canonBulbStart).response == .ok)
    }

    @Test func `a lost link leaves the shutter open, and the next session closes it`() {
        var client = bulbClient()
        client.ask(.canonBulbStart)
        client.test.camera.handleLinkClosed()
        #expect(client.test.camera.canon.shutter.isOpen)
        client.ask(.openSession, 1)
        client.connect()
        #expect(client.poll(EOSRecord.status).map { $0.word(0) } == [1])
        #expect(client.ask(.canonBulbEnd).response == .ok)
        #expect(client.test.camera.card.files.map(\.handle).count == 1)
    }

    @Test func `autofocus on request tells its result`() {
        var client = EOSClient()
        client.ask(.canonAutofocus)
        #expect(client.poll(EOSRecord.focusResult).map { $0.word(0) } == [1])
        client.test.camera.canon.autofocus = .fails
        client.ask(.canonAutofocus)
        #expect(client.poll(EOSRecord.focusResult).map { $0.word(0) } == [2])
    }

    @Test func `a client's lock is on the body's buttons until it ends`() throws {
        var client = EOSClient()
        client.ask(.canonSetUILock)
        #expect(throws: SimulatorError.bodyLocked) { try client.test.camera.pressShutter(at: client.now) }
        client.ask(.canonResetUILock)
        try client.test.camera.pressShutter(at: client.now)
        client.ask(.canonSetUILock)
        client.test.camera.handleLinkClosed()
        try client.test.camera.pressShutter(at: client.now)
    }
}
