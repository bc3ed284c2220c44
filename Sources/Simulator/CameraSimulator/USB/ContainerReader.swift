/// Puts a client's blocks together, and a request with the data that belongs to it.
struct ContainerReader: Sendable {
    /// What came of the bytes of one transfer.
    enum Outcome: Hashable, Sendable {
        case request(PTPRequest)
        /// Something that is no block: the endpoints halt.
        case nonsense
    }

    private let maker: Maker
    private var pending: [UInt8] = []
    /// A request whose data is still to come.
    private var announced: PTPRequest?

    init(maker: Maker) { self.maker = maker }

    /// Forgets what is not complete.
    mutating func reset() {
        pending = []
        announced = nil
    }

    /// Takes the bytes of one transfer.
    mutating func take(_ bytes: [UInt8]) -> [Outcome] {
        pending += bytes
        var outcomes: [Outcome] = []
        while pending.count >= PTPContainer.headerBytes {
            var reader = ByteReader(pending)
            guard let length = reader.u32().map(Int.init), let number = reader.u16(),
                let code = reader.u16(), let transaction = reader.u32(),
                let kind = PTPContainer.Kind(rawValue: number),
                (PTPContainer.headerBytes...PTPContainer.bytesMax).contains(length)
            else { return outcomes + nonsense() }
            guard pending.count >= length else { break }
            let payload = Array(pending[PTPContainer.headerBytes..<length])
            pending.removeFirst(length)
            switch kind {
            case .command: outcomes += command(code, transaction, payload).map(Outcome.request)
            case .data: outcomes += data(transaction, payload).map(Outcome.request)
            case .response, .event: return outcomes + nonsense()
            }
        }
        return outcomes
    }

    private mutating func nonsense() -> [Outcome] {
        reset()
        return [.nonsense]
    }

    private mutating func command(_ code: UInt16, _ transaction: UInt32, _ payload: [UInt8]) -> [PTPRequest] {
        var request = PTPRequest(code: code, transaction: transaction)
        var reader = ByteReader(payload)
        while request.parameters.count < 5, let value = reader.u32() { request.parameters.append(value) }
        announced = nil
        // A block does not say whether data follows: the operation does.
        guard PTPOperation(code: code, maker: maker)?.takesData == true else { return [request] }
        announced = request
        return []
    }

    private mutating func data(_ transaction: UInt32, _ payload: [UInt8]) -> [PTPRequest] {
        // Data for an operation that has none was answered with the request, and is dropped.
        guard var request = announced, request.transaction == transaction else { return [] }
        announced = nil
        request.data = payload
        return [request]
    }
}
