import Testing

@testable import CameraSimulator

/// Tests of the USB/IP messages that the simulator exchanges with the kernel's virtual USB.
struct USBWireTests {
    /// Returns a header of 48 bytes that contains the given big-endian numbers.
    static func header(_ words: [UInt32], setup: [UInt8] = []) -> [UInt8] {
        var out = ByteWriter()
        for word in words { out.big32(word) }
        out.raw(setup)
        out.zeros(USBIPRequest.headerBytes - out.bytes.count)
        return out.bytes
    }

    @Test func `parses an IN transfer with its setup packet`() throws {
        let bytes = Self.header(
            [1, 7, 0x10001, 1, 0, 0, 18, 0, 0, 0], setup: [0x80, 6, 0, 1, 0, 0, 18, 0])
        let request = try #require(USBIPRequest(header: bytes))
        let setup = SetupPacket(0x80, 6, value: 0x100, length: 18)
        #expect(
            request == .submit(USBTransfer(sequence: 7, endpoint: 0, isIn: true, length: 18, setup: setup)))
        #expect(request.payloadBytes == 0)
    }

    @Test func `the data of an OUT transfer follows its header`() throws {
        let request = try #require(
            USBIPRequest(header: Self.header([1, 8, 0x10001, 0, 2, 0, 31, 0, .max, 0])))
        #expect(request.payloadBytes == 31)
    }

    @Test func `parses an unlink with the transfer's sequence`() {
        let bytes = Self.header([2, 9, 0x10001, 0, 0, 8])
        #expect(USBIPRequest(header: bytes) == .unlink(sequence: 9, victim: 8))
    }

    @Test(
        arguments: [
            ("an unknown command", [5, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("command number 0", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
            ("an unknown direction", [1, 1, 0, 2, 0, 0, 0, 0, 0, 0]),
            ("an impossible endpoint", [1, 1, 0, 0, 16, 0, 0, 0, 0, 0]),
            ("a transfer of 2 GiB", [1, 1, 0, 0, 2, 0, 1 << 31, 0, 0, 0]),
            ("isochronous packets", [1, 1, 0, 1, 1, 0, 512, 0, 4, 0]),
        ] as [(String, [UInt32])])
    func `refuses an invalid header`(what: String, words: [UInt32]) {
        #expect(USBIPRequest(header: Self.header(words)) == nil, "\(what)")
    }

    @Test(arguments: [0, 1, 47, 49])
    func `refuses a header that is not 48 bytes long`(count: Int) {
        #expect(USBIPRequest(header: [UInt8](repeating: 0, count: count)) == nil)
    }

    @Test(
        arguments: [
            (USBIPReply.sent(5, ByteRope([1, 2, 3])), [3, 5, 0, 0, 0, 0, 3]),
            (USBIPReply.received(5, bytes: 31), [3, 5, 0, 0, 0, 0, 31]),
            (USBIPReply.stalled(5), [3, 5, 0, 0, 0, UInt32(bitPattern: -32), 0]),
            (USBIPReply.unlinked(6, wasWaiting: true), [4, 6, 0, 0, 0, UInt32(bitPattern: -104), 0]),
            (USBIPReply.unlinked(6, wasWaiting: false), [4, 6, 0, 0, 0, 0, 0]),
        ] as [(USBIPReply, [UInt32])])
    func `encodes a reply with status and length`(reply: USBIPReply, words: [UInt32]) {
        #expect(reply.header == Self.header(words))
    }

    @Test func `finds free high-speed ports in the status file`() {
        let status = """
            hub port sta spd dev      sockfd local_busid
            hs  0000 006 003 00010001 000005 1-1
            hs  0001 004 000 00000000 000000 0-0
            hs  0002 005 000 00000000 000000 0-0
            ss  0008 004 000 00000000 000000 0-0

            """
        #expect(VirtualHub.freePorts(in: status) == [1])
        #expect(VirtualHub.freePorts(in: "") == [])
        #expect(VirtualHub.attachment(port: 2, descriptor: 7) == "2 7 65539 3")
    }

    @Test func `reports the missing kernel module when attaching`() {
        let hub = VirtualHub(directory: "/nowhere/vhci_hcd.0")
        #expect(
            throws: SimulatorError.usb(
                reason: "the kernel's virtual USB is missing; load it with modprobe vhci-hcd")
        ) { try hub.attach(0, preferred: nil) }
    }
}
