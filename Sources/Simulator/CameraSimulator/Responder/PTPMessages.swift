/// A request of a client, with its data phase.
struct PTPRequest: Hashable, Sendable {
    /// The raw operation code, which may be unknown.
    var code: UInt16
    /// The transaction number, which the client chooses.
    var transaction: UInt32 = 1
    /// The parameters, at most five.
    var parameters: [UInt32] = []
    var data: [UInt8] = []
}

extension PTPRequest {
    init(_ operation: PTPOperation, _ parameters: UInt32..., data: [UInt8] = []) {
        self.init(code: operation.code, parameters: parameters, data: data)
    }

    /// Returns a parameter, or 0 if it was omitted, as PTP requires.
    func parameter(_ index: Int) -> UInt32 { index < parameters.count ? parameters[index] : 0 }

    /// Returns two parameters as one 64-bit number, lower half first, clamped to the range of `Int`.
    func wide(_ index: Int) -> Int {
        Int(clamping: UInt64(parameter(index)) | UInt64(parameter(index + 1)) << 32)
    }
}

/// The camera's reply to one request.
struct PTPReply: Sendable {
    var response: PTPResponse
    /// The parameters of the response, at most five.
    var parameters: [UInt32] = []
    /// The data before the response, or `nil` for a reply without a data phase.
    var data: ByteRope?
    /// The part of an object in `data`, or `nil` if `data` is not part of an object. The link reports when
    /// the part is delivered.
    var delivery: ObjectDelivery?
    /// The fault that the link performs while it sends the reply, or `nil`.
    var linkFault: LinkFault?

    init(_ response: PTPResponse, _ parameters: UInt32...) {
        self.response = response
        self.parameters = parameters
    }

    init(data: ByteRope) {
        response = .ok
        self.data = data
    }

    init(_ writer: ByteWriter) { self.init(data: ByteRope(writer.bytes)) }
}

/// A part of an object in a reply.
struct ObjectDelivery: Hashable, Sendable {
    var handle: UInt32
    /// The end offset of the part in the object, in bytes.
    var through: Int
}

/// A fault on the link. The responder chooses the fault, and the link performs the fault.
enum LinkFault: Hashable, Sendable {
    /// Both connections close after this many bytes of the data. `isReset` closes them with a TCP reset.
    case drop(afterBytes: Int, isReset: Bool)
    /// Both connections close, and no client can connect for this time.
    case linkDown(milliseconds: Int)
    /// The reply is delayed by this time, or never sent if the time is `nil`.
    case stall(milliseconds: Int?)
    /// The reply is replaced by bytes that are not a packet.
    case garbage
    /// The data phase contains this many bytes more than announced.
    case extraData(bytes: Int)
}

/// An event from the camera.
enum PTPEvent: Hashable, Sendable {
    case event(code: UInt16, parameters: [UInt32])
    /// Bytes that are sent unchanged on the event channel.
    case raw([UInt8])
    /// The camera closes the event connection.
    case close

    /// Returns the event ObjectInfoChanged (0x4007).
    static func objectInfoChanged(_ handle: UInt32) -> PTPEvent { .event(code: 0x4007, parameters: [handle]) }
    /// Returns the event ObjectAdded (0x4002).
    static func objectAdded(_ handle: UInt32) -> PTPEvent { .event(code: 0x4002, parameters: [handle]) }
    /// Returns the event ObjectRemoved (0x4003).
    static func objectRemoved(_ handle: UInt32) -> PTPEvent { .event(code: 0x4003, parameters: [handle]) }
    /// Returns the event DevicePropChanged (0x4006).
    static func propertyChanged(_ code: UInt16) -> PTPEvent {
        .event(code: 0x4006, parameters: [UInt32(code)])
    }
    /// The card is full (0x400A).
    static let storeFull = PTPEvent.event(code: 0x400A, parameters: [Card.storageID])
    /// A shot is complete (0x400D).
    static let captureComplete = PTPEvent.event(code: 0x400D, parameters: [])
}
