import Testing

@testable import CameraSimulator

/// Tests of messages to the host, which are split into the host's transfers.
struct InPipeTests {
    private static func transfer(_ sequence: UInt32, _ length: Int) -> USBTransfer {
        USBTransfer(sequence: sequence, endpoint: 1, isIn: true, length: length)
    }

    private static func rope(_ count: Int) -> ByteRope { ByteRope([UInt8](repeating: 7, count: count)) }

    @Test(
        arguments: [
            ("shorter than a transfer", 100, [512], [100]),
            ("one packet, followed by an empty packet", 512, [512, 512], [512, 0]),
            ("in several transfers", 1300, [512, 512, 512], [512, 512, 276]),
            ("two packets in one large transfer", 1024, [4096], [1024]),
            ("one large transfer that ends with a short packet", 600, [600, 512], [600]),
            ("only an empty packet", 0, [512], [0]),
        ] as [(String, Int, [Int], [Int])])
    func `a message ends with a short packet`(
        what: String, bytes: Int, transfers: [Int], moved: [Int]
    ) {
        var endpoint = InEndpoint(packetBytes: 512)
        var replies = endpoint.send(Self.rope(bytes))
        #expect(replies.isEmpty)
        for (index, length) in transfers.enumerated() {
            replies += endpoint.enqueue(Self.transfer(UInt32(index), length))
        }
        #expect(replies.map(\.transferred) == moved, "\(what)")
        #expect(endpoint.messagesRead == 1)
    }

    @Test func `a waiting transfer is filled when a message arrives`() {
        var endpoint = InEndpoint(packetBytes: 512)
        #expect(endpoint.enqueue(Self.transfer(1, 512)).isEmpty)
        #expect(endpoint.send(Self.rope(20)).map(\.transferred) == [20])
    }

    @Test func `an incomplete message fills only whole transfers`() {
        var endpoint = InEndpoint(packetBytes: 512)
        _ = endpoint.enqueue(Self.transfer(1, 512))
        #expect(endpoint.send(Self.rope(500), isWhole: false).isEmpty)
        #expect(endpoint.send(Self.rope(30), isWhole: false).map(\.transferred) == [512])
        _ = endpoint.enqueue(Self.transfer(2, 512))
        #expect(endpoint.send(Self.rope(2)).map(\.transferred) == [20])
    }

    @Test func `an unlinked transfer is not filled`() {
        var endpoint = InEndpoint(packetBytes: 512)
        _ = endpoint.enqueue(Self.transfer(1, 512))
        let wereWaiting = [endpoint.unlink(1), endpoint.unlink(1)]
        #expect(wereWaiting == [true, false])
        #expect(endpoint.send(Self.rope(20)).isEmpty)
        #expect(endpoint.enqueue(Self.transfer(2, 512)).map(\.transferred) == [20])
    }

    @Test func `a halted endpoint stalls all transfers until it is cleared`() {
        var endpoint = InEndpoint(packetBytes: 512)
        _ = endpoint.enqueue(Self.transfer(1, 512))
        #expect(endpoint.halt().map(\.status) == [.stalled])
        #expect(endpoint.enqueue(Self.transfer(2, 512)).map(\.status) == [.stalled])
        endpoint.clearHalt()
        #expect(endpoint.enqueue(Self.transfer(3, 512)).isEmpty)
        #expect(endpoint.send(Self.rope(1)).map(\.status) == [.done])
    }

    @Test func `a flushed message is not counted as read`() {
        var endpoint = InEndpoint(packetBytes: 512)
        _ = endpoint.send(Self.rope(5000))
        _ = endpoint.enqueue(Self.transfer(1, 512))
        endpoint.flush()
        #expect(endpoint.messagesRead == 0)
        #expect(endpoint.enqueue(Self.transfer(2, 512)).isEmpty)
    }
}
