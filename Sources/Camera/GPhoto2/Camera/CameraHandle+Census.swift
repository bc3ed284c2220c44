import CGPhoto2
import Glibc

/// The camera's own object list against what was told of.
public struct ObjectCensus: Hashable, Sendable {
    /// Objects on the camera that nobody was told of; quarantined objects do not count.
    public var missing: Int
    /// Objects on the camera in all, folders included.
    public var total: Int
}

extension CameraHandle {
    /// Asks the camera for all its object handles, in one transaction, and compares.
    ///
    /// The driver offers no such call: it is a question of our own. Over PTP/IP the tap lets the driver believe that the
    /// reply is empty. Over USB the driver loses the reply's memory (it never frees it), so the sum is bounded.
    ///
    /// - Throws: kind ``CameraError/Kind-swift.enum/unsupported`` when the camera or the bound does not allow it.
    public borrowing func takeCensus() throws(CameraError) -> ObjectCensus {
        let handles = try allHandles()
        return ObjectCensus(missing: tap.dialogue.missing, total: handles.count)
    }

    /// Handles of all objects on the camera: every storage, every format, every folder.
    public borrowing func allHandles() throws(CameraError) -> [UInt32] { try askForHandles(in: 0) }

    /// How many of the objects on the camera the driver has read nothing of.
    public borrowing func countUnread() throws(CameraError) -> Int {
        let handles = try allHandles()
        return handles.count {
            !tap.dialogue.told.hasRead($0) && !tap.dialogue.handles.quarantined.contains($0)
        }
    }

    /// Handles of what is in a folder, asked of the camera itself; the driver does not learn of them.
    ///
    /// - Parameter folder: the folder's handle; `nil` for the roots of all storages.
    public borrowing func handles(in folder: UInt32?) throws(CameraError) -> [UInt32] {
        try askForHandles(in: folder ?? UInt32.max)
    }

    /// What the camera says of one object; the driver does not learn of it.
    ///
    /// - Returns: `nil` when the camera does not know the object any more, or says too little of it.
    public borrowing func object(_ handle: UInt32) throws(CameraError) -> CardObject? {
        tap.dialogue.isAskingForInfo = true
        defer { tap.dialogue.isAskingForInfo = false }
        do throws(CameraError) {
            try ask(.fileInfo, [UInt32(PTPOperation.getObjectInfo), handle], lossBytes: Self.infoLossBytes)
        } catch {
            guard error.kind == .notFound else { throw error }
            return nil
        }
        guard let info = tap.dialogue.told.lastInfo else { return nil }
        return CardObject(
            handle: handle, storage: info.storage, name: info.name, isFolder: info.isFolder,
            size: UInt64(info.size), time: info.listedTime, isProtected: info.isProtected,
            isPlain: info.isPlain)
    }

    /// Notes that the daemon knows of a file, or that there is nothing to know: the census leaves it out.
    public borrowing func noteTold(_ path: CameraPath) { tap.dialogue.told.told(path.name) }

    /// The same, by its handle.
    public borrowing func noteTold(_ handle: UInt32) { tap.dialogue.told.told(handle) }

    // MARK: What the driver is shown

    /// Files that the driver need not read when it reads their folder. It then cannot fetch them either.
    public borrowing func holdBack(_ handles: some Sequence<UInt32>) {
        tap.dialogue.handles.heldBack.formUnion(handles)
    }

    /// Files that the driver may read; it does so when it reads their folder, which is once a session.
    public borrowing func show(_ handles: some Sequence<UInt32>) {
        tap.dialogue.handles.heldBack.subtract(handles)
    }

    /// Whether a file is held back from the driver.
    public borrowing func holdsBack(_ handle: UInt32) -> Bool {
        tap.dialogue.handles.heldBack.contains(handle)
    }

    /// Whether the driver has read a folder's list, and will not ask for it again.
    public borrowing func hasShown(_ folder: UInt32) -> Bool { tap.dialogue.handles.hasShown(folder) }

    private borrowing func askForHandles(in folder: UInt32) throws(CameraError) -> [UInt32] {
        tap.dialogue.handles.beginCensus()
        defer { tap.dialogue.handles.isTakingCensus = false }
        try ask(.objectHandles, [UInt32(PTPOperation.getObjectHandles), UInt32.max, 0, folder], lossBytes: 0)
        let handles = tap.dialogue.handles.census
        if !sockets.isNetwork { tap.censusLoss += 4 * (handles.count + 1) }
        return handles
    }
}

/// An object on a card, as the camera itself tells of it.
public struct CardObject: Hashable, Sendable {
    /// The camera's number for it in this session.
    public var handle: UInt32
    /// The storage that it is on.
    public var storage: UInt32
    /// Name as the camera gives it.
    public var name: String
    /// Whether it is a folder.
    public var isFolder: Bool
    /// Announced size in bytes.
    public var size: UInt64
    /// As ``CameraFileFacts/time``.
    public var time: Int64?
    /// As ``CameraFileFacts/isProtected``.
    public var isProtected: Bool?
    /// Whether the driver reads the same of it; of anything else its word counts, because it is found by that.
    public var isPlain: Bool
}
