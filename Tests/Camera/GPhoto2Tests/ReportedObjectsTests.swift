import Testing

@testable import GPhoto2

/// Tests of the *missing* objects, which are on the camera and were not reported to the daemon.
@Suite struct ReportedObjectsTests {
    private func missing(_ link: inout ScriptedNetworkLink, of handles: [UInt32]) -> Int {
        link.dialogue.handles.beginHandleScan()
        _ = link.request(0x1007, 0xFFFF_FFFF, 0, 0)
        _ = link.reply(handleArray(handles))
        link.dialogue.handles.isScanning = false
        return link.dialogue.missing.count
    }

    @Test func `an object read by the driver is missing until reported by name`() {
        var link = ScriptedNetworkLink()
        for (handle, name) in [(1, "A.JPG"), (2, "B.JPG")] as [(UInt32, String)] {
            _ = link.request(0x1008, handle)
            _ = link.reply(objectInfo(name), packet: 16)
        }
        #expect(missing(&link, of: [1, 2, 3]) == 3)
        link.dialogue.reported.markReported("B.JPG")
        #expect(missing(&link, of: [1, 2, 3]) == 2)
        _ = link.request(0x1008, 2)
        _ = link.reply(objectInfo("B.JPG"))
        #expect(missing(&link, of: [1, 2, 3]) == 2, "reading the object again does not change this")
    }

    @Test func `the handle decides whether a report is the object's first report`() {
        var link = ScriptedNetworkLink()
        func report(_ name: String, handle: UInt32) -> Bool {
            _ = link.request(0x1008, handle)
            _ = link.reply(objectInfo(name))
            return link.dialogue.reported.markReported(name)
        }
        let first = report("A.JPG", handle: 1)
        // The camera reports a change of the object.
        let change = report("A.JPG", handle: 1)
        #expect(first && !change)
        // The worker has listed the object by its handle.
        _ = link.request(0x1008, 2)
        _ = link.reply(objectInfo("B.JPG"))
        link.dialogue.reported.markReported(2)
        let listed = report("B.JPG", handle: 2)
        #expect(!listed)
        let sameName = report("A.JPG", handle: 3)
        #expect(sameName)
    }

    @Test func `objects of a Canon folder listing are missing until reported by name`() {
        var link = ScriptedNetworkLink()
        let listing = PacketWriter(
            .u32(3), .raw(canonRecord(7, "IMG_0007.CR3")), .raw(canonRecord(8, "IMG_0007.JPG")),
            .raw(canonRecord(9, "100CANON", format: 0x3001))
        ).bytes
        for packet in [1_000, 100, 50] {
            _ = link.request(0x9109, 1, 0, 0)
            _ = link.reply(listing, packet: packet)
            #expect(missing(&link, of: [7, 8, 9]) == 2, "in packets of \(packet) bytes")
        }
        link.dialogue.reported.markReported("IMG_0007.CR3")
        link.dialogue.reported.markReported("IMG_0007.JPG")
        #expect(missing(&link, of: [7, 8, 9]) == 0)
    }

    @Test
    func
        `folders, nonexistent objects, and objects with empty or non-ASCII names count as reported`()
    {
        var link = ScriptedNetworkLink()
        for (handle, info, code) in [
            (1, objectInfo("DCIM", format: 0x3001), 0x2001), (2, [], 0x2009),
            (3, objectInfo("Bild ä.jpg"), 0x2001),
            (4, objectInfo(""), 0x2001),
            // The object was refused temporarily and must be requested again.
            (5, [], 0x2019),
        ] as [(UInt32, [UInt8], UInt16)] {
            _ = link.request(0x1008, handle)
            _ = link.reply(info, code: code)
        }
        #expect(missing(&link, of: [1, 2, 3, 4, 5]) == 1)
    }

    @Test func `a report by name has no effect until the object's information is complete`() {
        var link = ScriptedNetworkLink()
        for length in [0, 20, 51] {
            _ = link.request(0x1008, 1)
            _ = link.reply(Array(objectInfo("A.JPG").prefix(length)))
            #expect(missing(&link, of: [1]) == 1)
        }
        link.dialogue.reported.markReported("A.JPG")
        #expect(missing(&link, of: [1]) == 1)
        _ = link.request(0x1008, 1)
        _ = link.reply(objectInfo("A.JPG"))
        link.dialogue.reported.markReported("A.JPG")
        #expect(missing(&link, of: [1]) == 0)
    }

    @Test func `an object is refused until the camera describes it`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [4]
        for (handle, code) in [(1, 0x200F), (2, 0x2019), (3, 0x2009), (4, 0x200F), (9, 0x200F)]
            as [(UInt32, UInt16)]
        {
            _ = link.request(0x1008, handle)
            _ = link.reply([], code: code)
        }
        #expect(missing(&link, of: [1, 2, 3, 4]) == 2)
        #expect(link.dialogue.refused == [1, 2])
        // The worker may stop asking for an object. The object is still refused.
        link.dialogue.reported.markReported(1)
        _ = link.request(0x1008, 2)
        _ = link.reply(objectInfo("A.JPG"))
        _ = missing(&link, of: [1, 2, 3, 4])
        #expect(link.dialogue.refused == [1])
    }

    @Test func `a quarantined object is not missing`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [4]
        #expect(missing(&link, of: [4, 5]) == 1)
    }

    private func objectInfo(_ name: String, format: UInt16 = 0x3801) -> [UInt8] {
        let units = Array(name.utf16) + [0]
        return PacketWriter(
            .u32(0x1_0001), .u16(format), .raw([UInt8](repeating: 0, count: 46)),
            .raw([UInt8(units.count)] + units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }),
            .raw([0, 0])
        ).bytes
    }

    private func canonRecord(_ handle: UInt32, _ name: String, format: UInt32 = 0x3801) -> [UInt8] {
        let letters = Array(name.utf8) + [UInt8](repeating: 0, count: 16 - name.utf8.count)
        return PacketWriter(
            .u32(60), .u32(handle), .u32(0x1_0001), .u32(format), .raw([UInt8](repeating: 0, count: 20)),
            .raw(letters), .u32(0), .u32(0)
        ).bytes
    }
}
