/// An endpoint to the host: what the camera has to say meets the transfers that the host has ready.
///
/// A transfer ends when it is full or with a packet that is not; what fills its last packet is followed by an empty one.
struct InPipe: Sendable {
    private struct Message: Sendable {
        var bytes: ByteRope
        var sent = 0
        var isWhole: Bool
    }

    private let packetBytes: Int
    private var waiting: [USBTransfer] = []
    private var messages: [Message] = []
    /// Whether the endpoint refuses everything until the host clears it.
    private(set) var isHalted = false

    init(packetBytes: Int) { self.packetBytes = packetBytes }

    /// Messages that the host has taken to their end.
    private(set) var messagesTaken = 0

    /// The host is ready for bytes.
    mutating func ask(_ transfer: USBTransfer) -> [USBIPReply] {
        guard !isHalted else { return [.stalled(transfer.sequence)] }
        waiting.append(transfer)
        return move()
    }

    /// The camera has a message, or more of the one that is not whole yet.
    mutating func offer(_ bytes: ByteRope, isWhole: Bool = true) -> [USBIPReply] {
        if let last = messages.indices.last, !messages[last].isWhole {
            messages[last].bytes.append(bytes)
            messages[last].isWhole = isWhole
        } else {
            messages.append(Message(bytes: bytes, isWhole: isWhole))
        }
        return move()
    }

    /// Takes a transfer back.
    ///
    /// - Returns: whether it was still waiting.
    mutating func unlink(_ sequence: UInt32) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.sequence == sequence }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Forgets what was not sent yet.
    mutating func flush() { messages = [] }

    /// Refuses everything from now on.
    mutating func halt() -> [USBIPReply] {
        isHalted = true
        messages = []
        defer { waiting = [] }
        return waiting.map { .stalled($0.sequence) }
    }

    /// The host has cleared the endpoint.
    mutating func clearHalt() { isHalted = false }

    private mutating func move() -> [USBIPReply] {
        var replies: [USBIPReply] = []
        while let transfer = waiting.first, let message = messages.first {
            let left = message.bytes.count - message.sent
            let count = min(left, transfer.length)
            guard message.isWhole || left >= transfer.length else { break }
            replies.append(.sent(transfer.sequence, message.bytes.slice(message.sent..<message.sent + count)))
            waiting.removeFirst()
            messages[0].sent += count
            let isShort = count < transfer.length || message.bytes.count % packetBytes != 0
            if message.isWhole && count == left && isShort {
                messages.removeFirst()
                messagesTaken += 1
            }
        }
        return replies
    }
}
