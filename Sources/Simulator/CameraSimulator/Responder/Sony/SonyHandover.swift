/// Where a Sony puts its photos: values of StillImageStoreDestination, as libgphoto2 names them.
public enum SonyDestination: UInt16, Hashable, Sendable, CaseIterable {
    /// Only to the computer.
    case host = 0x0001
    /// Only on the card: nothing is handed over.
    case card = 0x0010
    /// On the card and to the computer.
    case both = 0x0011
}

/// What a Sony in PC Remote has in its memory for the computer, oldest first.
struct SonyHandover: Sendable {
    struct Photo: Hashable, Sendable {
        var handle: UInt32
        /// Looks at the properties until it can be read: it is announced before that.
        var looksLeft: Int
    }

    var waiting: [Photo] = []
    var isHalfPressed = false
    var isPressed = false
    /// Whether the computer's settings go before the body's dials (PriorityMode).
    var computerHasPriority = false

    /// The photo that stands behind the memory handle; `nil` while none can be read.
    var ready: UInt32? {
        guard let first = waiting.first, first.looksLeft == 0 else { return nil }
        return first.handle
    }

    /// ObjectInMemory (0xD215): the number of photos, with the top bit once the first can be read.
    var count: UInt16 { UInt16(clamping: waiting.count) | (ready == nil ? 0 : 0x8000) }

    mutating func lookedAt() {
        for index in waiting.indices where waiting[index].looksLeft > 0 { waiting[index].looksLeft -= 1 }
    }
}

extension Camera {
    /// Looks at the properties between a shot and the moment at which it can be read.
    private static let sonyLooks = 2

    /// New photos wait in the memory, where the camera is set to that.
    mutating func handOver(_ photos: [CardObject]) {
        guard identity.maker == .sony, session != nil, sonyDestination != .card else { return }
        handover.waiting += photos.map { SonyHandover.Photo(handle: $0.handle, looksLeft: Self.sonyLooks) }
        emit(.event(code: 0xC201, parameters: [Self.sonyMemoryHandle]))
    }

    /// A photo was read to its end: the next one takes its place.
    mutating func handedOver(_ handle: UInt32) {
        // A Nikon's memory handle goes on to the next photo as well; clients do not always delete.
        if identity.maker == .nikon, card[handle]?.storage == 0 { _ = card.remove(handle) }
        guard handover.waiting.first?.handle == handle else { return }
        handover.waiting.removeFirst()
        if card[handle]?.storage == 0 { _ = card.remove(handle) }
    }
}
