import Testing

@testable import CameraSimulator

/// Tests of PTP containers on USB.
struct ContainerTests {
    static func block(
        _ kind: UInt16, _ code: UInt16, _ transaction: UInt32, _ payload: [UInt8] = [], length: UInt32? = nil
    ) -> [UInt8] {
        var out = ByteWriter()
        out.u32(length ?? UInt32(12 + payload.count))
        out.u16(kind)
        out.u16(code)
        out.u32(transaction)
        out.raw(payload)
        return out.bytes
    }

    @Test func `a command container becomes a request with parameters`() {
        var reader = ContainerReader(maker: .generic)
        let bytes = Self.block(1, 0x1002, 4, [1, 0, 0, 0])
        #expect(reader.read(bytes) == [.request(PTPRequest(code: 0x1002, transaction: 4, parameters: [1]))])
    }

    @Test(arguments: [1, 11, 12, 13, 20])
    func `a container may arrive in two transfers`(cut: Int) {
        var reader = ContainerReader(maker: .generic)
        let bytes = Self.block(1, 0x1007, 9, [1, 0, 0, 0, 2, 0, 0, 0])
        let outcomes = reader.read(Array(bytes[..<cut])) + reader.read(Array(bytes[cut...]))
        #expect(outcomes == [.request(PTPRequest(code: 0x1007, transaction: 9, parameters: [1, 2]))])
    }

    @Test func `an operation with data waits for its data container`() {
        var reader = ContainerReader(maker: .canon)
        #expect(reader.read(Self.block(1, 0x9110, 5)).isEmpty)
        let expected = PTPRequest(code: 0x9110, transaction: 5, data: [1, 2, 3])
        #expect(reader.read(Self.block(2, 0x9110, 5, [1, 2, 3])) == [.request(expected)])
    }

    @Test(arguments: [(Maker.nikon, 1), (.sony, 0)])
    func `code 0x9207 expects data on Sony but not on Nikon`(maker: Maker, requests: Int) {
        var reader = ContainerReader(maker: maker)
        #expect(reader.read(Self.block(1, 0x9207, 5)).count == requests)
    }

    @Test func `data without a waiting operation is dropped`() {
        var reader = ContainerReader(maker: .generic)
        #expect(reader.read(Self.block(2, 0x1009, 5, [1])).isEmpty)
        _ = reader.read(Self.block(1, 0x1016, 6, [0, 0, 0, 0]))
        #expect(reader.read(Self.block(2, 0x1016, 7, [1])).isEmpty, "data of another transaction")
    }

    @Test(arguments: [
        ("a length below the header length", block(1, 0x1002, 1, length: 11)),
        ("a length of 2 GiB", block(1, 0x1002, 1, length: 0x8000_0000)),
        ("an unknown container type", block(9, 0x1002, 1)), ("a response", block(3, 0x2001, 1)),
    ])
    func `invalid bytes are reported and the next container is read`(what: String, bytes: [UInt8]) {
        var reader = ContainerReader(maker: .generic)
        #expect(reader.read(bytes) == [.invalid], "\(what)")
        #expect(reader.read(Self.block(1, 0x1001, 2)).count == 1)
    }

    @Test func `data, responses and events have their own container types`() {
        var reply = PTPReply(.ok, 3)
        reply.data = ByteRope([9, 9])
        #expect(
            PTPContainer.data(ByteRope([9, 9]), code: 0x1004, transaction: 8).bytes
                == Self.block(2, 0x1004, 8, [9, 9]))
        #expect(PTPContainer.response(reply, transaction: 8).bytes == Self.block(3, 0x2001, 8, [3, 0, 0, 0]))
        #expect(
            PTPContainer.event(code: 0x4002, parameters: [1]).bytes == Self.block(4, 0x4002, 0, [1, 0, 0, 0]))
    }
}
