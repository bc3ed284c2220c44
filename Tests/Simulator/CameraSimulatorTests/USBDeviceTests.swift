import Testing

@testable import CameraSimulator

/// Tests of the USB device, transfer by transfer.
struct USBDeviceTests {
    /// An outcome of a transfer, reduced to the values that the tests compare.
    private enum SeenOutcome: Equatable {
        case sent([UInt8]), taken(Int), stalled, unlinked(Bool), request(UInt16), abandoned(Bool)
    }

    private static func device(_ mode: USBMode = .ptp, _ maker: Maker = .canon) -> USBDevice {
        USBDevice(USBDescriptors(CameraIdentity(maker), mode: mode), maker: maker)
    }

    private static func seen(_ reply: USBIPReply, isIn: Bool) -> SeenOutcome {
        switch reply.status {
        case .stalled: .stalled
        case .unlinked: .unlinked(true)
        case .done: isIn ? .sent(reply.data.bytes) : .taken(reply.transferred)
        }
    }

    private func submit(_ device: inout USBDevice, _ transfer: USBTransfer) -> [SeenOutcome] {
        device.handle(.submit(transfer)).map { outcome in
            switch outcome {
            case .reply(let reply): Self.seen(reply, isIn: transfer.isIn || reply.data.count > 0)
            case .request(let request): .request(request.code)
            case .abandoned(let closes): .abandoned(closes)
            }
        }
    }

    private func control(_ device: inout USBDevice, _ setup: SetupPacket) -> [SeenOutcome] {
        let isIn = setup.requestType & 0x80 != 0
        let length = Int(setup.length)
        return submit(
            &device,
            USBTransfer(
                sequence: 1, endpoint: 0, isIn: isIn, length: length, setup: setup,
                data: isIn ? [] : [UInt8](repeating: 0, count: length)))
    }

    private func bulkOut(_ device: inout USBDevice, _ bytes: [UInt8]) -> [SeenOutcome] {
        submit(&device, USBTransfer(sequence: 2, endpoint: 2, isIn: false, length: bytes.count, data: bytes))
    }

    private func bulkIn(_ device: inout USBDevice, _ length: Int = 512, endpoint: UInt8 = 1) -> [SeenOutcome]
    {
        submit(&device, USBTransfer(sequence: 3, endpoint: endpoint, isIn: true, length: length))
    }

    @Test func `answers the kernel's requests when it is plugged in`() {
        var device = Self.device()
        let descriptors = device.descriptors
        #expect(
            control(&device, SetupPacket(0x80, 6, value: 0x0100, length: 8))
                == [.sent(Array(descriptors.device.prefix(8)))])
        #expect(
            control(&device, SetupPacket(0x80, 6, value: 0x0200, length: 512))
                == [.sent(descriptors.configuration)])
        #expect(control(&device, SetupPacket(0x80, 6, value: 0x0600, length: 10)) == [.stalled], "qualifier")
        #expect(control(&device, SetupPacket(0x80, 8, length: 1)) == [.sent([0])])
        #expect(control(&device, SetupPacket(0x00, 9, value: 1)) == [.taken(0)])
        #expect(control(&device, SetupPacket(0x80, 8, length: 1)) == [.sent([1])])
        #expect(control(&device, SetupPacket(0x80, 0, length: 2)) == [.sent([0, 0])])
        #expect(control(&device, SetupPacket(0xC0, 0x77, length: 16)) == [.stalled], "a vendor's request")
    }

    @Test func `the reply to a request waits for the host`() {
        var device = Self.device()
        #expect(bulkOut(&device, ContainerTests.block(1, 0x1001, 0)) == [.taken(12), .request(0x1001)])
        #expect(device.sendMessage(ByteRope([1, 2, 3])).isEmpty)
        #expect(bulkIn(&device) == [.sent([1, 2, 3])])
        #expect(device.messagesRead == 1)
    }

    @Test func `events use the interrupt endpoint`() {
        var device = Self.device()
        #expect(bulkIn(&device, 64, endpoint: 3).isEmpty)
        #expect(device.announce(ByteRope([4, 5])).map(\.transferred) == [2])
        #expect(device.haltEvents().isEmpty)
        #expect(bulkIn(&device, 64, endpoint: 3) == [.stalled])
    }

    @Test func `a waiting transfer can be unlinked once`() {
        var device = Self.device()
        #expect(bulkIn(&device).isEmpty)
        for wasWaiting in [true, false] {
            let outcomes = device.handle(.unlink(sequence: 4, victim: 3))
            guard case .reply(let reply)? = outcomes.first else {
                Issue.record("no reply to the unlink request")
                return
            }
            #expect(reply.status == (wasWaiting ? .unlinked : .done))
        }
    }

    @Test func `invalid bytes halt both bulk endpoints until they are cleared`() {
        var device = Self.device()
        #expect(bulkIn(&device).isEmpty)
        #expect(bulkOut(&device, [UInt8](repeating: 0xFF, count: 12)) == [.taken(12), .stalled])
        #expect(bulkOut(&device, [0]) == [.stalled])
        #expect(
            control(&device, SetupPacket(0xA1, 0x67, length: 12))
                == [.sent([12, 0, 0x1F, 0x20, 0x81, 0, 0, 0, 2, 0, 0, 0])])
        #expect(control(&device, SetupPacket(0x82, 0, index: 0x81, length: 2)) == [.sent([1, 0])])
        for endpoint: UInt16 in [0x81, 0x02] {
            #expect(control(&device, SetupPacket(0x02, 1, index: endpoint)) == [.taken(0)])
        }
        #expect(control(&device, SetupPacket(0xA1, 0x67, length: 12)) == [.sent([4, 0, 1, 0x20])])
        #expect(bulkOut(&device, ContainerTests.block(1, 0x1001, 1)) == [.taken(12), .request(0x1001)])
    }

    @Test(arguments: [(UInt8(0x64), UInt16(6), false), (0x66, 0, true)])
    func `cancel and reset discard the current transaction`(
        request: UInt8, length: UInt16, closesSession: Bool
    ) {
        var device = Self.device()
        _ = bulkOut(&device, ContainerTests.block(1, 0x1009, 1, [1, 0, 0, 0]))
        _ = device.sendMessage(ByteRope([UInt8](repeating: 1, count: 4000)))
        #expect(
            control(&device, SetupPacket(0x21, request, length: length))
                == [.taken(Int(length)), .abandoned(closesSession)])
        #expect(bulkIn(&device).isEmpty, "the rest of the old reply is discarded")
    }

    @Test func `the card reader reports that it contains no card`() {
        var device = Self.device(.storage)
        func command(_ code: UInt8, byteCount: UInt32) -> [UInt8] {
            var out = ByteWriter()
            out.u32(0x4342_5355)
            out.u32(77)
            out.u32(byteCount)
            out.raw([0x80, 0, 6, code])
            out.zeros(15)
            return out.bytes
        }
        func status(_ residue: UInt8, _ result: UInt8) -> SeenOutcome {
            .sent([0x55, 0x53, 0x42, 0x53, 77, 0, 0, 0, residue, 0, 0, 0, result])
        }
        #expect(control(&device, SetupPacket(0xA1, 0xFE, length: 1)) == [.sent([0])])
        #expect(bulkOut(&device, command(0x12, byteCount: 36)) == [.taken(31)])
        #expect(bulkIn(&device, 36).count == 1)
        #expect(bulkIn(&device, 13) == [status(0, 0)])
        #expect(bulkOut(&device, command(0x00, byteCount: 0)) == [.taken(31)])
        #expect(bulkIn(&device, 13) == [status(0, 1)])
        _ = bulkOut(&device, command(0x03, byteCount: 18))
        #expect(
            bulkIn(&device, 18) == [.sent([0x70, 0, 2, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x3A, 0, 0, 0, 0, 0])])
        #expect(bulkIn(&device, 13) == [status(0, 0)])
        #expect(bulkOut(&device, [1, 2, 3]) == [.taken(3)], "no command")
        #expect(bulkIn(&device) == [.stalled])
    }

    @Test(arguments: [(USBMode.charging, UInt8(1)), (.storage, 3), (.ptp, 7)])
    func `stalls transfers on an endpoint that the mode does not have`(mode: USBMode, endpoint: UInt8) {
        var device = Self.device(mode)
        #expect(bulkIn(&device, endpoint: endpoint) == [.stalled])
    }
}
