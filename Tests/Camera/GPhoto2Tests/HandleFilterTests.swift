import TestRig
import Testing

@testable import GPhoto2

@Suite struct HandleFilterTests {
    @Test(
        arguments: [
            ([1, 2, 3], [2], [1, 1, 3]),
            ([2, 1, 3], [2], [1, 1, 3]),
            ([2, 4, 3], [2, 4], [3, 3, 3]),
            ([1, 3], [2], [1, 3]),
            ([], [2], []),
        ] as [([UInt32], Set<UInt32>, [UInt32])])
    func `replaces a quarantined handle with another handle of the response`(
        handles: [UInt32], quarantined: Set<UInt32>, expected: [UInt32]
    ) {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = quarantined
        _ = link.request(0x1007, 1, 0, 0)
        #expect(link.reply(handleArray(handles)).data == handleArray(expected))
    }

    @Test(
        arguments: [
            ([1, 2, 3, 4], [], [2, 3, 4], [1, 1, 1, 1]),
            // The driver always sees the first handle of a folder. This handle also replaces hidden handles.
            ([1, 2, 3], [], [1, 2], [1, 1, 3]),
            ([1, 2, 3], [], [1, 2, 3], [1, 1, 1]),
            ([1, 2, 3], [1], [2, 3], [2, 2, 2]),
            ([1, 2, 3], [2], [3], [1, 1, 1]),
            ([4, 5], [], [1, 2, 3], [4, 5]),
        ] as [([UInt32], Set<UInt32>, Set<UInt32>, [UInt32])])
    func `replaces a hidden file with the first handle of its folder`(
        handles: [UInt32], quarantined: Set<UInt32>, hiddenHandles: Set<UInt32>, expected: [UInt32]
    ) {
        for packet in [4, 8, 1_000] where quarantined.isEmpty || packet == 1_000 {
            var link = ScriptedNetworkLink()
            link.dialogue.handles.quarantined = quarantined
            link.dialogue.handles.hiddenHandles = hiddenHandles
            _ = link.request(0x1007, 1, 0, 7)
            #expect(link.reply(handleArray(handles), packet: packet).data == handleArray(expected))
        }
    }

    @Test func `records which folders the driver has listed`() {
        var link = ScriptedNetworkLink()
        _ = link.request(0x1007, 1, 0, 7)
        link.dialogue.handles.beginHandleScan()
        _ = link.request(0x1007, 1, 0, 8)
        link.dialogue.handles.isScanning = false
        #expect(link.dialogue.handles.hasListed(7) && !link.dialogue.handles.hasListed(8))
        link.dialogue.handles.beginSession()
        #expect(!link.dialogue.handles.hasListed(7))
        // A listing of all folders.
        _ = link.request(0x1007, 1, 0, 0)
        #expect(link.dialogue.handles.hasListed(8))
    }

    @Test func `shows a folder with only quarantined objects as empty`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [7, 8]
        _ = link.request(0x1007, 1, 0, 0)
        #expect(link.reply(handleArray([7, 8])).data.prefix(4) == [0, 0, 0, 0])
    }

    @Test func `filters a long handle list packet by packet`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [500]
        _ = link.request(0x1007, 1, 0, 0)
        let reply = link.reply(handleArray(Array(1...1_000)), packet: 64)
        let handles = stride(from: 4, to: reply.data.count, by: 4).map { place in
            reply.data[place..<place + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        #expect(handles.count == 1_000)
        #expect(!handles.contains(500))
    }

    @Test(
        arguments: [(0x4002, 7, 0x4000), (0x4007, 7, 0x4000), (0x4002, 8, 0x4002), (0x4003, 7, 0x4003)]
            as [(UInt16, UInt32, UInt16)])
    func `hides network events about quarantined objects from the driver`(
        code: UInt16, handle: UInt32, expected: UInt16
    ) {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [7]
        let event = link.receive(8, PacketWriter(.u16(code), .u32(0), .u32(handle)).bytes)
        #expect(Array(event.body.prefix(2)) == PacketWriter(.u16(expected)).bytes)
        #expect(link.dialogue.events == 1)
    }

    @Test func `filters vendor events of Nikon and Canon`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [7]
        _ = link.request(0x90C7)
        let nikon = PacketWriter(.u16(2), .u16(0x4002), .u32(6), .u16(0x4002), .u32(7)).bytes
        #expect(
            link.reply(nikon).data
                == PacketWriter(.u16(2), .u16(0x4002), .u32(6), .u16(0x4000), .u32(7)).bytes)
        _ = link.request(0x9116)
        func record(_ type: UInt32, _ handle: UInt32) -> [UInt8] {
            PacketWriter(.u32(16), .u32(type), .u32(handle), .u32(0)).bytes
        }
        let end = PacketWriter(.u32(8), .u32(0)).bytes
        #expect(
            link.reply(record(0xC181, 6) + record(0xC181, 7) + record(0xC1B6, 7) + end).data
                == record(0xC181, 6) + record(0xC1FF, 7) + record(0xC1FF, 7) + end)
    }

    @Test func `reads the handle scan and withholds its response from the driver`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.beginHandleScan()
        _ = link.request(0x1007, 0xFFFF_FFFF, 0, 0)
        let reply = link.reply(handleArray([1, 2, 3, 4, 5]), packet: 8)
        link.dialogue.handles.isScanning = false
        #expect(link.dialogue.handles.scannedHandles == [1, 2, 3, 4, 5])
        // The driver sees a total of zero and only end-data packets. The driver skips these packets.
        #expect(reply.total == 0)
        #expect(Set(reply.types) == [12])
    }

    @Test func `replaces a quarantined record of a Canon folder listing with another record`() {
        var link = ScriptedNetworkLink()
        link.dialogue.handles.quarantined = [8]
        _ = link.request(0x9109, 1, 0, 0)
        func record(_ handle: UInt32, _ name: UInt32) -> [UInt8] {
            PacketWriter(.u32(12), .u32(handle), .u32(name)).bytes
        }
        let count = PacketWriter(.u32(2)).bytes
        #expect(link.reply(count + record(8, 1) + record(9, 2)).data == count + record(9, 2) + record(9, 2))
        _ = link.request(0x9109, 1, 0, 0)
        #expect(link.reply(PacketWriter(.u32(1)).bytes + record(8, 1)).data.prefix(4) == [0, 0, 0, 0])
    }

    @Test(arguments: [0x1007, 0x9109, 0x9116, 0x90C7] as [UInt16])
    func `keeps the length of responses with random bytes`(operation: UInt16) {
        var random = SeededRandom()
        for count in 0..<200 {
            var link = ScriptedNetworkLink()
            link.dialogue.handles.quarantined = [0, 0xFFFF_FFFF, 1]
            _ = link.request(operation, 1, 0, 0)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(link.reply(bytes, packet: 7, part: 3).data.count == bytes.count, "\(random.note)")
        }
    }
}
