extension SonyBody {
    /// The fixed handle that refers to the oldest photo in memory.
    static let memoryHandle: UInt32 = 0xFFFF_C001
    /// The number of property polls from a shot until its photo can be read.
    private static let pollsUntilReady = 2

    func resolved(_ handle: UInt32, on card: Card) -> UInt32 {
        handle == Self.memoryHandle ? memory.ready ?? handle : handle
    }

    /// Adds new photos to the memory. Does nothing without a session, or if the destination is the card only.
    mutating func handleShot(_ photos: [CardObject], on camera: inout CameraCore) {
        guard camera.session != nil, destination != .card else { return }
        memory.photos += photos.map {
            SonyMemory.Photo(handle: $0.handle, pollsLeft: Self.pollsUntilReady)
        }
        camera.emit(.event(code: 0xC201, parameters: [Self.memoryHandle]))
    }

    /// Removes a completely read photo from the memory. The memory handle then refers to the next photo.
    mutating func handleDelivery(of handle: UInt32, on camera: inout CameraCore) {
        guard memory.photos.first?.handle == handle else { return }
        memory.photos.removeFirst()
        if camera.card[handle]?.storage == 0 { _ = camera.card.remove(handle) }
    }
}
