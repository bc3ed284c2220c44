import FrameFastModel

/// The progress of reading a card: the folders and objects that are still to be read, in order.
///
/// libgphoto2 reads a folder in one call, with one request per object. On a slow link this takes seconds to
/// minutes. Meanwhile the worker can serve neither the shutter nor a new photo, and an interrupted call
/// starts over. So the worker reads a card object by object if the driver's call would delay a new photo
/// noticeably.
///
/// 1. The worker reads the folders and their handles. The driver reads a whole folder when a photo is
/// announced in it. With the handles, the worker can hide most of the folder from the driver.
/// 2. It reads new objects. It reports an object that an earlier connection read under the same handle from
/// the cache at once.
/// 3. It verifies the cached objects after all others, while the photographer is not shooting. Cameras
/// usually keep their handles, but PTP does not require it, so the worker verifies every cached object.
struct CardReading {
    /// A folder on the card.
    struct Folder: Hashable {
        /// The path as libgphoto2 spells it. `/` is the parent of all storages.
        var path: String
        /// The camera's handle of the folder, or `nil` for the parent of all storages.
        var handle: UInt32?
        /// The number of parent folders.
        var depth: Int
    }

    /// The next request to the camera.
    enum Step: Hashable {
        /// Read the handles in a folder.
        case folder(Folder)
        /// Read a new object.
        case object(UInt32, in: Folder)
        /// Verify that a cached object is unchanged.
        case recheck(UInt32, in: Folder)
    }

    /// The longest uninterrupted read by the driver, in milliseconds. A longer read delays a new photo
    /// noticeably.
    static let driverMs = 250
    /// The minimum of ``readLimit(answerMs:)``. For so few objects, reading one by one saves no time, however
    /// slow the camera is.
    static let readLimitMin = 10
    /// The minimum of ``window(answerMs:)``. Each window needs a new driver session, which costs about ten
    /// requests.
    static let windowMin = 20

    /// Returns the number of objects that the driver may read in one call.
    ///
    /// - Parameter answerMs: The time that the camera takes to describe one object, in milliseconds.
    static func readLimit(answerMs: Double) -> Int { count(answerMs, least: readLimitMin) }

    /// Returns the number of objects that the worker shows to the driver so that it finds one of them.
    static func window(answerMs: Double) -> Int { count(answerMs, least: windowMin) }

    private static func count(_ answerMs: Double, least: Int) -> Int {
        max(least, Int(Double(driverMs) / max(answerMs, 0.001)))
    }

    /// The depths at which DCF has only folders: the storages and DCIM.
    private static let folderDepths = 0...1

    private struct Level {
        var folder: Folder
        var unread: ArraySlice<UInt32>
    }

    /// The folders whose handles are still to be read.
    private var pendingFolders: [Folder]
    /// The folders whose handles are known, in the camera's order. The worker reads the first one.
    private var levels: [Level] = []
    /// The number of levels after the first that are its subfolders.
    private var inner = 0
    private var cached: [(handle: UInt32, folder: Folder)] = []
    private var foldersSeen = 0

    /// Creates a reading that starts at the parent of all storages.
    init() { pendingFolders = [Folder(path: "/", handle: nil, depth: 0)] }

    /// Removes and returns the next step, or returns `nil` if every object is read and verified.
    mutating func next() -> Step? {
        if !pendingFolders.isEmpty { return .folder(pendingFolders.removeFirst()) }
        while !levels.isEmpty {
            if let handle = levels[0].unread.popFirst() { return .object(handle, in: levels[0].folder) }
            levels.removeFirst()
            inner = 0
        }
        return cached.popLast().map { .recheck($0.handle, in: $0.folder) }
    }

    /// Whether the worker is still searching for folders, at the depths where cameras have them.
    var isFindingFolders: Bool {
        !pendingFolders.isEmpty
            || levels.contains { Self.folderDepths.contains($0.folder.depth) && !$0.unread.isEmpty }
    }

    /// Whether every object is read. Cached objects may still have to be verified.
    var isComplete: Bool { pendingFolders.isEmpty && levels.allSatisfy(\.unread.isEmpty) }

    /// Whether every object is read and verified.
    var isOver: Bool { isComplete && cached.isEmpty }

    /// Adds the handles that the camera reported for a folder.
    ///
    /// - Parameter isKnown: Returns whether the cache has the object of a handle.
    /// - Returns: The handles of the cached objects.
    mutating func addHandles(_ handles: [UInt32], in folder: Folder, isKnown: (UInt32) -> Bool) -> [UInt32] {
        foldersSeen += 1
        guard foldersSeen <= DriverConnection.folderLimit else { return [] }
        let level = Level(folder: folder, unread: handles.filter { !isKnown($0) }[...])
        if levels.isEmpty {
            levels = [level]
        } else {
            inner += 1
            levels.insert(level, at: min(inner, levels.count))
        }
        let known = handles.filter(isKnown)
        // ``next()`` removes from the end, so the first object is verified first.
        cached.insert(contentsOf: known.reversed().map { ($0, folder) }, at: 0)
        return known
    }

    /// Adds an object that is a folder.
    mutating func addFolder(_ handle: UInt32, name: String, storage: UInt32, in folder: Folder) {
        guard folder.depth < DriverConnection.folderDepth else { return }
        pendingFolders.append(
            Folder(
                path: Self.path(of: folder, storage: storage) + "/" + name, handle: handle,
                depth: folder.depth + 1))
    }

    /// Returns the path of the folder that contains an object, as libgphoto2 spells it.
    static func path(of folder: Folder, storage: UInt32) -> String {
        guard folder.handle == nil else { return folder.path }
        return "/store_" + Hex.text(storage)
    }
}
