import FrameFastModel

/// A camera's own memory for photos, which must be emptied for it to go on.
struct PhotoMemory {
    /// Part of the memory, in percent, from which on the daemon is told without asking.
    static let warnPercent: UInt64 = 70

    /// Size in bytes, as far as known.
    let bytes: UInt64
    private var sizes: [String: UInt64] = [:]
    private var hasWarned = false

    init(bytes: UInt64) { self.bytes = bytes }

    /// Photos in it.
    var count: Int { sizes.count }
    /// Bytes of them.
    var used: UInt64 { sizes.values.reduce(0, +) }

    /// A photo is in it.
    mutating func put(_ object: CameraObject) { sizes["\(object.folder)/\(object.name)"] = object.size }

    /// A photo was deleted.
    mutating func remove(folder: String, name: String) { sizes["\(folder)/\(name)"] = nil }

    /// Whether it has just become so full that someone should know, or has just become emptier than that again.
    mutating func changesWarning() -> Bool {
        let isDue = used * 100 >= bytes * Self.warnPercent
        defer { hasWarned = isDue }
        return isDue != hasWarned
    }
}
