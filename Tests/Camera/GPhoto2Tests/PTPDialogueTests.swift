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

    @Test func `reads supported operations from DeviceInfo`() {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1001)
        let description = PacketWriter(.raw([3]), .u16(0x61), .u16(0x62), .u16(0)).bytes
        let operations = PacketWriter(.u32(2), .u16(0x100E), .u16(0x100B)).bytes
        let head = PacketWriter(.u16(100), .u32(6), .u16(100), .raw(description), .u16(0)).bytes
        _ = link.reply(head + operations + [0, 0, 0, 0])
        #expect(link.dialogue.operations == [0x100E, 0x100B])
    }

    /// The lists of operations are those of a DC-GH5 (0x9404) and an OM-1 (0x9481, 0x9486). They contain no
    /// InitiateCapture. On a Nikon, 0x9404 is another operation.
    @Test(
        arguments: [
            (0x1C, [0x9404], "2.5.30", false), (0x1C, [0x9404], "2.5.30.1", false),
            (0x1C, [0x9404], "2.5.31", true), (0x1C, [0x9404], "2.6", true),
            (0x1C, [0x9402], "2.5.34", false), (0x0A, [0x9404], "2.5.34", false),
            (0, [0x9481, 0x9486], "2.5.31.1", false), (0, [0x9481, 0x9486], "2.5.32", true),
            (0, [0x9481], "2.5.34", false),
            (6, [0x100E], "2.5.30", true), (6, [0x1009], "2.5.34", false),
        ] as [(UInt32, [UInt16], String, Bool)])
    func `the release of a Panasonic or Olympus depends on the library's version`(
        vendor: UInt32, operations: [UInt16], library: String, canTrigger: Bool
    ) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1001)
        let head = PacketWriter(.u16(100), .u32(vendor), .u16(100), .raw([0]), .u16(0)).bytes
        let list = operations.reduce(into: PacketWriter(.u32(UInt32(operations.count))).bytes) {
            $0 += PacketWriter(.u16($1)).bytes
        }
        _ = link.reply(head + list + [0, 0, 0, 0])
        #expect(link.dialogue.canTrigger(with: library) == canTrigger)
    }

    @Test func `hides partial transfer operations from the driver in DeviceInfo`() {
        var link = ScriptedNetworkLink()
        link.dialogue.hidesPartialTransfers = true
        _ = link.request(0x1001)
        let head = PacketWriter(.u16(100), .u32(6), .u16(100), .raw([0]), .u16(0)).bytes
        func list(_ codes: UInt16...) -> [UInt8] {
            codes.reduce(into: PacketWriter(.u32(UInt32(codes.count))).bytes) {
                $0 += PacketWriter(.u16($1)).bytes
            }
        }
        let reply = link.reply(head + list(0x1009, 0x101B, 0x9107, 0x100B) + [0, 0, 0, 0])
        #expect(reply.data == head + list(0x1009, 0x1001, 0x1001, 0x100B) + [0, 0, 0, 0])
        #expect(link.dialogue.operations == [0x1009, 0x101B, 0x9107, 0x100B])
    }

    /// The extension id, its description and the manufacturer. The driver replaces Microsoft's id (6) of a
    /// Fujifilm only later.
    @Test(
        arguments: [
            (6, "", "FUJIFILM", true), (6, "fujifilm.co.jp: 1.0; ", "", true), (14, "", "", true),
            (14, "fujifilm.co.jp: 1.0; ", "FUJIFILM", true), (11, "", "Canon Inc.", false),
            (6, "microsoft.com: 1.0;", "Nikon Corporation", false), (6, "", "", false),
        ] as [(UInt32, String, String, Bool)])
    func `hides partial transfer operations of a Fujifilm from the driver`(
        vendorExtension: UInt32, description: String, manufacturer: String, isHidden: Bool
    ) {
        func bytes(_ operations: UInt16...) -> [UInt8] {
            deviceInfoBytes(
                vendorExtension: vendorExtension, description: description, operations: operations,
                manufacturer: manufacturer)
        }
        var link = ScriptedNetworkLink()
        _ = link.request(0x1001)
        let seen = link.reply(bytes(0x1009, 0x101B, 0x100B)).data
        #expect(seen == (isHidden ? bytes(0x1009, 0x1001, 0x100B) : bytes(0x1009, 0x101B, 0x100B)))
        #expect(link.dialogue.isFujifilm == isHidden)
        #expect(link.dialogue.operations == [0x1009, 0x101B, 0x100B])
        // With this property, the worker would reopen the connection.
        #expect(!link.dialogue.hidesPartialTransfers)
    }

    @Test func `tolerates a Fujifilm's DeviceInfo of any length`() {
        let whole = deviceInfoBytes(
            vendorExtension: 6, description: "", operations: [0x1009, 0x101B], manufacturer: "FUJIFILM")
        for count in whole.indices {
            var link = ScriptedNetworkLink()
            _ = link.request(0x1001)
            _ = link.reply(Array(whole.prefix(count)))
            #expect(link.dialogue.responseCode == 0x2001)
        }
    }

    @Test(arguments: [0x1009, 0x100A, 0x101B] as [UInt16])
    func `records the handle of a requested object or thumbnail`(operation: UInt16) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1008, 6)
        #expect(link.dialogue.readObject == nil)
        _ = link.request(operation, 7)
        #expect(link.dialogue.readObject == 7)
    }

    @Test(arguments: [("Canon EOS R5m2", true), ("Canon EOS R5", false), ("", false)])
    func `hides an operation that an R5 Mark II does not complete`(model: String, isHidden: Bool) {
        func list(_ codes: [UInt16]) -> [UInt8] {
            codes.reduce(into: PacketWriter(.u32(UInt32(codes.count))).bytes) {
                $0 += PacketWriter(.u16($1)).bytes
            }
        }
        func text(_ text: String) -> [UInt8] {
            let units: [UInt16] = text.isEmpty ? [] : Array(text.utf16) + [0]
            return units.reduce(into: [UInt8(units.count)]) { $0 += PacketWriter(.u16($1)).bytes }
        }
        func deviceInfo(_ operations: UInt16...) -> [UInt8] {
            let head = PacketWriter(.u16(100), .u32(11), .u16(100), .raw([0]), .u16(0)).bytes
            let lists = [operations, [0xC181], [0x5001, 0xD402], [0x3801], []].flatMap(list)
            return head + lists + text("Canon.Inc") + text(model)
        }
        let whole = deviceInfo(0x1001, 0x9108, 0x9116)
        var link = ScriptedNetworkLink()
        _ = link.request(0x1001)
        #expect(link.reply(whole).data == (isHidden ? deviceInfo(0x1001, 0x1001, 0x9116) : whole))
        #expect(link.dialogue.operations == [0x1001, 0x9108, 0x9116])
    }

    @Test func `tolerates a truncated DeviceInfo`() {
        let head = PacketWriter(.u16(100), .u32(11), .u16(100), .raw([0]), .u16(0)).bytes
        let arrays = PacketWriter(.u32(1), .u16(0x9108), .u32(0), .u32(.max), .u32(0), .u32(0)).bytes
        let texts: [UInt8] = [2, 0x41, 0, 0, 0, 2, 0x42, 0, 0, 0]
        let whole = head + arrays + texts
        for count in 0...whole.count {
            var link = ScriptedNetworkLink()
            _ = link.request(0x1001)
            #expect(link.reply(Array(whole.prefix(count))).data.count == count)
        }
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
        func list(_ codes: [UInt16]) -> [UInt8] {
            codes.reduce(into: PacketWriter(.u32(UInt32(codes.count))).bytes) {
                $0 += PacketWriter(.u16($1)).bytes
            }
        }
        var link = ScriptedNetworkLink()
        _ = link.request(0x9202, 0xC8)
        _ = link.reply(PacketWriter(.u16(0xC8)).bytes + list(first) + (second.map(list) ?? []))
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

    /// The vendor extension id, the manufacturer, the operations and the control. An EOS R6 Mark II and an
    /// X-T30 have the id of Microsoft (6).
    @Test(
        arguments: [
            (6, "FUJIFILM", [0x101C], .openCapture), (6, "FUJIFILM", [], nil),
            (14, "", [0x101C], .openCapture), (6, "Canon.Inc", [0x9153], .viewfinder),
            (0xFFFF_FFFF, "Canon Inc.", [0x900B], .viewfinder),
            (0xFFFF_FFFF, "Nikon Corporation", [0x9201], .viewfinder), (6, "", [0x9201], .viewfinder),
            (0xFFFF_FFFF, "Sony Corporation", [0x9202, 0x9207], .always),
            (0xFFFF_FFFF, "Sony Corporation", [0x9202], nil), (0xFFFF_FFFF, "Google", [0x9201], nil),
            (6, "RICOH IMAGING COMPANY, LTD.", [0x101C, 0x9153], nil),
        ] as [(UInt32, String, [UInt16], LiveViewControl?)])
    func `finds the live view of bodies with the id of Microsoft or MTP`(
        vendorExtension: UInt32, manufacturer: String, operations: [UInt16], control: LiveViewControl?
    ) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1001)
        _ = link.reply(
            deviceInfoBytes(
                vendorExtension: vendorExtension, description: "", operations: operations,
                manufacturer: manufacturer))
        #expect(link.dialogue.liveViewControl == control)
    }

    @Test(
        arguments: [
            (0x0A, true), (0x06, true), (0xFFFF_FFFF, true), (0x0B, false), (0x11, false), (nil, false),
        ] as [(UInt32?, Bool)])
    func `a Nikon may have the vendor extension of Nikon, Microsoft or MTP`(id: UInt32?, isPossible: Bool) {
        #expect(PTPVendor.mayBeNikon(id) == isPossible)
    }

    @Test(arguments: [[UInt8](), [0], [UInt8](repeating: 255, count: 9), [UInt8](repeating: 255, count: 700)])
    func `tolerates invalid DeviceInfo bytes`(bytes: [UInt8]) {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1001)
        _ = link.reply(bytes)
        #expect(link.dialogue.responseCode == 0x2001)
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
