import Testing

@testable import CameraSimulator

@Suite struct CanonReleaseTests {
    private static let bulb: UInt32 = 0x0C
    private static let immediately: UInt32 = 1

    /// Returns a client of a body in manual mode with the shutter speed bulb.
    private func bulbClient() -> EOSClient {
        var client = EOSClient()
        #expect(client.set(0xD102, to: Self.bulb) == .ok)
        client.poll()
        return client
    }

    @Test func `a half press focuses and a full press takes one photo`() {
        var client = EOSClient()
        client.send(.canonRemoteReleaseOn, 1, 0)
        let focus = client.poll(EOSRecord.display)
        #expect(focus.map { $0.content.suffix(2) } == [[0, 1], [1, 1]])
        #expect(client.test.camera.statistics.shots == 0)
        #expect(client.send(.canonRemoteReleaseOn, 2, 0).response == .ok)
        client.send(.canonRemoteReleaseOff, 2)
        client.send(.canonRemoteReleaseOff, 1)
        #expect(client.test.camera.statistics.shots == 1)
        #expect(client.poll(EOSRecord.status).map { $0.word(0) } == [1, 0])
    }

    @Test func `a full press without focus leaves the button half pressed`() {
        var client = EOSClient()
        client.test.camera.canon.autofocus = .fails
        client.send(.canonRemoteReleaseOn, 1, 0)
        #expect(client.poll(EOSRecord.display).map { $0.content.suffix(2) } == [[0, 1], [2, 2], [2, 0]])
        #expect(client.send(.canonRemoteReleaseOn, 2, 0).response == .deviceBusy)
        #expect(client.test.camera.canon.button == .half)
        // The body takes the photo if autofocus is skipped.
        #expect(client.send(.canonRemoteReleaseOn, 3, Self.immediately).response == .ok)
        #expect(client.test.camera.statistics.shots == 1)
    }

    @Test func `late focus is reported and permits the full press`() {
        var client = EOSClient()
        client.test.camera.canon.autofocus = .succeedsLate
        client.send(.canonRemoteReleaseOn, 1, 0)
        #expect(client.poll(EOSRecord.display).map { $0.content.suffix(2) } == [[0, 1]])
        #expect(client.send(.canonRemoteReleaseOn, 2, 0).response == .deviceBusy)
        client.now.hostMs += 1_500
        #expect(client.poll(EOSRecord.display).map { $0.content.suffix(2) } == [[1, 1]])
        #expect(client.poll().isEmpty)
        #expect(client.send(.canonRemoteReleaseOn, 2, 0).response == .ok)
        client.send(.canonRemoteReleaseOff, 3)
        client.poll()
        // The next autofocus searches again, and can be cancelled.
        client.send(.canonAutofocus)
        client.send(.canonAutofocusCancel)
        client.now.hostMs += 1_500
        #expect(client.poll(EOSRecord.focusResult).isEmpty)
    }

    @Test func `a lens in manual focus reports no focus state`() {
        var client = EOSClient()
        #expect(client.set(0xD108, to: 3) == .ok)
        client.poll()
        client.test.camera.canon.autofocus = .fails
        client.send(.canonRemoteReleaseOn, 1, 0)
        #expect(client.poll().isEmpty)
        #expect(client.send(.canonRemoteReleaseOn, 2, 0).response == .ok)
    }

    @Test func `a second press fails while the button is held`() {
        var client = EOSClient()
        #expect(client.send(.canonRemoteReleaseOn, 3, 0).response == .ok)
        #expect(client.send(.canonRemoteReleaseOn, 3, 0).response == .deviceBusy)
        client.send(.canonRemoteReleaseOff, 3)
        #expect(client.test.camera.canon.button == .up)
        #expect(client.send(.canonRemoteReleaseOn, 3, 0).response == .ok)
    }

    @Test func `a bulb exposure lasts from full press to release`() {
        var client = bulbClient()
        #expect(client.send(.canonRemoteReleaseOn, 3, Self.immediately).response == .ok)
        #expect(client.poll(EOSRecord.status).map { $0.word(0) } == [1])
        #expect(client.set(0xD101, to: 0x30) == .deviceBusy)
        client.now.hostMs += 2_500
        #expect(client.poll(EOSRecord.bulb).map { $0.word(0) } == [2])
        #expect(client.poll(EOSRecord.bulb).isEmpty)
        #expect(client.test.camera.statistics.shots == 0)
        client.send(.canonRemoteReleaseOff, 3)
        #expect(client.test.camera.statistics.shots == 1)
        #expect(client.poll(EOSRecord.status).map { $0.word(0) }.last == 0)
    }

    @Test func `the bulb operations require the bulb setting`() {
        var client = EOSClient()
        #expect(client.send(.canonBulbStart).response == .generalError)
        #expect(client.send(.canonBulbEnd).response == .generalError)
        client = bulbClient()
        #expect(client.send(.canonBulbStart).response == .ok)
        #expect(client.send(.canonBulbStart).response == .deviceBusy)
        #expect(client.send(.canonBulbEnd).response == .ok)
        #expect(client.test.camera.statistics.shots == 1)
    }

    @Test func `mode B of the mode dial enables bulb`() {
        var client = EOSClient()
        #expect(client.set(0xD138, to: 4) == .ok)
        #expect(client.send(.canonBulbStart).response == .ok)
    }

    @Test func `a lost link leaves the shutter open for the next session`() {
        var client = bulbClient()
        client.send(.canonBulbStart)
        client.test.camera.handleLinkClosed()
        #expect(client.test.camera.canon.shutter.isOpen)
        client.send(.openSession, 1)
        client.connect()
        #expect(client.poll(EOSRecord.status).map { $0.word(0) } == [1])
        #expect(client.send(.canonBulbEnd).response == .ok)
        #expect(client.test.camera.card.files.map(\.handle).count == 1)
    }

    @Test func `an autofocus request reports its result`() {
        var client = EOSClient()
        client.send(.canonAutofocus)
        #expect(client.poll(EOSRecord.focusResult).map { $0.word(0) } == [1])
        client.test.camera.canon.autofocus = .fails
        client.send(.canonAutofocus)
        #expect(client.poll(EOSRecord.focusResult).map { $0.word(0) } == [2])
    }

    @Test func `a UI lock blocks the body's buttons until the session ends`() throws {
        var client = EOSClient()
        client.send(.canonSetUILock)
        #expect(throws: SimulatorError.bodyLocked) { try client.test.camera.pressShutter(at: client.now) }
        client.send(.canonResetUILock)
        try client.test.camera.pressShutter(at: client.now)
        client.send(.canonSetUILock)
        client.test.camera.handleLinkClosed()
        try client.test.camera.pressShutter(at: client.now)
    }
}
