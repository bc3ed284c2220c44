/// One request of the client, with the data that it sent along.
public struct PTPRequest: Hashable, Sendable {
    /// The raw operation code; may be one that nobody knows.
    public var code: UInt16
    /// Transaction number, chosen by the client.
    public var transaction: UInt32
    /// Up to five parameters.
    public var parameters: [UInt32]
    /// Data that came with the request.
    public var data: [UInt8]

    /// A request from raw values.
    public init(code: UInt16, transaction: UInt32 = 1, parameters: [UInt32] = [], data: [UInt8] = []) {
        self.code = code
        self.transaction = transaction
        self.parameters = parameters
        self.data = data
    }

    /// A request for a known operation.
    public init(_ operation: PTPOperation, _ parameters: UInt32..., data: [UInt8] = []) {
        self.init(code: operation.code, parameters: parameters, data: data)
    }

    /// A parameter; 0 when it was left out, as PTP has it.
    func parameter(_ index: Int) -> UInt32 { index < parameters.count ? parameters[index] : 0 }

    /// Two parameters as one number, the lower half first; what no object has is clamped.
    func wide(_ index: Int) -> Int {
        Int(clamping: UInt64(parameter(index)) | UInt64(parameter(index + 1)) << 32)
    }
}

/// What the camera answers to one request.
public struct PTPReply: Sendable {
    /// Response code.
    public var response: PTPResponse
    /// Up to five parameters of the response.
    public var parameters: [UInt32] = []
    /// Data sent before the response; `nil` for no data phase.
    public var data: ByteRope?
    /// The object bytes in `data`, so that the link can report what was delivered.
    public var delivery: ObjectDelivery?
    /// What goes wrong on the link while this is sent.
    public var mishap: LinkMishap?

    /// An answer without data.
    public init(_ response: PTPResponse, _ parameters: UInt32...) {
        self.response = response
        self.parameters = parameters
    }

    /// A good answer with data.
    public init(data: ByteRope) {
        response = .ok
        self.data = data
    }

    init(_ writer: ByteWriter) { self.init(data: ByteRope(writer.bytes)) }
}

/// A part of an object that a reply carries.
public struct ObjectDelivery: Hashable, Sendable {
    /// The object.
    public var handle: UInt32
    /// Bytes of the object that will have arrived when this reply has.
    public var through: Int
}

/// What goes wrong on the link. The responder decides, the link performs.
public enum LinkMishap: Hashable, Sendable {
    /// Both connections end after this many bytes of the data; `isReset` ends them with a TCP reset.
    case drop(afterBytes: Int, isReset: Bool)
    /// Both connections end and nobody can connect for this long.
    case linkDown(milliseconds: Int)
    /// Nothing is answered for this long; `nil` is for ever.
    case stall(milliseconds: Int?)
    /// Bytes that are no packet.
    case garbage
    /// This many bytes more than the data phase announced.
    case extraData(bytes: Int)
}

/// What the camera says without being asked.
public enum PTPEvent: Hashable, Sendable {
    /// An event with its parameters.
    case event(code: UInt16, parameters: [UInt32])
    /// Bytes put on the event channel as they are.
    case raw([UInt8])
    /// The camera closes the event connection.
    case close

    /// A new object (0x4002).
    static func objectInfoChanged(_ handle: UInt32) -> PTPEvent { .event(code: 0x4007, parameters: [handle]) }
    static func objectAdded(_ handle: UInt32) -> PTPEvent { .event(code: 0x4002, parameters: [handle]) }
    /// An object is gone (0x4003).
    static func objectRemoved(_ handle: UInt32) -> PTPEvent { .event(code: 0x4003, parameters: [handle]) }
    /// A property has another value (0x4006).
    static func propertyChanged(_ code: UInt16) -> PTPEvent {
        .event(code: 0x4006, parameters: [UInt32(code)])
    }
    /// The card is full (0x400A).
    static let storeFull = PTPEvent.event(code: 0x400A, parameters: [Card.storageID])
    /// A shot is done (0x400D).
    static let captureComplete = PTPEvent.event(code: 0x400D, parameters: [])
}
