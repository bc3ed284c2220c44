import FrameFastModel

/// A card on its way into a list: what is still to be read, in which order.
///
/// libgphoto2 reads a folder in one call, one question an object: on a slow link that takes seconds to minutes in which
/// neither the shutter nor a new photo is served, and which start over when they are cut short. So a card that would keep
/// a new photo waiting noticeably is read object by object. First comes which folders there are and which handles they
/// have: from then on the driver, which reads a folder when a photo is announced in it, can be kept from reading all of
/// it. Then come new objects: one that an earlier session has read, as far as its handle tells, is told of from memory at
/// once and asked for again when all the others are through and nobody shoots. Cameras keep handles as a rule, but nothing
/// obliges them to, so each is asked for in the end.
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
    static let driverMs = 250
    /// Objects that the driver may always read in one go, however slow the camera: on such a card are no more questions
    /// to be saved.
    static let atOnceMin = 10
    /// Objects that the driver is shown to find one of them, at least: with each such look a new session of the driver
    /// begins, about ten requests.
    static let windowMin = 20

    /// Objects that the driver may read in one go.
    ///
    /// - Parameter answerMs: time that the camera takes to tell of one.
    static func atOnce(answerMs: Double) -> Int { count(answerMs, least: atOnceMin) }

    /// Objects that the driver is shown to find one of them.
    static func window(answerMs: Double) -> Int { count(answerMs, least: windowMin) }

    private static func count(_ answerMs: Double, least: Int) -> Int {
        max(least, Int(Double(driverMs) / max(answerMs, 0.001)))
    }

    /// Above this depth are folders only, as DCF has it: storages, DCIM.
    private static let folderDepths = 0...1

    private struct Level {
        var folder: Folder
        var unread: ArraySlice<UInt32>
    }

    /// Folders whose handles are still to be asked for.
    private var unasked: [Folder]
    /// Folders whose handles are known, in the camera's order; the first is being read.
    private var levels: [Level] = []
    /// How many of the levels behind the first are folders in it.
    private var inner = 0
    private var recalled: [(handle: UInt32, folder: Folder)] = []
    private var foldersSeen = 0

    /// Starts above the storages.
    init() { unasked = [Folder(path: "/", handle: nil, depth: 0)] }

    /// The next step; `nil` when all is read and checked.
    mutating func next() -> Step? {
        if !unasked.isEmpty { return .folder(unasked.removeFirst()) }
        while !levels.isEmpty {
            if let handle = levels[0].unread.popFirst() { return .object(handle, in: levels[0].folder) }
            levels.removeFirst()
            inner = 0
        }
        return recalled.popLast().map { .recheck($0.handle, in: $0.folder) }
    }

    /// Whether it is not known yet which folders there are, as far as cameras have them.
    var isFindingFolders: Bool {
        !unasked.isEmpty
            || levels.contains { Self.folderDepths.contains($0.folder.depth) && !$0.unread.isEmpty }
    }

    /// Whether everything was told of, and only what came from memory is still to be checked.
    var isComplete: Bool { unasked.isEmpty && levels.allSatisfy(\.unread.isEmpty) }

    /// Whether nothing is left to do.
    var isOver: Bool { isComplete && recalled.isEmpty }

    /// The answer to `folder`.
    ///
    /// - Parameter isKnown: whether an object can be told of from memory.
    /// - Returns: those that can.
    mutating func found(_ handles: [UInt32], in folder: Folder, isKnown: (UInt32) -> Bool) -> [UInt32] {
        foldersSeen += 1
        guard foldersSeen <= CameraSession.folderLimit else { return [] }
        let level = Level(folder: folder, unread: handles.filter { !isKnown($0) }[...])
        if levels.isEmpty {
            levels = [level]
        } else {
            inner += 1
            levels.insert(level, at: min(inner, levels.count))
        }
        let known = handles.filter(isKnown)
        // Taken from the end: the first is checked first.
        recalled.insert(contentsOf: known.reversed().map { ($0, folder) }, at: 0)
        return known
    }

    /// An object turned out to be a folder.
    mutating func foundFolder(_ handle: UInt32, name: String, storage: UInt32, in folder: Folder) {
        guard folder.depth < CameraSession.folderDepth else { return }
        unasked.append(
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
