import FrameFastModel

/// The progress of reading a card: an ordered queue of the folders and objects to read.
///
/// libgphoto2 reads a folder in one call with one request per object, which takes seconds to minutes on a
/// slow link. During the call, the worker can handle neither shutter releases nor new photos, and an
/// interrupted call starts from the beginning. If the call would delay a new photo noticeably, the worker
/// reads the card object by object instead:
///
/// 1. The worker reads the folders and their handles. With these handles, the worker can hide most of a
/// folder from the driver. Otherwise, the driver would read the whole folder when a photo is announced there.
/// 2. The worker reads new objects. If an earlier connection read objects under the same handles, the worker
/// immediately reports these objects from the cache.
/// 3. The worker verifies the cached objects last, while the photographer is not shooting. Cameras usually
/// keep their handles, but PTP does not require this.
struct CardReading {
    /// A folder on the card.
    struct Folder: Hashable {
        /// The path in libgphoto2's format. `/` is the parent of all storages.
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

    /// The maximum folder depth. DCIM/100ABCDE has depth 2. The limit ends a listing of endlessly nested
    /// folders.
    static let folderDepth = 8
    /// The maximum number of folders in one listing. DCF allows 900 in DCIM.
    static let folderLimit = 10_000
    /// The maximum duration of a driver call that reads a folder, in milliseconds. A longer call delays a new
    /// photo noticeably.
    static let driverMs = 250
    /// The minimum result of ``readLimit(responseMs:)``. With fewer objects, reading one by one saves no time
    /// on any camera.
    static let readLimitMin = 10
    /// The minimum result of ``window(responseMs:)``. Each window requires a new connection of the driver,
    /// and opening a connection takes about ten requests.
    static let windowMin = 20

    /// Returns the number of objects that the driver may read in one call.
    ///
    /// - Parameter responseMs: The time that the camera takes to describe one object, in milliseconds.
    static func readLimit(responseMs: Double) -> Int { count(responseMs, least: readLimitMin) }

    /// Returns the number of objects that the worker shows to the driver when the driver has to find one
    /// object.
    static func window(responseMs: Double) -> Int { count(responseMs, least: windowMin) }

    private static func count(_ responseMs: Double, least: Int) -> Int {
        max(least, Int(Double(driverMs) / max(responseMs, 0.001)))
    }

    /// The depths at which DCF contains only folders: the storages and DCIM.
    private static let folderDepths = 0...1

    private struct Level {
        var folder: Folder
        var unread: ArraySlice<UInt32>
    }

    /// The folders whose handles the worker has not read yet.
    private var pendingFolders: [Folder]
    /// The folders whose handles were read, in the camera's order. ``next()`` takes objects from the first
    /// folder.
    private var levels: [Level] = []
    /// The number of subfolders of the first level in ``levels``. They directly follow the first level.
    private var subfolderLevels = 0
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
            subfolderLevels = 0
        }
        return cached.popLast().map { .recheck($0.handle, in: $0.folder) }
    }

    /// Whether the worker still has to read folders, or objects at the depths where cameras have folders.
    var isFindingFolders: Bool {
        !pendingFolders.isEmpty
            || levels.contains { Self.folderDepths.contains($0.folder.depth) && !$0.unread.isEmpty }
    }

    /// Whether all objects are read. Cached objects may still need verification.
    var isComplete: Bool { pendingFolders.isEmpty && levels.allSatisfy(\.unread.isEmpty) }

    /// Whether all objects are read and verified.
    var isOver: Bool { isComplete && cached.isEmpty }

    /// Adds the handles that the camera reported for a folder.
    ///
    /// - Parameter isKnown: Returns whether the cache contains the object of a handle.
    /// - Returns: The handles of the cached objects.
    mutating func addHandles(_ handles: [UInt32], in folder: Folder, isKnown: (UInt32) -> Bool) -> [UInt32] {
        foldersSeen += 1
        guard foldersSeen <= Self.folderLimit else { return [] }
        let level = Level(folder: folder, unread: handles.filter { !isKnown($0) }[...])
        if levels.isEmpty {
            levels = [level]
        } else {
            subfolderLevels += 1
            levels.insert(level, at: min(subfolderLevels, levels.count))
        }
        let known = handles.filter(isKnown)
        // ``next()`` removes from the end. With the reversed order, the first object is verified first.
        cached.insert(contentsOf: known.reversed().map { ($0, folder) }, at: 0)
        return known
    }

    /// Adds a subfolder to the queue.
    mutating func addFolder(_ handle: UInt32, name: String, storage: UInt32, in folder: Folder) {
        guard folder.depth < Self.folderDepth else { return }
        pendingFolders.append(
            Folder(
                path: Self.path(of: folder, storage: storage) + "/" + name, handle: handle,
                depth: folder.depth + 1))
    }

    /// Returns the path of the folder that contains an object, in libgphoto2's format.
    static func path(of folder: Folder, storage: UInt32) -> String {
        guard folder.handle == nil else { return folder.path }
        return "/store_" + Hex.text(storage)
    }
}
