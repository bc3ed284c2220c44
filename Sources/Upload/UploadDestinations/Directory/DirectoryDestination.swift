import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Synchronization
import SystemIO
import SystemPackage
public import UploadEngine

/// A destination in a folder: on this computer, on another disk, or on a mounted share.
///
/// Each upload copies a photo to a unique name in `.framefast`, syncs the copy, reads it back and compares it
/// with the photo. Then the upload renames the copy without replacing a file. If the name is already in use,
/// the upload compares the existing file with the photo. If the files are equal, the photo counts as
/// delivered. If they differ, the upload adds a suffix to the photo's name.
public final class DirectoryDestination: UploadDestination {
    /// The size of the chunks in which a file is copied, in bytes.
    private static let pieceBytes = 1 << 20
    /// The largest number of suffixes to try for one name.
    private static let suffixesMax = 10_000

    let folder: String
    let identity: FolderIdentity
    private let hasSwept = Atomic(false)
    private let syncFolder: SyncFolder
    private let pool: BlockingPool

    /// Creates a destination without accessing its folder.
    ///
    /// - Parameters:
    ///   - folder: The absolute path. The first use creates a missing folder, unless `mustBeMount` is set.
    ///   - stateDirectory: The directory that stores the folder's identity.
    ///   - mustBeMount: Whether the folder must be on a different disk or share than `/`. Such a folder is
    ///     never created.
    ///   - workers: The largest number of concurrent uploads.
    public convenience init(
        name: String, folder: String, stateDirectory: String, mustBeMount: Bool = false, workers: Int = 4
    ) {
        self.init(
            name: name, folder: folder, stateDirectory: stateDirectory, mustBeMount: mustBeMount,
            workers: workers, syncFolder: DurableFile.syncFolder)
    }

    /// A function that syncs a folder's entries to the disk.
    typealias SyncFolder = @Sendable (_ path: String) throws(SystemCallError) -> Void

    init(
        name: String, folder: String, stateDirectory: String, mustBeMount: Bool = false, workers: Int = 4,
        syncFolder: @escaping SyncFolder
    ) {
        self.syncFolder = syncFolder
        self.folder = folder
        identity = FolderIdentity(
            folder: folder, memory: Self.identityPath(of: name, stateDirectory: stateDirectory),
            mustBeMount: mustBeMount, name: name)
        pool = BlockingPool(label: "framefast.directory", width: max(workers, 1) + 1)
    }

    /// Returns the path of the file with the folder's identity. The file exists after the first use of
    /// the folder.
    public static func identityPath(of name: String, stateDirectory: String) -> String {
        "\(stateDirectory)/destinations/\(SafeName.component(name)).folder"
    }

    /// Returns the path of the file that marks a destination's folder. The file exists after the first use of
    /// the folder.
    public static func markPath(in folder: String) -> String {
        FolderMark.path(of: FolderIdentity.markName, in: folder)
    }

    /// Copies one photo into the folder.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let stop = StopFlag()
        return try await run(stop) { () throws(UploadFailure) in
            try self.store(item, stop, progress)
        }
    }

    /// Checks that the folder is the same folder as before. The first use marks the folder.
    public func probe() async throws(UploadFailure) {
        try await run(StopFlag()) { () throws(UploadFailure) in _ = try self.identity.open() }
    }

    /// Writes, reads back and deletes a small file.
    public func test() async throws(UploadFailure) {
        try await run(StopFlag()) { () throws(UploadFailure) in
            let root = try self.identity.open()
            let path = root.path("\(FolderIdentity.workFolder)/\(UUID().uuidString.lowercased()).test")
            defer { unlink(path) }
            let bytes = Array("FrameFast was here\n".utf8)
            var copy = try PartFile(path, self.folder)
            try copy.write(bytes)
            try copy.sync()
            guard try copy.hashFromDisk(StopFlag()) == Hex.text(SHA256.hash(data: bytes)) else {
                throw UploadFailure(
                    .transient, "A test file in \(self.folder) has different contents when it is read back.")
            }
        }
    }

    /// Deletes the file of a probe.
    public func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await run(StopFlag()) { () throws(UploadFailure) in
            let root = try self.identity.open()
            do throws(SystemCallError) { try DurableFile.remove(root.path(name)) } catch {
                throw FolderFailureMapping.failure(error, self.folder)
            }
        }
    }

    /// Does nothing, because no file stays open.
    public func close() async {}

    /// Accepts the current folder as the destination, after a person replaced its disk or share.
    public func adoptPlace() async throws(UploadFailure) {
        try await run(StopFlag()) { () throws(UploadFailure) in try self.identity.adopt() }
    }

    // MARK: Copying

    private func store(
        _ item: UploadItem, _ stop: StopFlag, _ progress: @Sendable (UInt64) -> Void
    ) throws(UploadFailure) -> UploadReceipt {
        let root = try identity.open()
        // Checks the name first. An attempt before a crash may have stored the photo.
        var (name, isSame) = try freeName(item, in: root, stop)
        if isSame { return try existingPhotoReceipt(item, name, in: root) }
        if !hasSwept.exchange(true, ordering: .relaxed) { sweep(root, of: item.station) }
        // Removes the part files that earlier attempts left behind when the share disappeared.
        if !item.isFirstTry { try? removeParts(of: item, in: root) }
        let part = root.path("\(FolderIdentity.workFolder)/\(Self.partName(item))")
        var copy = try PartFile(part, folder)
        var isPublished = false
        defer { if !isPublished { unlink(part) } }
        try send(item, into: &copy, stop, progress)
        DurableFile.copyModificationTime(of: item.localPath, to: part)
        try copy.sync()
        guard try copy.hashFromDisk(stop) == item.sha256 else {
            throw UploadFailure(
                .transient, "The copy in \(folder) has different contents when it is read back.")
        }
        let target = root.path(DurableFile.parent(of: name))
        do {
            try DurableFile.createFolder(target, mode: 0o755)
            while try !DurableFile.publish(part, as: root.path(name)) {
                (name, isSame) = try freeName(item, in: root, stop)
                if isSame { return try existingPhotoReceipt(item, name, in: root) }
            }
            isPublished = true
            try syncFolders(of: name, in: root)
        } catch let error as SystemCallError {
            throw FolderFailureMapping.failure(error, folder)
        } catch let error as UploadFailure {
            throw error
        } catch {
            throw UploadFailure(.transient, "The photo cannot be copied to \(folder): \(error).")
        }
        return receipt(item, name, alreadyExisted: false)
    }

    /// Returns the receipt of a photo that is already in the folder. First syncs the folders of the photo's
    /// name, because an earlier attempt may have failed to sync them.
    private func existingPhotoReceipt(
        _ item: UploadItem, _ name: String, in root: OpenFolder
    ) throws(UploadFailure) -> UploadReceipt {
        do { try syncFolders(of: name, in: root) } catch { throw FolderFailureMapping.failure(error, folder) }
        return receipt(item, name, alreadyExisted: true)
    }

    /// Syncs the folder of a name and all parent folders to the disk.
    private func syncFolders(of name: String, in root: OpenFolder) throws(SystemCallError) {
        var place = DurableFile.parent(of: name)
        while true {
            try syncFolder(root.path(place.isEmpty ? "." : place))
            if place.isEmpty { return }
            place = DurableFile.parent(of: place)
        }
    }

    private func receipt(_ item: UploadItem, _ name: String, alreadyExisted: Bool) -> UploadReceipt {
        UploadReceipt(
            remoteName: name, proof: .checksum, evidence: "sha256 \(item.sha256)",
            alreadyExisted: alreadyExisted)
    }

    /// Returns the first name that is free or belongs to the same photo. The candidates are the photo's name,
    /// and the name with a suffix.
    private func freeName(_ item: UploadItem, in root: OpenFolder, _ stop: StopFlag) throws(UploadFailure)
        -> (name: String, isSame: Bool)
    {
        guard !RemoteName.leavesFolder(item.remoteName),
            !item.remoteName.utf8.starts(with: "\(FolderIdentity.workFolder)/".utf8),
            item.remoteName != FolderIdentity.workFolder
        else {
            throw UploadFailure(
                .permanent(.unprocessable), "The name '\(item.remoteName)' is not a valid file name.")
        }
        for suffix in 1...Self.suffixesMax {
            let name = suffix == 1 ? item.remoteName : NamingTemplate.path(item.remoteName, suffix: suffix)
            guard DurableFile.exists(root.path(name)) else { return (name, false) }
            if try isSame(root.path(name), item, stop) { return (name, true) }
        }
        throw RemoteName.allTaken(item.remoteName, folder)
    }

    private func isSame(_ path: String, _ item: UploadItem, _ stop: StopFlag) throws(UploadFailure) -> Bool {
        do {
            let file = try FileReader(path)
            guard file.size == item.bytes else { return false }
            // Syncs the file, because a name can survive a crash without all bytes of its file.
            try DurableFile.sync(path)
            return try Self.hash(file, stop) == item.sha256
        } catch let failure as UploadFailure {
            throw failure
        } catch let error as SystemCallError {
            // A folder, a link or another kind of file uses the name.
            if [.isDirectory, .tooManySymbolicLinkLevels].contains(error.errno) { return false }
            throw FolderFailureMapping.failure(error, folder)
        } catch {
            return false
        }
    }

    private func send(
        _ item: UploadItem, into copy: inout PartFile, _ stop: StopFlag,
        _ progress: @Sendable (UInt64) -> Void
    ) throws(UploadFailure) {
        var hash = SHA256()
        var offset: UInt64 = 0
        do {
            let file = try FileReader(item.localPath)
            while offset < file.size {
                try stop.check()
                let piece = try file.read(at: offset, count: Self.pieceBytes)
                if piece.isEmpty { break }
                if let wait = item.pace?.reserve(piece.count), wait > .zero { try stop.pause(wait) }
                try copy.write(piece)
                hash.update(data: piece)
                offset += UInt64(piece.count)
                progress(offset)
            }
        } catch let failure as UploadFailure {
            throw failure
        } catch let error as SystemCallError {
            throw LocalFailureMapping.failure(error, item.localPath)
        } catch {
            throw LocalFailureMapping.unreadable(item.localPath)
        }
        guard offset == item.bytes, Hex.text(hash.finalize()) == item.sha256 else {
            throw LocalFailureMapping.changed(item.localPath)
        }
    }

    static func hash(_ file: borrowing FileReader, _ stop: StopFlag) throws -> String {
        var hash = SHA256()
        var offset: UInt64 = 0
        while true {
            try stop.check()
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { return Hex.text(hash.finalize()) }
            hash.update(data: piece)
            offset += UInt64(piece.count)
            stop.activity.report()
        }
    }

    /// Runs `body` on a thread of the blocking pool, because a hanging share would block a thread of Swift's
    /// pool.
    func run<Value: Sendable>(
        _ stop: StopFlag, _ body: @escaping @Sendable () throws(UploadFailure) -> Value
    ) async throws(UploadFailure) -> Value {
        do {
            return try await withTaskCancellationHandler {
                try await pool.run { try body() }
            } onCancel: {
                stop.raise()
            }
        } catch let failure as UploadFailure {
            throw failure
        } catch {
            throw UploadFailure(.transient, "The photo cannot be copied to \(folder): \(error).")
        }
    }
}

/// A flag that stops the thread of a cancelled upload, and forwards the thread's activity reports.
final class StopFlag: Sendable {
    /// The activity reporter of the upload that created the flag.
    let activity = UploadActivity.current
    private let isRaised = Atomic(false)
    private let monitor = Monitor()
    /// The interval between two activity reports of a waiting thread, in seconds.
    private static let reportSeconds = 10.0

    func raise() {
        monitor.withLockAndNotify { isRaised.store(true, ordering: .relaxed) }
    }

    func check() throws(UploadFailure) {
        if isRaised.load(ordering: .relaxed) { throw UploadFailure.stopped }
    }

    /// Waits for a duration.
    ///
    /// - Throws: ``UploadFailure/stopped`` as soon as the upload is cancelled.
    func pause(_ duration: Duration) throws(UploadFailure) {
        var seconds = duration / .seconds(1)
        while seconds > 0 {
            let hasStopped: Bool? = monitor.wait(seconds: min(seconds, Self.reportSeconds)) {
                isRaised.load(ordering: .relaxed) ? true : nil
            }
            if hasStopped == true { break }
            activity.report()
            seconds -= Self.reportSeconds
        }
        try check()
    }
}
