/// The objects of a folder that is too large for the driver to be shown at once.
struct LargeFolder {
    /// The camera's number for the folder.
    let handle: UInt32
    /// Its objects in the camera's order.
    let order: [UInt32]
    private let places: [UInt32: Int]
    private var handles: [String: UInt32] = [:]

    init(handle: UInt32, order: [UInt32]) {
        self.handle = handle
        self.order = order
        places = Dictionary(zip(order, order.indices), uniquingKeysWith: { first, _ in first })
    }

    /// The object of a name; the first of that name, as the driver finds it.
    subscript(name: String) -> UInt32? { handles[name] }

    /// An object has this name.
    ///
    /// - Returns: false when another one has it already.
    mutating func learn(_ name: String, _ handle: UInt32) -> Bool {
        if let other = handles[name] { return other == handle }
        handles[name] = handle
        return true
    }

    /// An object and those that follow it: photos are fetched in the camera's order.
    func window(from object: UInt32, count: Int) -> ArraySlice<UInt32> {
        guard let start = places[object] else { return [object] }
        return order[start..<min(order.count, start + count)]
    }
}
