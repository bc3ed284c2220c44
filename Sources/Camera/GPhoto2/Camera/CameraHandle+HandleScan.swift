import CGPhoto2
import Glibc

/// The result of comparing the camera's object handles with the objects that were reported to the daemon.
public struct HandleScan: Hashable, Sendable {
    /// The handles of the objects on the camera that were not reported. Excludes quarantined objects.
    public var missing: Set<UInt32>
    /// The handles of the objects whose information the camera refused to send. Excludes quarantined objects.
    public var refused: Set<UInt32>
    /// The total number of objects on the camera, including folders.
    public var total: Int
}

extension CameraHandle {
    /// Requests all object handles in one transaction, and compares them with the reported objects.
    ///
    /// The driver has no call for this request. FrameFast therefore sends its own request. Over PTP/IP,
    /// ``PacketTap`` shows the driver an empty response. Over USB, the driver never frees the memory of the
    /// response. FrameFast therefore limits the total size of these responses in a connection.
    ///
    /// - Throws: An error of kind ``CameraError/Kind-swift.enum/unsupported`` if the camera does not support
    ///   the request or the limit is reached.
    public borrowing func scanHandles() throws(CameraError) -> HandleScan {
        let handles = try allHandles()
        return HandleScan(
            missing: tap.dialogue.missing, refused: tap.dialogue.refused, total: handles.count)
    }

    /// Returns the handles of all objects on the camera: every storage, format and folder.
    public borrowing func allHandles() throws(CameraError) -> [UInt32] { try requestHandles(in: 0) }

    /// Returns the number of objects on the camera whose information the driver has not read. Excludes
    /// reported and quarantined objects.
    public borrowing func countUnread() throws(CameraError) -> Int {
        let handles = try allHandles()
        return handles.count {
            !tap.dialogue.reported.hasRead($0) && !tap.dialogue.handles.quarantined.contains($0)
        }
    }

    /// Requests the handles in a folder directly from the camera, without updating the driver's cache.
    ///
    /// - Parameter folder: The folder's handle, or `nil` for the roots of all storages.
    public borrowing func handles(in folder: UInt32?) throws(CameraError) -> [UInt32] {
        try requestHandles(in: folder ?? UInt32.max)
    }

    /// Requests the information about one object directly from the camera, without updating the driver's
    /// cache.
    ///
    /// - Returns: The object, or `nil` if the camera no longer has it or sends incomplete information.
    public borrowing func object(_ handle: UInt32) throws(CameraError) -> CardObject? {
        tap.dialogue.isAskingForInfo = true
        defer { tap.dialogue.isAskingForInfo = false }
        do throws(CameraError) {
            try sendRequest(
                .fileInfo, [UInt32(PTPOperation.getObjectInfo), handle], leakBytes: Self.infoLeakBytes)
        } catch {
            guard error.kind == .notFound else { throw error }
            return nil
        }
        guard let info = tap.dialogue.reported.lastInfo else { return nil }
        return CardObject(
            storage: info.storage, name: info.name, isFolder: info.isFolder, size: UInt64(info.size),
            time: info.listedTime, isProtected: info.isProtected, isPlain: info.isPlain)
    }

    /// Marks a file as reported to the daemon or as excluded from reporting. Later handle scans do not count
    /// the file as missing.
    ///
    /// - Returns: Whether this is the first report of a file with this name.
    @discardableResult
    public borrowing func markReported(_ path: CameraPath) -> Bool {
        tap.dialogue.reported.markReported(path.name)
    }

    /// Marks the file with this handle as reported.
    public borrowing func markReported(_ handle: UInt32) { tap.dialogue.reported.markReported(handle) }

    // MARK: Objects shown to the driver

    /// Hides files from the driver in the listing of their folder. The driver can't transfer hidden files.
    public borrowing func hide(_ handles: some Sequence<UInt32>) {
        tap.dialogue.handles.hiddenHandles.formUnion(handles)
    }

    /// Shows hidden files to the driver again. The driver finds the files when it lists their folder, which
    /// happens only once per connection.
    public borrowing func unhide(_ handles: some Sequence<UInt32>) {
        tap.dialogue.handles.hiddenHandles.subtract(handles)
    }

    /// Returns whether a file is hidden from the driver.
    public borrowing func isHidden(_ handle: UInt32) -> Bool {
        tap.dialogue.handles.hiddenHandles.contains(handle)
    }

    /// Returns whether the driver has listed a folder in this connection. The driver does not list a folder
    /// twice.
    public borrowing func hasListed(_ folder: UInt32) -> Bool { tap.dialogue.handles.hasListed(folder) }

    private borrowing func requestHandles(in folder: UInt32) throws(CameraError) -> [UInt32] {
        tap.dialogue.handles.beginHandleScan()
        defer { tap.dialogue.handles.isScanning = false }
        try sendRequest(
            .objectHandles, [UInt32(PTPOperation.getObjectHandles), UInt32.max, 0, folder], leakBytes: 0)
        let handles = tap.dialogue.handles.scannedHandles
        if !sockets.isNetwork { tap.leakedBytes += 4 * (handles.count + 1) }
        return handles
    }
}

/// An object on a card, as described by the camera.
public struct CardObject: Hashable, Sendable {
    /// The id of the object's storage.
    public var storage: UInt32
    /// The name as the camera reports it.
    public var name: String
    /// Whether the object is a folder.
    public var isFolder: Bool
    /// The announced size, in bytes.
    public var size: UInt64
    /// The time (see ``CameraFileFacts/time``).
    public var time: Int64?
    /// Whether the object is protected (see ``CameraFileFacts/isProtected``).
    public var isProtected: Bool?
    /// Whether the driver has the same facts about the object as this value. If `false`, use the driver's
    /// facts, because later driver calls identify the object by the driver's facts.
    public var isPlain: Bool
}
