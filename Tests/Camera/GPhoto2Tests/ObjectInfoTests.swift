import Testing

@testable import GPhoto2

@Suite struct ObjectInfoTests {
    /// Returns a PTP string.
    private func text(_ words: String) -> [UInt8] {
        guard !words.isEmpty else { return [0] }
        let units = Array(words.utf16) + [0]
        return [UInt8(units.count)] + units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    }

    private func info(
        name: String = "A.JPG", size: UInt32 = 5, protection: UInt16 = 0,
        captured: String = "20261122T100000",
        changed: String = "20261122T100001", format: UInt16 = 0x3801
    ) -> [UInt8] {
        PacketWriter(
            .u32(0x10001), .u16(format), .u16(protection), .u32(size), .raw([UInt8](repeating: 0, count: 40)),
            .raw(text(name)), .raw(text(captured)), .raw(text(changed)), .raw([0])
        ).bytes
    }

    private func read(_ bytes: [UInt8]) -> ObjectInfo? {
        var bytes = bytes
        return bytes.withUnsafeMutableBytes { ObjectInfo($0) }
    }

    @Test func `parses object information as the driver does`() throws {
        let info = try #require(read(info(protection: 1)))
        #expect(info.name == "A.JPG" && info.size == 5 && info.storage == 0x10001 && !info.isFolder)
        #expect(info.isProtected == true && info.isPlain)
        // The driver reports the modification time, or the capture time if the modification time is missing.
        #expect(info.time == ObjectInfo.seconds("20261122T100000"))
        #expect(info.listedTime == ObjectInfo.seconds("20261122T100001"))
        #expect(read(self.info(changed: ""))?.listedTime == info.time)
        #expect(read(self.info(captured: "", changed: ""))?.listedTime == nil)
        #expect(read(self.info(protection: 0x8002))?.isProtected == nil)
        #expect(read(self.info(format: 0x3001))?.isFolder == true)
    }

    @Test func `unusual names, sizes and times are not plain object information`() {
        #expect(read(info(name: "Ü.JPG"))?.isPlain == false)
        #expect(read(info(name: ""))?.isPlain == false)
        #expect(read(info(name: "A B.JPG"))?.isPlain == false)
        #expect(read(info(size: .max))?.isPlain == false)
        #expect(read(info(captured: "yesterday"))?.isPlain == false)
        #expect(read(info(changed: "2026-11-22"))?.isPlain == false)
        #expect(read(info(captured: "", changed: ""))?.isPlain == true)
        #expect(read(Array(info().dropLast(20)))?.isPlain == false)
    }

    @Test func `withholds the response to the worker's own object request from the driver`() {
        var link = ScriptedNetworkLink()
        link.dialogue.isAskingForInfo = true
        _ = link.request(0x1008, 7)
        let reply = link.reply(info(), packet: 32)
        #expect(reply.total == 0 && Set(reply.types) == [12])
        #expect(link.dialogue.reported.lastInfo?.name == "A.JPG")
        link.dialogue.isAskingForInfo = false
        _ = link.request(0x1008, 7)
        #expect(link.reply(info()).total == UInt32(info().count))
    }
}
