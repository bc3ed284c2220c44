/// A reader that assembles PTP containers from transfers, and joins each request with its data.
struct ContainerReader: Sendable {
    /// A result of reading a transfer.
    enum Outcome: Hashable, Sendable {
        case request(PTPRequest)
        /// The bytes are not a container. Both bulk endpoints must halt.
        case invalid
    }

    private let maker: Maker
    private var pending: [UInt8] = []
    /// The request that still waits for its data, or `nil`.
    private var requestAwaitingData: PTPRequest?

    init(maker: Maker) { self.maker = maker }

    /// Discards incomplete containers and requests.
    mutating func reset() {
        pending = []
        requestAwaitingData = nil
    }

    /// Appends the bytes of one transfer and returns the results.
    mutating func read(_ bytes: [UInt8]) -> [Outcome] {
        pending += bytes
        var outcomes: [Outcome] = []
        while pending.count >= PTPContainer.headerBytes {
            var reader = ByteReader(pending)
            guard let length = reader.u32().map(Int.init), let number = reader.u16(),
                let code = reader.u16(), let transaction = reader.u32(),
                let kind = PTPContainer.Kind(rawValue: number),
                (PTPContainer.headerBytes...PTPContainer.bytesMax).contains(length)
            else { return outcomes + rejectInput() }
            guard pending.count >= length else { break }
            let payload = Array(pending[PTPContainer.headerBytes..<length])
            pending.removeFirst(length)
            switch kind {
            case .command: outcomes += command(code, transaction, payload).map(Outcome.request)
            case .data: outcomes += data(transaction, payload).map(Outcome.request)
            case .response, .event: return outcomes + rejectInput()
            }
        }
        return outcomes
    }

    private mutating func rejectInput() -> [Outcome] {
        reset()
        return [.invalid]
    }

    private mutating func command(_ code: UInt16, _ transaction: UInt32, _ payload: [UInt8]) -> [PTPRequest] {
        var request = PTPRequest(code: code, transaction: transaction)
        var reader = ByteReader(payload)
        while request.parameters.count < 5, let value = reader.u32() { request.parameters.append(value) }
        requestAwaitingData = nil
        // A command container has no field for whether data follows. The operation determines whether data
        // follows.
        guard PTPOperation(code: code, maker: maker)?.takesData == true else { return [request] }
        requestAwaitingData = request
        return []
    }

    private mutating func data(_ transaction: UInt32, _ payload: [UInt8]) -> [PTPRequest] {
        // The reader drops data for an operation without a data phase, because the camera has already
        // performed the request.
        guard var request = requestAwaitingData, request.transaction == transaction else { return [] }
        requestAwaitingData = nil
        request.data = payload
        return [request]
    }
}
