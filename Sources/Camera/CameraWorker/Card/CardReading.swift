import FrameFastModel

/// A large card on its way into a list: what is still to be read, in which order.
///
/// libgphoto2 reads a folder in one call, one question an object: on a slow link that takes minutes in which neither
/// the shutter nor a new photo is served, and which start over when they are cut short. So a folder that is too large
/// for that is read object by object, new ones first: an object that an earlier session has read, as far as its handle
/// tells, is told of from memory at once and asked for again when all the others are through. Cameras keep handles as
/// a rule, but nothing obliges them to, so each is asked for in the end.
struct CardReading {
    /// A folder on the card.
    struct Folder: Hashable {
        /// As libgphoto2 spells it; `/` is above all storages.
        var path: String
        /// The camera's number for it; `nil` above the storages.
        var handle: UInt32?
        /// Folders above it.
        var depth: Int
    }

    /// What to ask the camera next.
    enum Step: Hashable {
        /// What is in a folder.
        case folder(Folder)
        /// An object that nobody has read.
        case object(UInt32, in: Folder)
        /// An object that was told of from memory: whether it still is what it was.
        case recheck(UInt32, in: Folder)
    }

    /// The driver may read for this long without a pause, in milliseconds: longer, and a new photo waits noticeably.
    static let driverMs = 2_000
    /// Objects that the driver may always read in one go, however slow the camera.
    static let atOnceMin = 100

    /// Objects that the driver may read in one go.
    ///
    /// - Parameter answerMs: time that the camera takes to tell of one.
    static func atOnce(answerMs: Double) -> Int {
        let count = Double(driverMs) / max(answerMs, 0.001)
        return max(atOnceMin, Int(count))
    }

    private var folders: [Folder]
    private var inner: [Folder] = []
    private var unread: ArraySlice<UInt32> = []
    private var current: Folder
    private var recalled: [(handle: UInt32, folder: Folder)] = []
    private var foldersSeen = 0

    /// Starts above the storages.
    init() {
        current = Folder(path: "/", handle: nil, depth: 0)
        folders = [current]
    }

    /// The next step; `nil` when all is read and checked.
    mutating func next() -> Step? {
        if let handle = unread.popFirst() { return .object(handle, in: current) }
        folders += inner.reversed()
        inner = []
        if let folder = folders.popLast() {
            current = folder
            return .folder(folder)
        }
        return recalled.popLast().map { .recheck($0.handle, in: $0.folder) }
    }

    /// Whether everything was told of, and only what came from memory is still to be checked.
    var isComplete: Bool { unread.isEmpty && inner.isEmpty && folders.isEmpty }

    /// Whether nothing is left to do.
    var isOver: Bool { isComplete && recalled.isEmpty }

    /// The answer to `folder`.
    ///
    /// - Parameter isKnown: whether an object can be told of from memory.
    /// - Returns: those that can.
    mutating func found(_ handles: [UInt32], in folder: Folder, isKnown: (UInt32) -> Bool) -> [UInt32] {
        foldersSeen += 1
        guard foldersSeen <= CameraSession.folderLimit else { return [] }
        unread = handles.filter { !isKnown($0) }[...]
        let known = handles.filter(isKnown)
        // Taken from the end: the first is checked first.
        recalled.insert(contentsOf: known.reversed().map { ($0, folder) }, at: 0)
        return known
    }

    /// An object turned out to be a folder.
    mutating func foundFolder(_ handle: UInt32, name: String, storage: UInt32, in folder: Folder) {
        guard folder.depth < CameraSession.folderDepth else { return }
        inner.append(
            Folder(
                path: Self.path(of: folder, storage: storage) + "/" + name, handle: handle,
                depth: folder.depth + 1))
    }

    /// Where an object of a folder lies, as libgphoto2 spells it.
    static func path(of folder: Folder, storage: UInt32) -> String {
        guard folder.handle == nil else { return folder.path }
        return "/store_" + Hex.text(storage)
    }
}

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
