import Testing

@testable import GPhoto2

@Suite struct DeviceInfoTests {
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
        _ = link.reply(head + codeArray(operations) + [0, 0, 0, 0])
        #expect(link.dialogue.canTrigger(with: library) == canTrigger)
    }

    @Test func `hides partial transfer operations from the driver in DeviceInfo`() {
        var link = ScriptedNetworkLink()
        link.dialogue.hidesPartialTransfers = true
        _ = link.request(0x1001)
        let head = PacketWriter(.u16(100), .u32(6), .u16(100), .raw([0]), .u16(0)).bytes
        let reply = link.reply(head + codeArray([0x1009, 0x101B, 0x9107, 0x100B]) + [0, 0, 0, 0])
        #expect(reply.data == head + codeArray([0x1009, 0x1001, 0x1001, 0x100B]) + [0, 0, 0, 0])
        #expect(link.dialogue.operations == [0x1009, 0x101B, 0x9107, 0x100B])
    }

    /// The extension id, its description and the manufacturer. Some Fujifilm cameras report Microsoft's id
    /// (6). The driver corrects this id only after it has read DeviceInfo.
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
        // If `hidesPartialTransfers` were true, the worker would reopen the connection.
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

    @Test(arguments: [("Canon EOS R5m2", true), ("Canon EOS R5", false), ("", false)])
    func `hides an operation that an R5 Mark II does not complete`(model: String, isHidden: Bool) {
        func deviceInfo(_ operations: UInt16...) -> [UInt8] {
            let head = PacketWriter(.u16(100), .u32(11), .u16(100), .raw([0]), .u16(0)).bytes
            let lists = [operations, [0xC181], [0x5001, 0xD402], [0x3801], []].flatMap(codeArray)
            return head + lists + textBytes("Canon.Inc") + textBytes(model)
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
}
