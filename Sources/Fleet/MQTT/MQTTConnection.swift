import CMosquitto
import Glibc

/// Why there is no connection any more.
struct MQTTLoss: Error, Hashable {
    var reason: String

    init(_ reason: String) { self.reason = reason }

    /// What libmosquitto says of its error.
    init(_ code: Int32) {
        reason =
            code == MOSQ_ERR_ERRNO.rawValue
            ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code))
    }
}

/// One connection to a broker, from the first packet to its end; the next one is another, with nothing left over of this.
///
/// For one thread, which calls ``step(wake:)`` until that throws. libmosquitto's own loop is not used: it selects descriptors
/// below 1,024 only, and its thread ends for good on some errors without a word (lib/loop.c of 2.0.11).
final class MQTTConnection {
    private let handle: OpaquePointer
    private let tell: (MQTTNews) -> Void
    private let filters: [MQTTFilter]
    private var tokens: [Int32: UInt64] = [:]
    /// Whether the broker let us in.
    private(set) var isConnected = false
    private var loss: MQTTLoss?

    /// Packets that are taken at a time: until there are no more, for what TLS has read already wakes nobody.
    private static let packetsMax: Int32 = 100_000
    /// How long is waited for packets, in milliseconds: libmosquitto looks after its keepalive in between.
    private static let patienceMs: Int32 = 1_000

    /// Begins to connect. Blocks in the name service and in TCP.
    ///
    /// - Parameter tell: Told what happens, from ``step(wake:)``.
    init(_ settings: MQTTSettings, tell: @escaping (MQTTNews) -> Void) throws(MQTTLoss) {
        Self.prepared
        guard let handle = mosquitto_new(settings.clientID, true, nil) else {
            throw MQTTLoss("out of memory")
        }
        self.handle = handle
        self.tell = tell
        filters = settings.filters
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        listen()
        try check(mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5))
        if let user = settings.user {
            try check(mosquitto_username_pw_set(handle, user, settings.password))
        }
        if settings.isTLS {
            try check(
                mosquitto_tls_set(
                    handle, settings.certificates, settings.certificates == nil ? "/etc/ssl/certs" : nil, nil,
                    nil, nil))
            // That word is the oldest version that is taken.
            try check(mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil))
        }
        if let will = settings.will {
            var properties: OpaquePointer?
            defer { mosquitto_property_free_all(&properties) }
            try check(
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_WILL_DELAY_INTERVAL.rawValue), settings.willDelaySeconds))
            // The handle owns the properties once it has taken them.
            let taken = mosquitto_will_set_v5(
                handle, will.topic, Int32(will.payload.count), will.payload, will.quality.rawValue,
                will.isRetained, properties)
            if taken == MOSQ_ERR_SUCCESS.rawValue { properties = nil }
            try check(taken)
        }
        try check(
            mosquitto_connect_bind_v5(
                handle, settings.host, Int32(settings.port), settings.keepAliveSeconds, nil, nil))
    }

    deinit { mosquitto_destroy(handle) }

    private static let prepared: Void = { mosquitto_lib_init() }()

    private func check(_ code: Int32) throws(MQTTLoss) {
        guard code == MOSQ_ERR_SUCCESS.rawValue else { throw MQTTLoss(code) }
    }

    /// Waits for packets, or for something to send, and takes what came.
    ///
    /// - Parameter wake: Becomes readable when there is something to send; read empty here.
    func step(wake: Int32) throws(MQTTLoss) {
        let socket = mosquitto_socket(handle)
        guard socket >= 0 else { throw loss ?? MQTTLoss("the connection is closed") }
        let wants = Int16(POLLIN) | (mosquitto_want_write(handle) ? Int16(POLLOUT) : 0)
        var watched = [
            pollfd(fd: socket, events: wants, revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        if poll(&watched, 2, Self.patienceMs) < 0, errno != EINTR { throw MQTTLoss(MOSQ_ERR_ERRNO.rawValue) }
        if watched[1].revents != 0 {
            var count: UInt64 = 0
            _ = read(wake, &count, 8)
        }
        if watched[0].revents & ~Int16(POLLOUT) != 0 {
            try carryOn(mosquitto_loop_read(handle, Self.packetsMax))
        }
        if mosquitto_want_write(handle) { try carryOn(mosquitto_loop_write(handle, Self.packetsMax)) }
        try carryOn(mosquitto_loop_misc(handle))
    }

    private func carryOn(_ code: Int32) throws(MQTTLoss) {
        if let loss { throw loss }
        try check(code)
    }

    /// Sends a message.
    ///
    /// - Parameter token: Comes back with the broker's answer.
    func publish(_ message: MQTTMessage, token: UInt64) throws(MQTTLoss) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if let seconds = message.expirySeconds {
            try check(
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), seconds))
        }
        if let topic = message.responseTopic {
            try check(
                mosquitto_property_add_string(&properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), topic))
        }
        if let bytes = message.correlation {
            try check(
                mosquitto_property_add_binary(
                    &properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), bytes,
                    UInt16(clamping: bytes.count)))
        }
        var number: Int32 = 0
        try check(
            mosquitto_publish_v5(
                handle, &number, message.topic, Int32(message.payload.count), message.payload,
                message.quality.rawValue, message.isRetained, properties))
        tokens[number] = token
    }

    /// Says goodbye: the broker does not tell the will then.
    func close() {
        _ = mosquitto_disconnect_v5(handle, 0, nil)
        if mosquitto_want_write(handle) { _ = mosquitto_loop_write(handle, Self.packetsMax) }
    }

    // MARK: what libmosquitto tells

    private static func own(_ pointer: UnsafeMutableRawPointer?) -> MQTTConnection? {
        pointer.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func listen() {
        mosquitto_connect_v5_callback_set(handle) { _, pointer, code, _, _ in
            MQTTConnection.own(pointer)?.letIn(code)
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, pointer, code, _ in
            guard let self = MQTTConnection.own(pointer) else { return }
            self.isConnected = false
            // Numbers from 128 on are the broker's reasons, others are libmosquitto's.
            self.loss =
                self.loss
                ?? (code >= 128
                    ? MQTTLoss(String(cString: mosquitto_reason_string(code))) : MQTTLoss(code))
        }
        mosquitto_publish_v5_callback_set(handle) { _, pointer, number, code, _ in
            guard let self = MQTTConnection.own(pointer),
                let token = self.tokens.removeValue(forKey: number)
            else { return }
            self.tell(.acknowledged(token: token, MQTTReason(rawValue: code)))
        }
        mosquitto_message_v5_callback_set(handle) { _, pointer, message, properties in
            guard let self = MQTTConnection.own(pointer), let message = message?.pointee,
                let received = MQTTMessage(message, properties)
            else { return }
            self.tell(.message(received))
        }
    }

    private func letIn(_ code: Int32) {
        guard code == 0 else {
            loss = MQTTLoss("the broker refused: \(String(cString: mosquitto_reason_string(code)))")
            return
        }
        isConnected = true
        for filter in filters {
            let done = mosquitto_subscribe_v5(
                handle, nil, filter.topics, filter.quality.rawValue, 0, nil)
            if done != MOSQ_ERR_SUCCESS.rawValue { loss = MQTTLoss(done) }
        }
        tell(.connected)
    }
}

extension MQTTMessage {
    /// A message that came; `nil` for one that is too long or whose topic is no text.
    init?(_ message: mosquitto_message, _ properties: OpaquePointer?) {
        let length = Int(message.payloadlen)
        guard (0...Self.payloadBytesMax).contains(length), let name = message.topic,
            let topic = String(validatingCString: name)
        else { return nil }
        self.init(
            topic: topic,
            payload: message.payload.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) } ?? [],
            quality: Quality(rawValue: message.qos) ?? .atLeastOnce, isRetained: message.retain)
        var text: UnsafeMutablePointer<CChar>?
        if mosquitto_property_read_string(
            properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &text, false) != nil
        {
            responseTopic = text.flatMap { String(validatingCString: $0) }
            free(text)
        }
        var (bytes, count): (UnsafeMutableRawPointer?, UInt16) = (nil, 0)
        if mosquitto_property_read_binary(
            properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &bytes, &count, false) != nil
        {
            correlation = bytes.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(count))) }
            free(bytes)
        }
        var seconds: UInt32 = 0
        if mosquitto_property_read_int32(
            properties, Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), &seconds, false) != nil
        {
            expirySeconds = seconds
        }
    }
}
