/// The destination of a Sony's photos: values of StillImageStoreDestination, as libgphoto2 names them.
public enum SonyDestination: UInt16, Hashable, Sendable, CaseIterable {
    /// To the computer only.
    case host = 0x0001
    /// On the card only. The computer receives nothing.
    case card = 0x0010
    /// On the card and to the computer.
    case both = 0x0011
}

/// The photos that a Sony in PC Remote holds in memory for the computer, and the state of its buttons.
struct SonyMemory: Sendable {
    struct Photo: Hashable, Sendable {
        var handle: UInt32
        /// The number of property polls until the photo can be read. The camera announces the photo earlier.
        var pollsLeft: Int
    }

    var photos: [Photo] = []
    var isHalfPressed = false
    var isPressed = false
    /// Whether the computer's settings override the body's dials (PriorityMode).
    var computerHasPriority = false

    /// The handle of the photo behind the memory handle, or `nil` while no photo can be read.
    var ready: UInt32? {
        guard let first = photos.first, first.pollsLeft == 0 else { return nil }
        return first.handle
    }

    /// ObjectInMemory (0xD215): the number of photos, with the top bit set once the first photo can be read.
    var count: UInt16 { UInt16(clamping: photos.count) | (ready == nil ? 0 : 0x8000) }

    mutating func recordPoll() {
        for index in photos.indices where photos[index].pollsLeft > 0 { photos[index].pollsLeft -= 1 }
    }
}

extension Camera {
    /// The number of property polls from a shot until its photo can be read.
    private static let sonyPollsUntilReady = 2

    /// Adds new photos to the memory. Does nothing if the destination is the card only.
    mutating func addToSonyMemory(_ photos: [CardObject]) {
        guard identity.maker == .sony, session != nil, sonyDestination != .card else { return }
        sonyMemory.photos += photos.map {
            SonyMemory.Photo(handle: $0.handle, pollsLeft: Self.sonyPollsUntilReady)
        }
        emit(.event(code: 0xC201, parameters: [Self.sonyMemoryHandle]))
    }

    /// Removes a completely read photo from the memory. The next photo then takes its place.
    mutating func removeFromMemory(_ handle: UInt32) {
        // A Nikon's memory handle also advances to the next photo, because not all clients delete.
        if identity.maker == .nikon, card[handle]?.storage == 0 { _ = card.remove(handle) }
        guard sonyMemory.photos.first?.handle == handle else { return }
        sonyMemory.photos.removeFirst()
        if card[handle]?.storage == 0 { _ = card.remove(handle) }
    }
}
