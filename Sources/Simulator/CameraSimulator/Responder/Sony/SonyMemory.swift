/// The photos that a Sony in PC Remote holds in memory for the computer.
struct SonyMemory: Sendable {
    struct Photo: Hashable, Sendable {
        var handle: UInt32
        /// The number of property polls until the photo can be read. The camera announces the photo earlier.
        var pollsLeft: Int
    }

    var photos: [Photo] = []

    /// The handle of the photo that the memory handle refers to, or `nil` while no photo can be read.
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
