import Testing

@testable import GPhoto2

/// Tests which polled events the driver receives.
@Suite struct PolledEventsTests {
    // MARK: Canon EOS

    private static let end = PacketWriter(.u32(8), .u32(0)).bytes

    private static func record(_ type: UInt32, _ number: UInt32, _ value: UInt32 = 0) -> [UInt8] {
        PacketWriter(.u32(16), .u32(type), .u32(number), .u32(value)).bytes
    }

    /// Returns the types and numbers of the records that the driver reads from a response.
    private func driverReads(
        _ records: [[UInt8]], of link: inout ScriptedNetworkLink, packet: Int = .max
    ) -> [[UInt32]] {
        _ = link.request(0x9116)
        let bytes = link.reply(records.flatMap(\.self) + Self.end, packet: packet).data
        var read: [[UInt32]] = []
        var place = 0
        func word(_ place: Int) -> UInt32 {
            bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        // Parses records like ptp_unpack_CANON_changes.
        while place + 8 < bytes.count, word(place) >= 8, !(word(place) == 8 && word(place + 4) == 0) {
            if word(place + 4) != PTPEvent.canonUnknown { read.append([word(place + 4), word(place + 8)]) }
            place += Int(word(place))
        }
        return read
    }

    @Test(arguments: [Int.max, 16, 32, 64])
    func `polling shows the driver only events about objects and cards`(packet: Int) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        let read = driverReads(
            [
                Self.record(0xC189, 0xD111, 4), Self.record(0xC18A, 0xD102), Self.record(0xC181, 7),
                Self.record(0xC1A5, 8, 0x0A), Self.record(0xC193, 1), Self.record(0xC182, 8),
                Self.record(0xC199, 1),
            ], of: &link, packet: packet)
        #expect(read == [[0xC181, 7], [0xC193, 1], [0xC182, 8]])
        #expect(link.dialogue.polled.waiting == 3)
        #expect(!link.dialogue.polled.isUnclear)
        #expect(link.dialogue.polled.withheld == [0xD111, 0xD102, 0xD103])
    }

    @Test(arguments: [true, false])
    func `driver receives records of new EOS bodies with types that it knows`(isPolling: Bool) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = isPolling
        let read = driverReads(
            [Self.record(0xC1B6, 7), Self.record(0xC189, 0xD108, 3), Self.record(0xC1B8, 8)], of: &link)
        #expect(read == [[0xC1A7, 7], [0xC189, 0xD108], [0xC186, 8]])
        #expect(link.dialogue.polled.waiting == 2)
    }

    @Test func `changes only the type in a record of a new EOS body`() {
        // A record of an EOS R6 Mark III (libgphoto2 issue 1200): handle, format, size and folder, but no
        // name.
        let content = PacketWriter(
            .u32(0x1432_C040), .u32(0xB108), .u32(0), .u32(0x02A6_1CD4), .u32(0), .u32(0x1432_C000), .u32(6),
            .raw([0])
        ).bytes
        func record(_ type: UInt32) -> [UInt8] {
            PacketWriter(.u32(UInt32(8 + content.count)), .u32(type), .raw(content)).bytes
        }
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        _ = link.request(0x9116)
        #expect(link.reply(record(0xC1B8) + Self.end).data == record(0xC186) + Self.end)
    }

    /// A photo in the camera's memory is lost if the driver does not know its record.
    @Test(arguments: 17..<32)
    func `driver receives known types of EOS records that are split between two packets`(packet: Int) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        let read = driverReads(
            [Self.record(0xC193, 1), Self.record(0xC1B6, 7), Self.record(0xC1B8, 8)], of: &link,
            packet: packet)
        #expect(read == [[0xC193, 1], [0xC1A7, 7], [0xC186, 8]])
        #expect(link.dialogue.polled.waiting == 3)
    }

    @Test(arguments: 17..<32)
    func `driver receives the end of the EOS busy status after a split record`(packet: Int) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        let busy = driverReads([Self.record(0xC193, 1), Self.record(0xC18B, 1)], of: &link, packet: packet)
        #expect(busy == [[0xC193, 1], [0xC18B, 1]])
        #expect(driverReads([Self.record(0xC18B, 0)], of: &link) == [[0xC18B, 0]])
    }

    @Test func `an EOS response with only settings looks empty to the driver`() {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        _ = link.request(0x9116)
        let bytes = link.reply(Self.record(0xC189, 0xD111, 4) + Self.record(0xC189, 0xD1AC, 4) + Self.end)
            .data
        #expect(Array(bytes.prefix(8)) == Self.end)
        #expect(link.dialogue.polled.waiting == 0)
    }

    @Test(arguments: [true, false])
    func `keeps the last number of each EOS property until the next session`(isPolling: Bool) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = isPolling
        let short = PacketWriter(.u32(12), .u32(0xC189), .u32(0xD1AC)).bytes
        _ = driverReads(
            [Self.record(0xC189, 0xD1AB, 3), Self.record(0xC189, 0xD111, 4), short], of: &link)
        _ = driverReads(
            [Self.record(0xC189, 0xD1AB, 0x0002_0001), Self.record(0xC18A, 0xD111, 5)], of: &link)
        #expect(link.dialogue.polled.reportedNumbers == [0xD1AB: 0x0002_0001, 0xD111: 4])
        link.dialogue.polled.beginSession()
        #expect(link.dialogue.polled.reportedNumbers == [:])
    }

    @Test func `outside a poll the driver receives all EOS records`() {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        _ = driverReads([Self.record(0xC189, 0xD111, 4)], of: &link)
        link.dialogue.polled.isPolling = false
        let read = driverReads([Self.record(0xC189, 0xD111, 4), Self.record(0xC1A5, 16)], of: &link)
        #expect(read == [[0xC189, 0xD111], [0xC1A5, 16]])
        #expect(link.dialogue.polled.withheld == [])
        // The driver now holds these events and returns them one at a time.
        #expect(link.dialogue.polled.isUnclear)
        link.dialogue.polled.recordPoll(any: false, didPollCamera: true)
        #expect(!link.dialogue.polled.isUnclear)
    }

    @Test
    func `while configuring, records changed EOS settings and hides exposure records`() {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isConfiguring = true
        let read = driverReads(
            [Self.record(0xC189, 0xD103, 4), Self.record(0xC1A5, 8, 0x06), Self.record(0xC18A, 0xD105)],
            of: &link)
        #expect(read == [[0xC189, 0xD103], [0xC18A, 0xD105]])
        #expect(link.dialogue.polled.withheld == [0xD101, 0xD102])
        let changed = link.dialogue.polled.takeChanged()
        let isOnce = link.dialogue.polled.takeChanged().isEmpty
        #expect(changed == [0xD101, 0xD102, 0xD103, 0xD105] && isOnce)
        // A release requires the focus result in these records.
        link.dialogue.polled.isConfiguring = false
        #expect(driverReads([Self.record(0xC1A5, 8, 0x06)], of: &link) == [[0xC1A5, 8]])
    }

    @Test(arguments: [(UInt16(0x4006), true), (0x4006, false), (0xC203, true)])
    func `driver receives changes of watched standard properties only`(
        code: UInt16, isShown: Bool
    ) {
        var link = ScriptedNetworkLink()
        if isShown { link.dialogue.polled.shown = [0x5007] }
        let isHidden = link.dialogue.event(code: code, parameter: 0x5007)
        #expect(isHidden == (code != 0x4006 || !isShown))
        #expect(link.dialogue.polled.takeChanged() == [0x5007])
    }

    @Test(
        arguments: [
            // The EOS becomes busy and free again between two polls.
            ([1, 0], []), ([1], [1]), ([0, 1], [1]), ([0], []), ([1, 0, 1], [1]),
        ] as [([UInt32], [UInt32])])
    func `driver receives the EOS busy status only if it changed`(said: [UInt32], heard: [UInt32]) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        let read = driverReads(said.map { Self.record(0xC18B, $0) }, of: &link)
        #expect(read == heard.map { [0xC18B, $0] })
        let hasCapture = link.dialogue.polled.takeCapture()
        let isOnce = !link.dialogue.polled.takeCapture()
        #expect(hasCapture && isOnce)
        // If the driver received the busy status, the driver also receives the report that the EOS is free
        // again.
        #expect(driverReads([Self.record(0xC18B, 0)], of: &link) == (heard.isEmpty ? [] : [[0xC18B, 0]]))
    }

    @Test(
        arguments: [(0xD108, 3, true), (0xD11C, 4, true), (0xD11B, 99, true), (0xD11B, 100, false)]
            as [(UInt32, UInt32, Bool)])
    func `driver receives EOS settings whose values affect the release`(
        property: UInt32, value: UInt32, isHeard: Bool
    ) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        #expect(driverReads([Self.record(0xC189, property, value)], of: &link).isEmpty != isHeard)
    }

    @Test func `driver receives EOS settings that the camera does not report on request`() {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.isPolling = true
        #expect(driverReads([Self.record(0xC189, 0xD111)], of: &link).isEmpty)
        link.dialogue.polled.markUnanswered(0xD111)
        #expect(link.dialogue.polled.withheld.isEmpty)
        #expect(driverReads([Self.record(0xC189, 0xD111)], of: &link) == [[0xC189, 0xD111]])
    }

    @Test func `leaves split and invalid EOS records unchanged`() {
        for packet in [4, 10, 18, 21] {
            var link = ScriptedNetworkLink()
            link.dialogue.polled.isPolling = true
            let read = driverReads(
                [Self.record(0xC181, 7), Self.record(0xC189, 0xD111), Self.record(0xC181, 8)], of: &link,
                packet: packet)
            #expect(read.filter { $0[0] == 0xC181 } == [[0xC181, 7], [0xC181, 8]])
            #expect(link.dialogue.polled.isUnclear)
        }
        for bytes in [
            [UInt8](repeating: 0, count: 40), [UInt8](repeating: 255, count: 41), [7, 0, 0, 0, 1, 0, 0, 0],
        ] {
            var link = ScriptedNetworkLink()
            link.dialogue.polled.isPolling = true
            _ = link.request(0x9116)
            #expect(link.reply(bytes).data == bytes)
        }
    }

    @Test func `a release makes the event count unknown until an empty poll`() {
        var events = PolledEvents()
        events.recordRelease()
        #expect(events.isUnclear)
        events.recordPoll(any: true, didPollCamera: true)
        #expect(events.isUnclear)
        events.recordPoll(any: false, didPollCamera: true)
        #expect(!events.isUnclear)
    }

    // MARK: Nikon

    private static func nikon(_ codes: [UInt16]) -> [UInt8] {
        codes.reduce(into: PacketWriter(.u16(UInt16(codes.count))).bytes) {
            $0 += PacketWriter(.u16($1), .u32(9)).bytes
        }
    }

    private static func nikonEx(_ events: [(code: UInt16, parameters: [UInt32])]) -> [UInt8] {
        events.reduce(into: PacketWriter(.u16(UInt16(events.count)), .u16(0)).bytes) { bytes, event in
            bytes += PacketWriter(.u16(event.code), .u16(UInt16(event.parameters.count))).bytes
            for parameter in event.parameters { bytes += PacketWriter(.u32(parameter)).bytes }
        }
    }

    @Test
    func `filters Nikon events after the first complete response`() {
        var link = ScriptedNetworkLink()
        let all: [UInt16] = [0x4006, 0x4002, 0x400D, 0xC101, 0x4003, 0xC108]
        let first: [UInt16] = [0x4000, 0x4002, 0x400D, 0xC101, 0x4003, 0xC108]
        for expected in [first, [0x4002, 0xC101, 0x4003, 0xC108]] {
            _ = link.request(0x90C7)
            let bytes = link.reply(Self.nikon(all)).data
            #expect(bytes.count == 2 + 6 * all.count)
            #expect(Array(bytes.prefix(2 + 6 * expected.count)) == Self.nikon(expected))
        }
        #expect(link.dialogue.polled.waiting == 10)
    }

    /// A Z 6II reports changes of 0x501C, and a Z 9 of 0x1D00F. Both refuse to describe the property.
    @Test(
        arguments: [
            (0x500F, 0x4006, [0x500F]), (0x501C, 0x4000, [0x501C]), (0x1_D00F, 0x4000, []),
            (0x1_500F, 0x4000, []),
        ] as [(UInt32, UInt16, Set<UInt16>)])
    func `first response of a Nikon shows only watched properties`(
        property: UInt32, heard: UInt16, changed: Set<UInt16>
    ) {
        var link = ScriptedNetworkLink()
        link.dialogue.polled.shown = [0x500F]
        _ = link.request(0x941C)
        let bytes = link.reply(Self.nikonEx([(0x4006, [property]), (0x4002, [7])])).data
        #expect(bytes == Self.nikonEx([(heard, [property]), (0x4002, [7])]))
        #expect(link.dialogue.polled.waiting == 2)
        #expect(link.dialogue.polled.takeChanged() == changed)
    }

    @Test func `filters events in a Nikon's GetEventEx response`() {
        var link = ScriptedNetworkLink()
        _ = link.request(0x941C)
        _ = link.reply(Self.nikonEx([(0x400D, [])]))
        link.dialogue.handles.quarantined = [5]
        _ = link.request(0x941C)
        let bytes = link.reply(
            Self.nikonEx([
                (0x4006, [1, 2, 3]), (0x4002, [5]), (0x4002, [6]), (0x400D, []), (0x4003, [7, 0]),
            ])
        ).data
        let kept = Self.nikonEx([(0x4002, [6]), (0x4003, [7, 0])])
        #expect(Array(bytes.prefix(kept.count)) == kept)
    }

    @Test func `tolerates truncated Nikon event responses`() {
        let whole = Self.nikonEx([(0x4006, [1, 2, 3]), (0x4002, [5]), (0x400D, [])])
        for operation in [0x90C7, 0x941C] as [UInt16] {
            for count in 0..<whole.count {
                var link = ScriptedNetworkLink()
                for _ in 0..<2 {
                    _ = link.request(operation)
                    #expect(link.reply(Array(whole.prefix(count))).data.count == count)
                }
            }
        }
    }

    // MARK: Events from a separate connection

    @Test(
        arguments: [(0x4006, 0x4000), (0xC203, 0x4000), (0x4002, 0x4002), (0x400D, 0x400D)]
            as [(UInt16, UInt16)])
    func `hides property events from the driver but counts them`(code: UInt16, heard: UInt16) {
        var link = ScriptedNetworkLink()
        let event = link.receive(8, PacketWriter(.u16(code), .u32(0), .u32(0xD215)).bytes)
        #expect(Array(event.body.prefix(2)) == PacketWriter(.u16(heard)).bytes)
        #expect(link.dialogue.polled.waiting == 1)
        // The driver returns each event, even an event with a replaced code.
        link.dialogue.polled.recordPoll(any: true, didPollCamera: false)
        #expect(link.dialogue.polled.waiting == 0)
    }

    // MARK: Own commands

    @Test func `hides KeepDeviceOn of an EOS from the driver`() {
        func deviceInfo(_ codes: UInt16...) -> [UInt8] {
            let head = PacketWriter(.u16(100), .u32(11), .u16(100), .raw([0]), .u16(0)).bytes
            return codes.reduce(into: head + PacketWriter(.u32(UInt32(codes.count))).bytes) {
                $0 += PacketWriter(.u16($1)).bytes
            } + [0, 0, 0, 0]
        }
        var link = ScriptedNetworkLink()
        _ = link.request(0x1001)
        #expect(link.reply(deviceInfo(0x9116, 0x911D)).data == deviceInfo(0x9116, 0x1001))
        #expect(link.dialogue.keepsAwake)
        // On other cameras, this code is a different operation.
        _ = link.request(0x1001)
        #expect(link.reply(deviceInfo(0x9115, 0x911D)).data == deviceInfo(0x9115, 0x911D))
        #expect(!link.dialogue.keepsAwake)
    }

    @Test func `reports an error to the driver after a successful command of FrameFast`() {
        var link = ScriptedNetworkLink()
        link.dialogue.ownCommand = 0x911D
        func answer(to operation: UInt16, _ code: UInt16) -> [UInt8] {
            _ = link.request(operation)
            return Array(link.receive(7, PacketWriter(.u16(code), .u32(1)).bytes).body.prefix(2))
        }
        #expect(answer(to: 0x9116, 0x2001) == PacketWriter(.u16(0x2001)).bytes)
        #expect(answer(to: 0x911D, 0x2001) == PacketWriter(.u16(0x2002)).bytes)
        #expect(link.dialogue.responseCode == 0x2001)
        #expect(answer(to: 0x911D, 0x2019) == PacketWriter(.u16(0x2019)).bytes)
    }
}
