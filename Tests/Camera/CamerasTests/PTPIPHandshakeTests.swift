import Glibc
import Testing

@testable import Cameras

@Suite struct PTPIPHandshakeTests {
    typealias Action = PTPIPHandshake.Action

    private static let address = NetworkAddress(host: IPv4Address(bits: 0x7F00_0002), port: 15740)
    private static let guid = ServiceGUID.random()

    private static func fresh() -> PTPIPHandshake {
        PTPIPHandshake(address: address, guid: guid, hostName: HostName(bytes: "host".utf8))
    }

    // MARK: Packets of a camera

    private static func packet(_ kind: PTPIPPacket.Kind, _ payload: [UInt8] = []) -> [UInt8] {
        PTPIPPacket(kind: kind, payload: payload).bytes
    }
    private static func u16(_ value: UInt16) -> [UInt8] { PTPIPPacket.littleEndian(value) }
    private static func u32(_ value: UInt32) -> [UInt8] { PTPIPPacket.littleEndian(value) }
    private static func wide(_ text: String) -> [UInt8] { (Array(text.utf16) + [0]).flatMap { u16($0) } }
    private static func string(_ text: String) -> [UInt8] {
        text.isEmpty ? [0] : [UInt8(text.utf16.count + 1)] + wide(text)
    }

    private static let acknowledgement = packet(
        .initCommandAck, u32(7) + [UInt8](repeating: 9, count: 16) + wide("EOS Kéépër") + u32(0x10000))
    private static let eventAcknowledgement = packet(.initEventAck)
    private static func response(_ code: UInt16, _ transaction: UInt32) -> [UInt8] {
        packet(.response, u16(code) + u32(transaction))
    }
    private static let dataset: [UInt8] =
        u16(100) + u32(6) + u16(100) + string("") + u16(0) + u32(2) + u16(0x1001) + u16(0x1002)
        + [UInt8](repeating: 0, count: 16) + string("Canon Inc.") + string("EOS R5") + string("1.2")
        + string("0815")
    private static func start(_ length: UInt64) -> [UInt8] {
        packet(.startData, u32(1) + PTPIPPacket.littleEndian(length))
    }
    private static func data(_ bytes: [UInt8], last: Bool = true) -> [UInt8] {
        packet(last ? .endData : .data, u32(1) + bytes)
    }
    private static let camera = FoundCamera(
        address: address, name: "EOS Kéépër", maker: "Canon Inc.", model: "EOS R5", serial: "0815")

    /// Returns a handshake that has reached a step.
    private static func reached(_ step: PTPIPHandshake.Step) -> PTPIPHandshake {
        var handshake = fresh()
        let steps: [(PTPIPHandshake.Step, (inout PTPIPHandshake) -> Void)] = [
            (.connection, { _ = $0.didConnect(.command) }),
            (.acknowledgement, { _ = $0.didReceive(acknowledgement, on: .command) }),
            (.eventConnection, { _ = $0.didConnect(.event) }),
            (.eventAcknowledgement, { _ = $0.didReceive(eventAcknowledgement, on: .event) }),
            (.session, { _ = $0.didReceive(response(0x2001, 0), on: .command) }),
            (
                .deviceInfo,
                {
                    _ = $0.didReceive(
                        start(UInt64(dataset.count)) + data(dataset) + response(0x2001, 1), on: .command)
                }
            ),
        ]
        for (at, move) in steps where handshake.step != step {
            #expect(handshake.step == at)
            move(&handshake)
        }
        #expect(handshake.step == step)
        return handshake
    }

    // MARK: Success

    @Test func `handshake sends greeting, session, DeviceInfo and close in order`() {
        var handshake = Self.fresh()
        let greeting =
            Self.u32(8 + 16 + 10 + 4) + Self.u32(1) + Self.guid.bytes + Self.wide("host") + Self.u32(0x10000)
        #expect(handshake.didConnect(.command) == [.send(greeting, on: .command)])
        #expect(handshake.didReceive(Self.acknowledgement, on: .command) == [.connect(.event, afterMs: 0)])
        #expect(
            handshake.didConnect(.event)
                == [.send(Self.u32(12) + Self.u32(3) + Self.u32(7), on: .event)])
        let open = Self.packet(.request, Self.u32(1) + Self.u16(0x1002) + Self.u32(0) + Self.u32(1))
        #expect(handshake.didReceive(Self.eventAcknowledgement, on: .event) == [.send(open, on: .command)])
        let info = Self.packet(.request, Self.u32(1) + Self.u16(0x1001) + Self.u32(1))
        #expect(handshake.didReceive(Self.response(0x2001, 0), on: .command) == [.send(info, on: .command)])
        let length = UInt64(Self.dataset.count)
        #expect(handshake.didReceive(Self.start(length), on: .command) == [])
        #expect(
            handshake.didReceive(Self.data(Array(Self.dataset.prefix(9)), last: false), on: .command) == [])
        #expect(handshake.didReceive(Self.data(Array(Self.dataset.dropFirst(9))), on: .command) == [])
        let close = Self.packet(.request, Self.u32(1) + Self.u16(0x1003) + Self.u32(2))
        #expect(handshake.didReceive(Self.response(0x2001, 1), on: .command) == [.send(close, on: .command)])
        #expect(handshake.didReceive(Self.response(0x2001, 2), on: .command) == [.found(Self.camera)])
        #expect(handshake.step == .over)
    }

    @Test func `handshake accepts responses byte by byte`() {
        var handshake = Self.fresh()
        _ = handshake.didConnect(.command)
        var actions: [Action] = []
        for byte in Self.acknowledgement { actions += handshake.didReceive([byte], on: .command) }
        #expect(actions == [.connect(.event, afterMs: 0)])
        _ = handshake.didConnect(.event)
        for byte in Self.eventAcknowledgement { _ = handshake.didReceive([byte], on: .event) }
        let rest =
            Self.response(0x2001, 0) + Self.start(UInt64(Self.dataset.count)) + Self.data(Self.dataset)
            + Self.response(0x2001, 1) + Self.response(0x2001, 2)
        actions = rest.flatMap { handshake.didReceive([$0], on: .command) }
        #expect(actions.last == .found(Self.camera))
    }

    @Test func `handshake tolerates events and keep-alives up to a limit`() {
        var handshake = Self.reached(.session)
        #expect(handshake.didReceive(Self.packet(.event, Self.u16(0x4004) + Self.u32(0)), on: .event) == [])
        #expect(
            handshake.didReceive(Self.packet(.probeRequest), on: .event)
                == [.send(Self.packet(.probeResponse), on: .event)])
        #expect(handshake.step == .session)
        var ends: [Action] = []
        for _ in 0...PTPIPHandshake.strayPacketsMax {
            ends += handshake.didReceive(Self.packet(.event, Self.u16(0x4004)), on: .event)
        }
        #expect(ends == [.failed(.notPTPIP)])
    }

    @Test func `handshake does not close a session that was already open`() {
        var handshake = Self.reached(.session)
        _ = handshake.didReceive(Self.response(0x201E, 0), on: .command)
        let rest = Self.start(UInt64(Self.dataset.count)) + Self.data(Self.dataset) + Self.response(0x2001, 1)
        #expect(handshake.didReceive(rest, on: .command) == [.found(Self.camera)])
    }

    @Test func `finds a camera without a valid response to CloseSession`() {
        for end in [0, 1, 2, 3] {
            var handshake = Self.reached(.closeSession)
            let actions =
                switch end {
                case 0: handshake.didTimeOut()
                case 1: handshake.didClose(.command)
                case 2: handshake.didClose(.event)
                default: handshake.didReceive([UInt8](repeating: 0xFF, count: 40), on: .command)
                }
            #expect(actions == [.found(Self.camera)])
        }
    }

    @Test func `retries a refused event connection twice`() {
        var handshake = Self.reached(.eventConnection)
        let again: [Action] = [.connect(.event, afterMs: PTPIPHandshake.eventRetryMs)]
        #expect(handshake.connectionFailed(.event, errno: ECONNREFUSED) == again)
        #expect(handshake.connectionFailed(.event, errno: ECONNREFUSED) == again)
        #expect(handshake.connectionFailed(.event, errno: ECONNREFUSED) == [.failed(.portClosed)])
    }

    // MARK: Failures

    /// Invalid bytes and the expected failure.
    struct InvalidResponse: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var failure: ProbeFailure

        init(_ bytes: [UInt8], _ failure: ProbeFailure) {
            self.bytes = bytes
            self.failure = failure
        }

        var testDescription: String { "\(bytes.prefix(24)) is \(failure)" }
    }

    @Test(arguments: [
        (ECONNREFUSED, ProbeFailure.portClosed), (EHOSTUNREACH, .hostUnreachable),
        (EHOSTDOWN, .hostUnreachable), (ENETUNREACH, .networkUnreachable), (ENETDOWN, .networkUnreachable),
        (EACCES, .permissionDenied), (EPERM, .permissionDenied), (ETIMEDOUT, .timeout),
        (EMFILE, .other(errno: EMFILE)),
    ])
    func `maps connect errors to probe failures`(errno: Int32, failure: ProbeFailure) {
        var handshake = Self.fresh()
        #expect(handshake.connectionFailed(.command, errno: errno) == [.failed(failure)])
    }

    /// Invalid responses instead of Init_Command_Ack.
    private static let wrongGreetings: [InvalidResponse] = [
        InvalidResponse(packet(.initFail, u32(1)), ProbeFailure.refused(.initFail(reason: 1))),
        InvalidResponse(packet(.initFail, u32(5)), .refused(.initFail(reason: 5))),
        InvalidResponse(packet(.initFail), .refused(.initFail(reason: 3))),
        InvalidResponse(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), .notPTPIP),
        InvalidResponse(Array("SSH-2.0-OpenSSH_9.2\r\n".utf8), .notPTPIP),
        InvalidResponse(Array("\r\n\r\n".utf8), .notPTPIP),
        InvalidResponse([UInt8](repeating: 0, count: 64), .notPTPIP),
        InvalidResponse(u32(7) + u32(2), .notPTPIP),
        InvalidResponse(u32(0xFFFF_FFFF), .notPTPIP),
        InvalidResponse(u32(UInt32(PTPIPPacket.bytesMax) + 1), .notPTPIP),
        InvalidResponse(u32(40) + u32(15), .notPTPIP),
        InvalidResponse(u32(40) + u32(0), .notPTPIP),
        InvalidResponse(packet(.initEventAck), .notPTPIP),
        InvalidResponse(packet(.probeRequest), .notPTPIP),
        InvalidResponse(packet(.initCommandAck), .notPTPIP),
        InvalidResponse(packet(.initCommandAck, [UInt8](repeating: 1, count: 19)), .notPTPIP),
        InvalidResponse(packet(.initCommandAck, [UInt8](repeating: 1, count: 20)), .notPTPIP),
        // Names without a NUL within 255 units. libgphoto2 would read beyond the end of the first name.
        InvalidResponse(packet(.initCommandAck, [UInt8](repeating: 1, count: 60)), .notPTPIP),
        InvalidResponse(packet(.initCommandAck, [UInt8](repeating: 1, count: 2000) + [0, 0]), .notPTPIP),
    ]

    @Test(arguments: wrongGreetings)
    func `classifies invalid responses to the greeting`(invalid: InvalidResponse) {
        var handshake = Self.reached(.acknowledgement)
        #expect(handshake.didReceive(invalid.bytes, on: .command) == [.failed(invalid.failure)])
        #expect(handshake.didReceive(Self.acknowledgement, on: .command) == [], "the handshake is over")
        #expect(handshake.didClose(.command) == [])
    }

    @Test func `treats a timeout after the greeting as a silent refusal`() {
        var handshake = Self.reached(.acknowledgement)
        #expect(handshake.didTimeOut() == [.failed(.refused(.silent))])
        handshake = Self.reached(.acknowledgement)
        _ = handshake.didReceive(Self.acknowledgement.prefix(6), on: .command)
        #expect(handshake.didTimeOut() == [.failed(.timeout)], "an incomplete reply is not a refusal")
    }

    @Test func `distinguishes a close between packets from a close within a packet`() {
        var handshake = Self.reached(.acknowledgement)
        #expect(handshake.didClose(.command) == [.failed(.refused(.hungUp))])
        handshake = Self.reached(.acknowledgement)
        _ = handshake.didReceive(Self.acknowledgement.prefix(10), on: .command)
        #expect(handshake.didClose(.command) == [.failed(.notPTPIP)])
    }

    @Test(arguments: [PTPIPHandshake.Step.connection, .eventConnection, .eventAcknowledgement, .session])
    func `reports a timeout while opening the connections and the session`(step: PTPIPHandshake.Step) {
        var handshake = Self.reached(step)
        #expect(handshake.didTimeOut() == [.failed(.timeout)])
    }

    @Test func `reports a refused event connection and a refused session`() {
        var handshake = Self.reached(.eventAcknowledgement)
        #expect(
            handshake.didReceive(Self.packet(.initFail, Self.u32(1)), on: .event)
                == [.failed(.refused(.initFail(reason: 1)))])
        handshake = Self.reached(.session)
        #expect(
            handshake.didReceive(Self.response(0x2019, 0), on: .command)
                == [.failed(.refused(.response(code: 0x2019)))])
    }

    /// Invalid responses instead of DeviceInfo.
    private static let wrongInformation: [InvalidResponse] = [
        InvalidResponse(response(0x200F, 1), ProbeFailure.refused(.response(code: 0x200F))),
        InvalidResponse(response(0x2001, 1), .notPTPIP),
        InvalidResponse(packet(.response), .notPTPIP),
        InvalidResponse(start(UInt64.max), .notPTPIP),
        InvalidResponse(start(UInt64(PTPIPHandshake.deviceInfoBytesMax) + 1), .notPTPIP),
        InvalidResponse(packet(.data, [1]), .notPTPIP),
        InvalidResponse(data([UInt8](repeating: 0, count: PTPIPHandshake.deviceInfoBytesMax + 1)), .notPTPIP),
        InvalidResponse(
            (0...PTPIPHandshake.strayPacketsMax).flatMap { _ in data([], last: false) }, .notPTPIP),
        InvalidResponse(data(Array(dataset.prefix(40))) + response(0x2001, 1), .notPTPIP),
        InvalidResponse(data([UInt8](repeating: 0xFF, count: 500)) + response(0x2001, 1), .notPTPIP),
        InvalidResponse(packet(.initCommandAck), .notPTPIP),
    ]

    @Test(arguments: wrongInformation)
    func `rejects invalid DeviceInfo and closes the session`(
        invalid: InvalidResponse
    ) {
        var handshake = Self.reached(.deviceInfo)
        let close = Self.packet(.request, Self.u32(1) + Self.u16(0x1003) + Self.u32(2))
        let actions = handshake.didReceive(invalid.bytes, on: .command)
        #expect(actions == [.send(close, on: .command), .failed(invalid.failure)])
    }

    @Test func `accepts DeviceInfo that ends after the model`() throws {
        let short = Self.dataset.dropLast(Self.string("1.2").count + Self.string("0815").count)
        let identity = try #require(DeviceIdentity(dataset: Array(short)))
        #expect(identity == DeviceIdentity(maker: "Canon Inc.", model: "EOS R5", serial: ""))
    }

    @Test func `handshake ends exactly once for any corrupted byte`() {
        let all =
            Self.acknowledgement + Self.response(0x2001, 0) + Self.start(UInt64(Self.dataset.count))
            + Self.data(Self.dataset) + Self.response(0x2001, 1) + Self.response(0x2001, 2)
        for index in all.indices {
            for value: UInt8 in [0x00, 0x7F, 0xFF] {
                var handshake = Self.fresh()
                _ = handshake.didConnect(.command)
                var bytes = all
                bytes[index] = value
                var ends = 0
                for byte in bytes {
                    for action in handshake.didReceive([byte], on: .command) {
                        switch action {
                        case .connect:
                            // The event connection succeeds immediately.
                            _ = handshake.didConnect(.event)
                            _ = handshake.didReceive(Self.eventAcknowledgement, on: .event)
                        case .found, .failed: ends += 1
                        case .send: break
                        }
                    }
                }
                if handshake.step != .over {
                    ends +=
                        handshake.didClose(.command).filter { if case .send = $0 { false } else { true } }
                        .count
                }
                #expect(ends == 1, "byte \(index) = \(value)")
            }
        }
    }

    @Test func `cancelled search closes the session that it opened`() {
        var handshake = Self.reached(.session)
        #expect(handshake.abandon() == nil)
        handshake = Self.reached(.deviceInfo)
        #expect(
            handshake.abandon()
                == Self.packet(.request, Self.u32(1) + Self.u16(0x1003) + Self.u32(2)))
        #expect(handshake.didTimeOut() == [])
    }
}
