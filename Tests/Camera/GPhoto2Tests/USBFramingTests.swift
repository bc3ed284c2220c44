import Testing

@testable import GPhoto2

@Suite struct USBFramingTests {
    private func container(_ type: UInt16, _ code: UInt16, _ transaction: UInt32, _ payload: [UInt8])
        -> [UInt8]
    {
        PacketWriter(
            .u32(UInt32(12 + payload.count)), .u16(type), .u16(code), .u32(transaction), .raw(payload)
        ).bytes
    }

    @Test(arguments: [512, 1_024, 12, 100_000])
    func `filters a USB handle list with reads of any size`(read: Int) {
        var dialogue = PTPDialogue()
        dialogue.handles.quarantined = [2]
        var framing = USBFraming()
        var command = container(1, 0x1007, 5, PacketWriter(.u32(1), .u32(0), .u32(0)).bytes)
        command.withUnsafeMutableBytes { framing.write($0, to: &dialogue) }
        #expect(dialogue.request.operation == 0x1007)
        var data = container(2, 0x1007, 5, handleArray([1, 2] + Array(3...2_000)))
        let count = data.count
        data.withUnsafeMutableBytes { buffer in
            for start in stride(from: 0, to: count, by: read) {
                let part = buffer[start..<min(start + read, count)]
                framing.read(UnsafeMutableRawBufferPointer(rebasing: part), to: &dialogue)
            }
        }
        #expect(data == container(2, 0x1007, 5, handleArray([1, 1] + Array(3...2_000))))
        var response = container(3, 0x2001, 5, [])
        response.withUnsafeMutableBytes { framing.read($0, to: &dialogue) }
        #expect(dialogue.responseCode == 0x2001)
        #expect(dialogue.strays == 0)
    }

    /// The driver's first read has at most 1,024 bytes, and newer bodies have hundreds of properties.
    @Test func `hides partial transfers of a Fujifilm before it has sent its manufacturer`() {
        func info(_ operation: UInt16) -> [UInt8] {
            container(
                2, 0x1001, 5,
                deviceInfoBytes(
                    vendorExtension: 6, description: "fujifilm.co.jp: 1.0; ",
                    operations: [0x1009, operation], properties: Array(0xD000..<0xD200),
                    manufacturer: "FUJIFILM"))
        }
        var dialogue = PTPDialogue()
        var framing = USBFraming()
        var command = container(1, 0x1001, 5, [])
        command.withUnsafeMutableBytes { framing.write($0, to: &dialogue) }
        var first = Array(info(0x101B).prefix(1_024))
        first.withUnsafeMutableBytes { framing.read($0, to: &dialogue) }
        #expect(first == Array(info(0x1001).prefix(1_024)))
        #expect(dialogue.isFujifilm)
    }

    @Test func `a USB transfer of unknown length ends with a short read`() {
        var dialogue = PTPDialogue()
        var framing = USBFraming()
        var command = container(1, 0x1009, 5, PacketWriter(.u32(1)).bytes)
        command.withUnsafeMutableBytes { framing.write($0, to: &dialogue) }
        // These bytes look like a data container of another transaction and like a response.
        let data = container(2, 0x1009, 99, []) + container(3, 0x2002, 98, [])
        let block = data + [UInt8](repeating: 7, count: 512 - data.count)
        var first = PacketWriter(.u32(.max), .u16(2), .u16(0x1009), .u32(5)).bytes
        first += [UInt8](repeating: 1, count: 1_024 - first.count)
        let blocks = [first, block, block, data]
        for sent in blocks {
            var read = sent
            read.withUnsafeMutableBytes { framing.read($0, to: &dialogue) }
            #expect(read == sent)
        }
        #expect(dialogue.strays == 0 && dialogue.responseCode == 0)
        var response = container(3, 0x2001, 5, [])
        response.withUnsafeMutableBytes { framing.read($0, to: &dialogue) }
        #expect(dialogue.responseCode == 0x2001)
    }

    @Test func `reads a handle scan over USB without changing the response`() {
        var dialogue = PTPDialogue()
        var framing = USBFraming()
        dialogue.handles.beginHandleScan()
        var command = container(1, 0x1007, 5, PacketWriter(.u32(.max), .u32(0), .u32(0)).bytes)
        command.withUnsafeMutableBytes { framing.write($0, to: &dialogue) }
        var data = container(2, 0x1007, 5, handleArray(Array(1...50)))
        data.withUnsafeMutableBytes { framing.read($0, to: &dialogue) }
        #expect(data == container(2, 0x1007, 5, handleArray(Array(1...50))))
        #expect(dialogue.handles.scannedHandles == Array(1...50))
    }

    @Test func `hides USB events about quarantined objects from the driver`() {
        var dialogue = PTPDialogue()
        dialogue.handles.quarantined = [7]
        var event = container(4, 0x4002, 0, PacketWriter(.u32(7)).bytes)
        event.withUnsafeMutableBytes { USBFraming().interrupt($0, to: &dialogue) }
        #expect(event == container(4, 0x4000, 0, PacketWriter(.u32(7)).bytes))
    }

    @Test func `data that the driver sends over USB is not a request`() {
        var dialogue = PTPDialogue()
        var framing = USBFraming()
        var command = container(1, 0x1016, 9, PacketWriter(.u32(0x5001)).bytes)
        command.withUnsafeMutableBytes { framing.write($0, to: &dialogue) }
        var data = container(2, 0x1016, 9, [UInt8](repeating: 1, count: 40))
        data.withUnsafeMutableBytes { buffer in
            framing.write(UnsafeMutableRawBufferPointer(rebasing: buffer[..<20]), to: &dialogue)
            framing.write(UnsafeMutableRawBufferPointer(rebasing: buffer[20...]), to: &dialogue)
        }
        #expect(dialogue.requests == 1)
    }
}
