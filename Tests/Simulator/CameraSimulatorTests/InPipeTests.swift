import Testing

@testable import CameraSimulator

/// Messages to the host, cut into its transfers.
struct InPipeTests {
    private static func transfer(_ sequence: UInt32, _ length: Int) -> USBTransfer {
        USBTransfer(sequence: sequence, endpoint: 1, isIn: true, length: length)
    }

    private static func rope(_ count: Int) -> ByteRope { ByteRope([UInt8](repeating: 7, count: count)) }

    @Test(
        arguments: [
            ("shorter than a transfer", 100, [512], [100]),
            ("a packet, and an empty one behind it", 512, [512, 512], [512, 0]),
            ("in several transfers", 1300, [512, 512, 512], [512, 512, 276]),
            ("two packets in one large transfer", 1024, [4096], [1024]),
            ("ends with the transfer, and with a short packet", 600, [600, 512], [600]),
            ("nothing but an empty packet", 0, [512], [0]),
        ] as [(String, Int, [Int], [Int])])
    func `a message ends with a packet that is not full`(
        what: String, bytes: Int, transfers: [Int], moved: [Int]
    ) {
        var pipe = InEndpoint(packetBytes: 512)
        var replies = pipe.send(Self.rope(bytes))
        #expect(replies.isEmpty)
        for (index, length) in transfers.enumerated() {
            replies += pipe.enqueue(Self.transfer(UInt32(index), length))
        }
        #expect(replies.map(\.transferred) == moved, "\(what)")
        #expect(pipe.messagesRead == 1)
    }

    @Test func `transfers that wait are filled as soon as there is something`() {
        var pipe = InEndpoint(packetBytes: 512)
        #expect(pipe.enqueue(Self.transfer(1, 512)).isEmpty)
        #expect(pipe.send(Self.rope(20)).map(\.transferred) == [20])
    }

    @Test func `a message that is not whole fills whole transfers only`() {
        var pipe = InEndpoint(packetBytes: 512)
        _ = pipe.enqueue(Self.transfer(1, 512))
        #expect(pipe.send(Self.rope(500), isWhole: false).isEmpty)
        #expect(pipe.send(Self.rope(30), isWhole: false).map(\.transferred) == [512])
        _ = pipe.enqueue(Self.transfer(2, 512))
        #expect(pipe.send(Self.rope(2)).map(\.transferred) == [20])
    }

    @Test func `a transfer that was taken back is not filled`() {
        var pipe = InEndpoint(packetBytes: 512)
        _ = pipe.enqueue(Self.transfer(1, 512))
        let wereWaiting = [pipe.unlink(1), pipe.unlink(1)]
        #expect(wereWaiting == [true, false])
        #expect(pipe.send(Self.rope(20)).isEmpty)
        #expect(pipe.enqueue(Self.transfer(2, 512)).map(\.transferred) == [20])
    }

    @Test func `a halted endpoint refuses what waits and what comes, until it is cleared`() {
        var pipe = InEndpoint(packetBytes: 512)
        _ = pipe.enqueue(Self.transfer(1, 512))
        #expect(pipe.halt().map(\.status) == [.stalled])
        #expect(pipe.enqueue(Self.transfer(2, 512)).map(\.status) == [.stalled])
        pipe.clearHalt()
        #expect(pipe.enqueue(Self.transfer(3, 512)).isEmpty)
        #expect(pipe.send(Self.rope(1)).map(\.status) == [.done])
    }

    @Test func `what the host does not want any more does not count as taken`() {
        var pipe = InEndpoint(packetBytes: 512)
        _ = pipe.send(Self.rope(5000))
        _ = pipe.enqueue(Self.transfer(1, 512))
        pipe.flush()
        #expect(pipe.messagesRead == 0)
        #expect(pipe.enqueue(Self.transfer(2, 512)).isEmpty)
    }
}
