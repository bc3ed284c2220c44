/// An IN endpoint, which fills the host's transfers with the camera's messages.
///
/// A transfer ends when the transfer is full, or after a short packet. A message whose last packet is full is
/// followed by an empty packet.
struct InEndpoint: Sendable {
    private struct Message: Sendable {
        var bytes: ByteRope
        var sent = 0
        var isWhole: Bool
    }

    private let packetBytes: Int
    private var waiting: [USBTransfer] = []
    private var messages: [Message] = []
    /// Whether the endpoint is halted. A halted endpoint stalls all transfers until the host clears the halt.
    private(set) var isHalted = false

    init(packetBytes: Int) { self.packetBytes = packetBytes }

    /// The number of messages that the host has read completely.
    private(set) var messagesRead = 0

    /// Adds a transfer of the host and returns the replies that are possible now.
    mutating func enqueue(_ transfer: USBTransfer) -> [USBIPReply] {
        guard !isHalted else { return [.stalled(transfer.sequence)] }
        waiting.append(transfer)
        return fillTransfers()
    }

    /// Adds a message, or the next part of an incomplete message, and returns the replies that are possible
    /// now.
    mutating func send(_ bytes: ByteRope, isWhole: Bool = true) -> [USBIPReply] {
        if let last = messages.indices.last, !messages[last].isWhole {
            messages[last].bytes.append(bytes)
            messages[last].isWhole = isWhole
        } else {
            messages.append(Message(bytes: bytes, isWhole: isWhole))
        }
        return fillTransfers()
    }

    /// Cancels a transfer.
    ///
    /// - Returns: Whether the transfer was still waiting.
    mutating func unlink(_ sequence: UInt32) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.sequence == sequence }) else { return false }
        waiting.remove(at: index)
        return true
    }

    /// Discards all messages that were not sent completely.
    mutating func flush() { messages = [] }

    /// Halts the endpoint, and returns a stall for each waiting transfer.
    mutating func halt() -> [USBIPReply] {
        isHalted = true
        messages = []
        defer { waiting = [] }
        return waiting.map { .stalled($0.sequence) }
    }

    /// Ends the halt.
    mutating func clearHalt() { isHalted = false }

    private mutating func fillTransfers() -> [USBIPReply] {
        var replies: [USBIPReply] = []
        while let transfer = waiting.first, let message = messages.first {
            let remaining = message.bytes.count - message.sent
            let count = min(remaining, transfer.length)
            guard message.isWhole || remaining >= transfer.length else { break }
            replies.append(.sent(transfer.sequence, message.bytes.slice(message.sent..<message.sent + count)))
            waiting.removeFirst()
            messages[0].sent += count
            let isShort = count < transfer.length || message.bytes.count % packetBytes != 0
            if message.isWhole && count == remaining && isShort {
                messages.removeFirst()
                messagesRead += 1
            }
        }
        return replies
    }
}
