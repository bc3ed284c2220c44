import Testing

@testable import CameraSimulator

@Suite struct CanonRecordTests {
    @Test func `the lengths of display fields depend on the display version`() {
        let fields: [CanonOLC.Field] = [.iso(0x58), .shutterSpeed(0x70), .aperture(0x30)]
        #expect(
            CanonOLC(version: 0x07).content(fields) == [
                23, 0, 0, 0, 0x0E, 0, 0, 0,
                1, 1, 0xA0, 0x10, 0, 0x70,
                1, 1, 0x58, 0x20, 0x30,
                1, 1, 0, 0x58,
            ])
        #expect(
            CanonOLC(version: 0x14).content(fields) == [
                33, 0, 0, 0, 0x0E, 0, 0, 0,
                1, 3, 0, 0xA0, 0, 0x10, 0, 0x70, 0,
                1, 3, 0, 0x58, 0, 0x20, 0, 0x30, 0,
                1, 1, 0, 0x58, 0, 0, 0,
            ])
    }

    @Test(arguments: CameraIdentity.eosDisplayVersions)
    func `a display record starts with its length in every version`(version: UInt32) {
        let fields: [CanonOLC.Field] = [
            .button(4), .shutterSpeed(0x70), .aperture(0x30), .iso(0x58), .focus(2, 0),
        ]
        let content = CanonOLC(version: version).content(fields)
        #expect(TestCamera.word(content, 0) == UInt32(content.count))
        #expect(TestCamera.word(content, 4) == 0x10F)
    }

    @Test func `converts display fields to an event and back`() {
        let fields: [CanonOLC.Field] = [
            .button(4), .shutterSpeed(0x70), .aperture(0x30), .iso(0x58), .focus(2, 0),
        ]
        guard case .event(0xC1A5, let parameters) = CanonOLC.event(fields) else {
            Issue.record("not the display's event")
            return
        }
        #expect(CanonOLC.fields(parameters) == fields)
    }

    @Test func `parses an encoded image format and rejects invalid data`() {
        let pair = CanonImageFormat(.raw, .largeFine)
        var out = ByteWriter()
        pair.write(to: &out)
        #expect(out.bytes.count == 36)
        var reader = ByteReader(out.bytes)
        #expect(CanonImageFormat(from: &reader) == pair)
        let three = [3, 0, 0, 0] + Array(out.bytes.dropFirst(4))
        let short: [UInt8] = [1, 0, 0, 0, 15, 0, 0, 0]
        for broken in [Array(out.bytes.dropLast()), three, short] {
            var reader = ByteReader(broken)
            #expect(CanonImageFormat(from: &reader) == nil)
        }
    }

    @Test func `an empty list is encoded with type and count`() {
        var records = CanonRecords()
        records.add(choicesOf: 0xD101, .list([]))
        #expect(
            records.finished().bytes == [
                20, 0, 0, 0, 0x8A, 0xC1, 0, 0, 1, 0xD1, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
                8, 0, 0, 0, 0, 0, 0, 0,
            ])
    }
}
