import Testing

@testable import CameraSimulator

/// The record types in an EOS's reply to GetEvent.
enum EOSRecord {
    static let value: UInt32 = 0xC189
    static let list: UInt32 = 0xC18A
    static let status: UInt32 = 0xC18B
    static let bulb: UInt32 = 0xC194
    static let focusResult: UInt32 = 0xC1A3
    static let display: UInt32 = 0xC1A5
}

@Suite struct CanonSettingTests {
    private static let mode: UInt32 = 0xD138
    private static let shutterPriority: UInt32 = 1

    @Test func `an EOS reports each value before its list`() {
        let test = TestCamera(.canon)
        var client = EOSClient(test)
        client.connect()
        var reported: Set<UInt32> = []
        for record in client.poll() {
            switch record.type {
            case EOSRecord.value: reported.insert(record.word(0))
            case EOSRecord.list: #expect(reported.contains(record.word(0)))
            default: break
            }
        }
        let expected = Set<UInt32>([
            0xD101, 0xD102, 0xD103, 0xD104, 0xD105, 0xD106, 0xD107, 0xD108, 0xD109, 0xD10A, 0xD10B, 0xD10C,
            0xD111, 0xD113, 0xD114, 0xD115, 0xD11B, 0xD11C, 0xD11D, 0xD11E, 0xD120, 0xD138, 0xD17C, 0xD199,
            0xD1AB, 0xD1B0, 0xD1B1, 0xD1B8, 0xD1D9,
        ])
        #expect(reported.isSuperset(of: expected))
    }

    @Test(
        arguments: [
            (0, false, false), (1, false, true), (2, true, false), (3, true, true), (4, true, false),
            (9, false, false), (0x37, true, true),
        ] as [(UInt32, Bool, Bool)])
    func `value lists depend on the mode and may be empty`(mode: UInt32, aperture: Bool, shutter: Bool) {
        var client = EOSClient()
        // Starts in a mode whose aperture list is empty if the new mode's list is not, and vice versa.
        #expect(client.set(Self.mode, to: aperture ? 0 : 3) == .ok)
        client.poll()
        #expect(client.set(Self.mode, to: mode) == .ok)
        let lists = client.poll(EOSRecord.list)
        if let reported = lists.first(where: { $0.word(0) == 0xD101 }) {
            #expect((reported.word(2) > 0) == aperture)
        }
        #expect((client.set(0xD101, to: 0x30) == .ok) == aperture)
        #expect((client.set(0xD102, to: 0x70) == .ok) == shutter)
    }

    @Test func `shutter priority shows an automatic aperture, and manual mode restores the value`() {
        var client = EOSClient()
        #expect(client.set(0xD101, to: 0x30) == .ok)
        client.poll()
        #expect(client.set(Self.mode, to: Self.shutterPriority) == .ok)
        let records = client.poll()
        #expect(records.contains { $0.type == EOSRecord.value && $0.word(0) == 0xD101 && $0.word(1) == 0 })
        #expect(
            records.contains { $0.type == EOSRecord.list && $0.word(0) == 0xD101 && $0.word(2) == 0 })
        #expect(client.set(Self.mode, to: 3) == .ok)
        let back = client.poll(EOSRecord.value)
        #expect(back.contains { $0.word(0) == 0xD101 && $0.word(1) == 0x30 })
    }

    @Test func `reports each change once, with a display record`() {
        var client = EOSClient()
        #expect(client.set(0xD102, to: 0x70) == .ok)
        let records = client.poll()
        #expect(records.map(\.type) == [EOSRecord.value, EOSRecord.display])
        #expect(records[0].content.prefix(8) == [0x02, 0xD1, 0, 0, 0x70, 0, 0, 0])
        #expect(records[1].word(1) == 2)
        #expect(client.set(0xD102, to: 0x70) == .ok)
        #expect(client.poll().isEmpty)
    }

    @Test(
        arguments: [
            (0xD101, 0x31, 0x201C), (0xD138, 5, 0x201C), (0xD111, 1, 0x200F), (0xD199, 8, 0x200F),
            (0xD114, 30, 0x2019), (0xD1FF, 1, 0x200A),
        ] as [(UInt32, UInt32, UInt16)])
    func `refuses an invalid value without an event`(
        code: UInt32, value: UInt32, response: UInt16
    ) {
        var client = EOSClient()
        #expect(client.set(code, to: value).rawValue == response)
        #expect(client.poll().isEmpty)
    }

    @Test func `refuses a truncated data set`() {
        var client = EOSClient()
        let whole: [UInt8] = [12, 0, 0, 0, 0x01, 0xD1, 0, 0, 0x30, 0, 0, 0]
        for count in 0..<whole.count {
            #expect(
                client.send(.canonSetDevicePropValueEx, data: Array(whole.prefix(count))).response
                    == .invalidDataset)
        }
    }

    @Test func `a busy body refuses a setting until it is ready`() {
        var client = EOSClient()
        client.test.camera.canon.busyUntilMs = client.now.hostMs + 500
        #expect(client.set(0xD101, to: 0x30) == .deviceBusy)
        client.now.hostMs += 500
        #expect(client.set(0xD101, to: 0x30) == .ok)
    }

    @Test func `an ignored setting returns OK without an event`() {
        var client = EOSClient()
        client.test.camera.canon.forcedResponses[CanonProperty.aperture] = .ok
        #expect(client.set(0xD101, to: 0x30) == .ok)
        #expect(client.poll().isEmpty)
        #expect(client.test.camera.canon.dials[CanonProperty.aperture] == 0x20)
    }

    @Test func `setting one clock of an EOS changes both clocks`() throws {
        var client = EOSClient()
        let local = UInt32(client.now.cameraSeconds) + 100
        #expect(client.set(0xD113, to: local) == .ok)
        #expect(client.test.camera.clockOffsetSeconds == 100)
        let reported = client.poll(EOSRecord.value)
        #expect(reported.map { $0.word(0) } == [0xD113, 0xD17C])
        #expect(reported.map { $0.word(1) } == [local, UInt32(client.now.hostMs / 1000) + 100])
        #expect(client.set(0xD17C, to: UInt32(client.now.hostMs / 1000)) == .ok)
        #expect(client.test.camera.clockOffsetSeconds == 0)
    }

    @Test func `the owner name is set as text`() {
        var client = EOSClient()
        let name = Array("Ada".utf8) + [0]
        let data: [UInt8] = [12, 0, 0, 0, 0x15, 0xD1, 0, 0] + name
        #expect(client.send(.canonSetDevicePropValueEx, data: data).response == .ok)
        #expect(client.poll(EOSRecord.value).map(\.content) == [[0x15, 0xD1, 0, 0] + name])
    }
}
