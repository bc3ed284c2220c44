import Testing

@testable import GPhoto2

@Suite struct PTPDialogueTests {
    @Test func `counts requests with operation and first parameter`() {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1008, 7)
        #expect(link.dialogue.requests == 1)
        #expect(link.dialogue.request.operation == 0x1008)
        #expect(link.dialogue.request.parameters.0 == 7)
        #expect(link.dialogue.responseCode == 0)
        _ = link.reply([1, 2, 3, 4])
        #expect(link.dialogue.responseCode == 0x2001)
    }

    @Test func `replaces the handle of an unconfirmed DeleteObject with zero`() {
        var link = ScriptedNetworkLink()
        #expect(link.request(0x100B, 0xFFFF_FFFF, 0)[18..<22].elementsEqual([0, 0, 0, 0]))
        #expect(link.request(0x100B, 5, 0)[18..<22].elementsEqual([0, 0, 0, 0]))
        link.dialogue.deletable = 5
        #expect(link.request(0x100B, 5, 0)[18..<22].elementsEqual([5, 0, 0, 0]))
        #expect(link.request(0x100B, 6, 0)[18..<22].elementsEqual([0, 0, 0, 0]))
        link.dialogue.deletable = UInt32.max
        #expect(link.request(0x100B, 0xFFFF_FFFF, 0)[18..<22].elementsEqual([0, 0, 0, 0]))
    }

    @Test func `hides a data length of 4 GiB or more from the driver`() {
        for total in [1 << 32, (1 << 32) + 1_048_576, 5 << 30] as [UInt64] {
            var link = ScriptedNetworkLink()
            _ = link.request(0x1009, 7)
            let start = link.receive(9, PacketWriter(.u32(1), .u64(total)).bytes)
            #expect(start.body[4..<8].allSatisfy { $0 == 0 })
            #expect(link.dialogue.tooLong == 1)
        }
        var link = ScriptedNetworkLink()
        _ = link.request(0x1009, 7)
        let start = link.receive(9, PacketWriter(.u32(1), .u64(0xFFFF_FFFF)).bytes)
        #expect(start.body[4..<8].allSatisfy { $0 == 0xFF } && link.dialogue.tooLong == 0)
    }

    @Test(
        arguments: [(0x101B, [7, 0, 100, 0], 2), (0x95C1, [7, 0, 1, 100], 3)] as [(UInt16, [UInt32], Int)])
    func `hides a response that is longer than the requested part`(
        operation: UInt16, parameters: [UInt32], place: Int
    ) {
        for (count, isLetIn) in [(100, true), (101, false)] {
            var link = ScriptedNetworkLink()
            _ = link.request(operation, parameters[0], parameters[1], parameters[2], parameters[3])
            let start = link.receive(9, PacketWriter(.u32(1), .u64(UInt64(count))).bytes)
            #expect((start.body[4] == UInt8(count)) == isLetIn)
            #expect((link.dialogue.oversized == 0) == isLetIn)
        }
    }

    @Test func `recognizes an exchange only after a request, its data and its response`() {
        var link = ScriptedNetworkLink()
        #expect(!link.dialogue.hasSeenExchange)
        _ = link.request(0x1002, 1)
        #expect(!link.dialogue.hasSeenExchange)
        // A library may log only requests in the known format, but not data and responses.
        _ = link.request(0x1001)
        #expect(!link.dialogue.hasSeenExchange)
        _ = link.reply([1, 2, 3, 4])
        #expect(link.dialogue.hasSeenExchange)
    }

    @Test func `responses without requests are not an exchange`() {
        var link = ScriptedNetworkLink()
        _ = link.reply([1, 2, 3, 4])
        #expect(!link.dialogue.hasSeenExchange)
    }

    @Test func `counts a response with another transaction as stray`() {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1009, 7)
        _ = link.reply([1, 2, 3, 4])
        #expect(link.dialogue.strays == 0)
        _ = link.request(0x1009, 8)
        _ = link.reply([1, 2, 3, 4], transaction: 1)
        #expect(link.dialogue.strays == 1)
    }

    @Test func `counts an oversized partial read and hides its data`() {
        var link = ScriptedNetworkLink()
        _ = link.request(0x101B, 7, 0, 16)
        #expect(link.reply([UInt8](repeating: 1, count: 16)).total == 16)
        #expect(link.dialogue.oversized == 0)
        _ = link.request(0x101B, 7, 16, 16)
        #expect(link.reply([UInt8](repeating: 1, count: 17)).total == 0)
        #expect(link.dialogue.oversized == 1)
    }

    @Test(arguments: [
        (handle: UInt32(0xFFFF_C001), came: 8, told: UInt16(0x2007)), (0xFFFF_C001, 0, 0x2007),
        (0xFFFF_C001, 16, 0x2001), (0xFFFF_C001, 17, 0x2001), (0xFFFF_0001, 15, 0x2007), (7, 8, 0x2001),
    ])
    func `reports an error for a memory photo shorter than announced`(
        handle: UInt32, came: Int, told: UInt16
    ) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1008, handle)
        // The storage, format, protection and size, without name and times.
        let head = PacketWriter(.u32(0), .u16(0x3801), .u16(0), .u32(16)).bytes
        _ = link.reply(head + [UInt8](repeating: 0, count: 40) + [0, 0, 0])
        _ = link.request(0x1009, handle)
        #expect(link.reply([UInt8](repeating: 1, count: came)).response == told)
    }

    /// An ILCE-6400 sent information without data about a photo in its memory (libgphoto2 issue 1058).
    @Test(arguments: [
        (handle: UInt32(0xFFFF_C001), bytes: 0, seen: UInt16(0x2007)), (0xFFFF_C001, 51, 0x2007),
        (0xFFFF_C001, 56, 0x2001), (0xFFFF_0001, 0, 0x2007), (7, 0, 0x2001),
    ])
    func `reports an error for truncated information about a memory photo`(
        handle: UInt32, bytes: Int, seen: UInt16
    ) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1008, handle)
        #expect(link.reply([UInt8](repeating: 0, count: bytes)).response == seen)
        // The camera's own errors stay unchanged.
        _ = link.request(0x1008, handle)
        #expect(link.reply([], code: 0x2009).response == 0x2009)
    }

    @Test(arguments: [0x1009, 0x100A, 0x101B] as [UInt16])
    func `records the handle of a requested object or thumbnail`(operation: UInt16) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1008, 6)
        #expect(link.dialogue.readObject == nil)
        _ = link.request(operation, 7)
        #expect(link.dialogue.readObject == 7)
    }

    /// The response of SDIO_GetExtDeviceInfo contains a version and one or two arrays.
    @Test(
        arguments: [
            ([0xC201, 0x9207, 0xD2C1], nil, [0x9207]),
            ([0xC201, 0xD222], [0xD2C1, 0x9207], [0x9207]),
            ([0x9205], [0x9207, 0x920A], [0x9205, 0x9207, 0x920A]),
            ([], [0x9207], [0x9207]), ([0x9207], [], [0x9207]),
            ([0xC201], [0xD2C1], []), ([], nil, []),
        ] as [([UInt16], [UInt16]?, Set<UInt16>)])
    func `reads operations from both arrays of a Sony`(
        first: [UInt16], second: [UInt16]?, operations: Set<UInt16>
    ) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x9202, 0xC8)
        _ = link.reply(PacketWriter(.u16(0xC8)).bytes + codeArray(first) + (second.map(codeArray) ?? []))
        #expect(link.dialogue.operations == operations)
    }

    @Test(
        arguments: [
            (0, 0, false), (3, 3, false), (0x8002, 2, true), (0x8000, 0, false), (0xFFFB, 0, false),
        ] as [(UInt16, Int, Bool)])
    func `counts photos in a Sony's memory from its property table`(
        value: UInt16, count: Int, isReady: Bool
    ) {
        var link = ScriptedNetworkLink()
        #expect(link.dialogue.photosInMemory == nil)
        _ = link.request(0x9209)
        // An 8-bit property, then ObjectInMemory: code, type, two bytes, default value, current value, form.
        _ = link.reply(
            PacketWriter(
                .u32(2), .u32(0), .u16(0xD213), .u16(2), .raw([1, 0, 1, 1, 0]), .u16(0xD215), .u16(4),
                .raw([1, 0]), .u16(0), .u16(value), .raw([0])
            ).bytes)
        #expect(link.dialogue.photosInMemory == count && link.dialogue.isPhotoReady == isReady)
        // A truncated response does not change the count.
        _ = link.request(0x9209)
        _ = link.reply(PacketWriter(.u32(1), .u32(0), .u16(0xD215), .u16(4), .raw([1])).bytes)
        #expect(link.dialogue.photosInMemory == count)
    }

    /// Over USB, the driver reads the first 1,012 bytes of the table separately. The order of the properties
    /// is that of an A7R III, which sends ObjectInMemory after the long list of ISO values.
    @Test(arguments: [4, 9] + Array(1_004...1_020))
    func `counts photos in a Sony's memory from a property table in several packets`(packet: Int) {
        var link = ScriptedNetworkLink()
        let others = [UInt8](repeating: 0, count: 1_007)
        func table(_ value: UInt16) -> [UInt8] {
            others
                + PacketWriter(
                    .u16(0xD215), .u16(4), .raw([1, 0]), .u16(0), .u16(value), .raw(others)
                ).bytes
        }
        _ = link.request(0x9209)
        let seen = link.reply(table(0x8002), packet: packet)
        #expect(seen.data == table(0x8002))
        #expect(link.dialogue.photosInMemory == 2 && link.dialogue.isPhotoReady)
        _ = link.request(0x9209)
        _ = link.reply(table(1), packet: packet)
        #expect(link.dialogue.photosInMemory == 1 && !link.dialogue.isPhotoReady)
    }

    /// Passes operations that change a Sony's setting, and their responses, through a link. Each property
    /// table contains ObjectInMemory.
    ///
    /// - Returns: The response codes as the driver sees them.
    private static func responses(
        to operations: [UInt16], objectInMemory: UInt16, in link: inout ScriptedNetworkLink
    ) -> [UInt16] {
        let table = PacketWriter(
            .u32(1), .u32(0), .u16(0xD215), .u16(4), .raw([1, 0]), .u16(0), .u16(objectInMemory), .raw([0])
        ).bytes
        return operations.map { operation in
            _ = link.request(operation)
            return link.reply(operation == 0x9209 ? table : []).response
        }
    }

    /// Operation 0x9207 requests a step. An ObjectInMemory of 0x8001 means that a photo can be read.
    @Test(
        arguments: [
            ([0x9209, 0x9207, 0x9209], 0x8001, [0x2001, 0x2001, 0x2019]),
            // The driver tries another method for the setting.
            ([0x9207, 0x9209, 0x9209, 0x9205], 0x8001, [0x2001, 0x2019, 0x2001, 0x2001]),
            ([0x9207, 0x9209], 1, [0x2001, 0x2001]),
            ([0x9205, 0x9209], 0x8001, [0x2001, 0x2001]),
        ] as [([UInt16], UInt16, [UInt16])])
    func `interrupts a setting change after a step if a photo waits`(
        operations: [UInt16], objectInMemory: UInt16, responses: [UInt16]
    ) {
        var link = ScriptedNetworkLink()
        link.dialogue.steppedChange = SteppedChange()
        let seen = Self.responses(to: operations, objectInMemory: objectInMemory, in: &link)
        #expect(seen == responses)
        #expect(link.dialogue.steppedChange?.isInterrupted == responses.contains(0x2019))
    }

    @Test func `never interrupts the driver outside a change of a setting`() {
        var link = ScriptedNetworkLink()
        let seen = Self.responses(to: [0x9207, 0x9209], objectInMemory: 0x8001, in: &link)
        #expect(seen == [0x2001, 0x2001])
    }

    @Test func `ignores Sony arrays that are longer than the response`() {
        for cut in 0..<24 {
            var link = ScriptedNetworkLink()
            _ = link.request(0x9202, 0xC8)
            let whole = PacketWriter(
                .u16(0xC8), .u32(2), .u16(0xC201), .u16(0x9205), .u32(900), .u16(0x9207), .u16(0x9208)
            ).bytes
            _ = link.reply(Array(whole.prefix(cut)))
            #expect(link.dialogue.operations.isSubset(of: [0x9205, 0x9207, 0x9208]))
        }
    }

    @Test func `assembles network packets from parts of any size`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [2]
        _ = link.request(0x1007, 1, 0, 0)
        #expect(link.reply(handleArray([1, 2, 3]), part: 5).data == handleArray([1, 1, 3]))
    }

    @Test func `starts a new packet after an interrupted packet`() {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1007, 1, 0, 0)
        var framing = NetworkFraming()
        var header = PacketWriter(.u32(1_000), .u32(10)).bytes
        header.withUnsafeMutableBytes { framing.header($0, to: link.dialogue) }
        var next = PacketWriter(.u32(14), .u32(7)).bytes
        next.withUnsafeMutableBytes { framing.header($0, to: link.dialogue) }
        var body = PacketWriter(.u16(0x2019), .u32(1)).bytes
        body.withUnsafeMutableBytes { framing.body($0, to: &link.dialogue) }
        #expect(link.dialogue.responseCode == 0x2019)
    }
}
