import Glibc

/// The PTP/IP handshake with a camera, from the greeting (Init_Command_Request) to the camera's identity and
/// the end of the PTP session.
///
/// The handshake is a state machine without sockets or clocks. Its input is bytes and events, and its output
/// is actions. The handshake follows libgphoto2's order: greeting, event connection, PTP session, DeviceInfo.
/// The handshake then closes the PTP session, because a worker must be able to open a session.
struct PTPIPHandshake: Sendable {
    /// The two TCP connections of PTP/IP.
    enum Channel: Hashable, Sendable { case command, event }

    /// The step that the handshake waits for. Each step has its own time limit.
    enum Step: Hashable, Sendable {
        case connection, acknowledgement, eventConnection, eventAcknowledgement, session, deviceInfo
        case closeSession
        case over
    }

    /// An action for the caller.
    enum Action: Hashable, Sendable {
        /// Opens a connection after a pause.
        case connect(Channel, afterMs: Int)
        case send([UInt8], on: Channel)
        /// A camera responded at the address. Close both connections.
        case found(FoundCamera)
        /// No usable camera responded at the address. Close both connections.
        case failed(ProbeFailure)
    }

    /// The maximum number of data packets and of packets outside a response (events, keep-alives).
    static let strayPacketsMax = 64
    /// The maximum size of a DeviceInfo dataset, in bytes. Real datasets have up to 2 KiB.
    static let deviceInfoBytesMax = 32 * 1024
    /// The maximum length of a camera's name, in UTF-16 units. The standard allows 39.
    static let nameUnitsMax = 255
    /// The maximum number of retries of the event connection. A Ricoh Theta refuses the first attempts
    /// (`ptp_ptpip_connect` tries three times).
    static let eventRetriesMax = 2
    static let eventRetryMs = 100

    private enum Operation {
        static let getDeviceInfo: UInt16 = 0x1001
        static let openSession: UInt16 = 0x1002
        static let closeSession: UInt16 = 0x1003
    }
    private enum Response {
        static let ok: UInt16 = 0x2001
        static let sessionAlreadyOpen: UInt16 = 0x201E
    }

    let address: NetworkAddress
    private let greeting: PTPIPPacket
    private(set) var step = Step.connection

    private var commandBytes = PTPIPPacketParser()
    private var eventBytes = PTPIPPacketParser()
    private var cameraName = ""
    private var connection: UInt32 = 0
    private var dataset: [UInt8] = []
    private var identity: DeviceIdentity?
    private var isSessionOurs = false
    private var strayPackets = 0
    private var eventRetries = 0

    init(address: NetworkAddress, guid: ServiceGUID, hostName: HostName) {
        self.address = address
        greeting = .initCommandRequest(guid: guid.bytes, hostName: hostName.bytes)
    }

    // MARK: Events

    mutating func didConnect(_ channel: Channel) -> [Action] {
        switch (step, channel) {
        case (.connection, .command):
            step = .acknowledgement
            return [.send(greeting.bytes, on: .command)]
        case (.eventConnection, .event):
            step = .eventAcknowledgement
            return [.send(PTPIPPacket.initEventRequest(connection: connection).bytes, on: .event)]
        default: return []
        }
    }

    mutating func connectionFailed(_ channel: Channel, errno: Int32) -> [Action] {
        if step == .eventConnection, channel == .event, errno == ECONNREFUSED,
            eventRetries < Self.eventRetriesMax
        {
            eventRetries += 1
            return [.connect(.event, afterMs: Self.eventRetryMs)]
        }
        return fail(ProbeFailure(errno: errno))
    }

    mutating func didReceive(_ bytes: some Collection<UInt8>, on channel: Channel) -> [Action] {
        guard step != .over else { return [] }
        var actions: [Action] = []
        do {
            switch channel {
            case .command:
                commandBytes.append(bytes)
                while step != .over, let packet = try commandBytes.next() { actions += handlePacket(packet) }
            case .event:
                eventBytes.append(bytes)
                while step != .over, let packet = try eventBytes.next() {
                    actions += handleEventPacket(packet)
                }
            }
        } catch {
            actions += finish(or: .notPTPIP)
        }
        return actions
    }

    /// Handles a connection that the peer closed.
    mutating func didClose(_ channel: Channel) -> [Action] {
        let hasPartialPacket =
            channel == .command ? commandBytes.hasPartialPacket : eventBytes.hasPartialPacket
        return finish(or: hasPartialPacket ? .notPTPIP : .refused(.hungUp))
    }

    /// Handles the timeout of ``step``.
    mutating func didTimeOut() -> [Action] {
        finish(or: step == .acknowledgement && !commandBytes.hasPartialPacket ? .refused(.silent) : .timeout)
    }

    /// Ends the handshake without an outcome.
    ///
    /// - Returns: The CloseSession request to send without waiting for a response, or `nil` if the handshake
    ///   has no open PTP session.
    mutating func abandon() -> [UInt8]? {
        defer { step = .over }
        return step == .deviceInfo && isSessionOurs ? closeRequest.bytes : nil
    }

    // MARK: Packets

    private mutating func handlePacket(_ packet: PTPIPPacket) -> [Action] {
        if packet.kind == .initFail {
            var reader = LittleEndianReader(packet.payload)
            return fail(.refused(.initFail(reason: reader.number(UInt32.self) ?? 3)))
        }
        switch (step, packet.kind) {
        case (.acknowledgement, .initCommandAck): return handleAcknowledgement(packet)
        case (.session, .response): return handleSessionResponse(packet)
        case (.deviceInfo, .startData): return handleDataStart(packet)
        case (.deviceInfo, .data), (.deviceInfo, .endData): return handleData(packet)
        case (.deviceInfo, .response): return handleDeviceInfoResponse(packet)
        case (.closeSession, .response): return finish(or: .notPTPIP)
        case (.acknowledgement, _): return fail(.notPTPIP)
        default: return handleStrayPacket(packet, on: .command)
        }
    }

    private mutating func handleEventPacket(_ packet: PTPIPPacket) -> [Action] {
        switch (step, packet.kind) {
        case (.eventAcknowledgement, .initEventAck):
            step = .session
            let open = PTPIPPacket.request(Operation.openSession, transaction: 0, 1)
            return [.send(open.bytes, on: .command)]
        case (_, .initFail):
            var reader = LittleEndianReader(packet.payload)
            return fail(.refused(.initFail(reason: reader.number(UInt32.self) ?? 3)))
        case (.eventAcknowledgement, _): return fail(.notPTPIP)
        default: return handleStrayPacket(packet, on: .event)
        }
    }

    private mutating func handleStrayPacket(_ packet: PTPIPPacket, on channel: Channel) -> [Action] {
        strayPackets += 1
        guard strayPackets <= Self.strayPacketsMax else { return finish(or: .notPTPIP) }
        switch packet.kind {
        case .probeRequest: return [.send(PTPIPPacket.probeResponse.bytes, on: channel)]
        case .event, .cancel, .probeResponse: return []
        default: return finish(or: .notPTPIP)
        }
    }

    private mutating func handleAcknowledgement(_ packet: PTPIPPacket) -> [Action] {
        var reader = LittleEndianReader(packet.payload)
        guard let connection = reader.number(UInt32.self), reader.readBytes(ServiceGUID.byteCount) != nil,
            let name = reader.terminatedText(unitsMax: Self.nameUnitsMax)
        else { return fail(.notPTPIP) }
        self.connection = connection
        cameraName = name
        step = .eventConnection
        return [.connect(.event, afterMs: 0)]
    }

    private mutating func handleSessionResponse(_ packet: PTPIPPacket) -> [Action] {
        guard let code = Self.responseCode(packet) else { return fail(.notPTPIP) }
        // Also accepts a PTP session that was already open. The handshake closes only its own session.
        guard code == Response.ok || code == Response.sessionAlreadyOpen else {
            return fail(.refused(.response(code: code)))
        }
        isSessionOurs = code == Response.ok
        step = .deviceInfo
        return [.send(PTPIPPacket.request(Operation.getDeviceInfo, transaction: 1).bytes, on: .command)]
    }

    private mutating func handleDataStart(_ packet: PTPIPPacket) -> [Action] {
        var reader = LittleEndianReader(packet.payload)
        guard dataset.isEmpty, reader.number(UInt32.self) != nil, let length = reader.number(UInt64.self),
            length <= UInt64(Self.deviceInfoBytesMax)
        else { return fail(.notPTPIP) }
        return []
    }

    private mutating func handleData(_ packet: PTPIPPacket) -> [Action] {
        var reader = LittleEndianReader(packet.payload)
        guard reader.number(UInt32.self) != nil else { return fail(.notPTPIP) }
        // Data packets count as stray packets, which limits the number of empty packets.
        strayPackets += 1
        dataset += reader.remaining
        guard dataset.count <= Self.deviceInfoBytesMax, strayPackets <= Self.strayPacketsMax else {
            return fail(.notPTPIP)
        }
        return []
    }

    private mutating func handleDeviceInfoResponse(_ packet: PTPIPPacket) -> [Action] {
        guard let code = Self.responseCode(packet) else { return fail(.notPTPIP) }
        guard code == Response.ok else { return fail(.refused(.response(code: code))) }
        guard let identity = DeviceIdentity(dataset: dataset) else { return fail(.notPTPIP) }
        self.identity = identity
        step = .closeSession
        return isSessionOurs ? [.send(closeRequest.bytes, on: .command)] : finish(or: .notPTPIP)
    }

    // MARK: End

    private var closeRequest: PTPIPPacket { .request(Operation.closeSession, transaction: 2) }

    private static func responseCode(_ packet: PTPIPPacket) -> UInt16? {
        var reader = LittleEndianReader(packet.payload)
        return reader.number(UInt16.self)
    }

    /// Ends the handshake. The result is the camera if its identity has arrived, otherwise `failure`.
    private mutating func finish(or failure: ProbeFailure) -> [Action] {
        guard step == .closeSession, let identity else { return fail(failure) }
        step = .over
        return [
            .found(
                FoundCamera(
                    address: address, name: cameraName, maker: identity.maker, model: identity.model,
                    serial: identity.serial))
        ]
    }

    private mutating func fail(_ failure: ProbeFailure) -> [Action] {
        guard step != .over else { return [] }
        let closeAction = abandon().map { Action.send($0, on: .command) }
        return (closeAction.map { [$0] } ?? []) + [.failed(failure)]
    }
}
