/// A memory card: its capacity, and its folders and files by handle.
struct Card: Sendable {
    /// The ID of the card's storage: the first partition of the first slot (PIMA 15740, 5.2.1).
    static let storageID: UInt32 = 0x0001_0001

    /// The size of the card, in bytes.
    let capacityBytes: Int
    /// The sum of the file sizes, in bytes, without the objects outside the card (storage 0).
    private(set) var usedBytes = 0
    private var byHandle: [UInt32: CardObject] = [:]
    private var order: [UInt32] = []
    private var lastHandle: UInt32 = 0

    init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

    /// The space left on the card, in bytes.
    var freeBytes: Int { max(0, capacityBytes - usedBytes) }

    /// All folders and files on the card, in order of creation.
    var objects: some Sequence<CardObject> { order.lazy.compactMap { byHandle[$0] } }

    /// All files on the card, in order of creation.
    var files: some Sequence<CardObject> { objects.filter { !$0.isFolder } }

    /// The object with this handle, or `nil` if the card does not have it.
    subscript(handle: UInt32) -> CardObject? { byHandle[handle] }

    /// Adds an object under the next free handle and returns it with that handle.
    mutating func add(_ object: CardObject) -> CardObject {
        var object = object
        lastHandle += 1
        object.handle = lastHandle
        byHandle[lastHandle] = object
        order.append(lastHandle)
        if object.storage != 0 { usedBytes += object.bytes.count }
        return object
    }

    /// Changes an object in place. Does nothing for an unknown handle.
    mutating func update(_ handle: UInt32, _ change: (inout CardObject) -> Void) {
        guard var object = byHandle[handle] else { return }
        change(&object)
        byHandle[handle] = object
    }

    /// Removes a file, or a folder with all its contents, and returns the handles of the removed objects.
    mutating func remove(_ handle: UInt32) -> [UInt32] {
        guard let object = byHandle[handle] else { return [] }
        var removed: [UInt32] = []
        if object.isFolder {
            for child in order where byHandle[child]?.parent == handle { removed += remove(child) }
        }
        byHandle[handle] = nil
        if let index = order.lastIndex(of: handle) { order.remove(at: index) }
        if object.storage != 0 { usedBytes -= object.bytes.count }
        return removed + [handle]
    }

    /// Returns the folder with this name under `parent`. Creates the folder if it does not exist.
    mutating func folder(_ name: String, in parent: UInt32, at time: WallTime) -> (
        handle: UInt32, isNew: Bool
    ) {
        let text = CameraText(name)
        if let existing = objects.first(where: { $0.isFolder && $0.parent == parent && $0.name == text }) {
            return (existing.handle, false)
        }
        let created = add(
            CardObject(
                handle: 0, parent: parent, storage: Self.storageID, format: .association, name: text,
                time: time))
        return (created.handle, true)
    }

    /// Returns the path of an object's folder in libgphoto2's form: `/store_00010001/DCIM/100MEDIA`.
    func path(of object: CardObject) -> String {
        guard object.storage != 0 else { return "/" }
        var parts: [String] = []
        var parent = object.parent
        while let folder = byHandle[parent], parts.count < 16 {
            parts.append(folder.name.string)
            parent = folder.parent
        }
        let digits = String(object.storage, radix: 16)
        let store = "store_" + String(repeating: "0", count: 8 - digits.count) + digits
        return "/" + ([store] + parts.reversed()).joined(separator: "/")
    }
}
