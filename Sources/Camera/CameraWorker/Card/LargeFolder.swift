/// A folder with too many objects to show all of them to the driver at once.
struct LargeFolder {
    /// The camera's handle of the folder.
    let handle: UInt32
    /// The handles of the folder's objects, in the camera's order.
    let order: [UInt32]
    private let positions: [UInt32: Int]
    private var handles: [String: UInt32] = [:]

    init(handle: UInt32, order: [UInt32]) {
        self.handle = handle
        self.order = order
        positions = Dictionary(zip(order, order.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The handle of the first object with this name. The driver finds the same object.
    subscript(name: String) -> UInt32? { handles[name] }

    /// Registers the name of an object.
    ///
    /// - Returns: `false` if another object already has this name.
    mutating func register(_ name: String, _ handle: UInt32) -> Bool {
        if let other = handles[name] { return other == handle }
        handles[name] = handle
        return true
    }

    /// Returns an object and the objects after it. Photos are usually fetched in the camera's order.
    func window(from object: UInt32, count: Int) -> ArraySlice<UInt32> {
        guard let start = positions[object] else { return [object] }
        return order[start..<min(order.count, start + count)]
    }
}
