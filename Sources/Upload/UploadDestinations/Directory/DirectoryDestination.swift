import Crypto
import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import Synchronization
import SystemPackage
public import UploadEngine

/// A folder: on this computer, on another disk, or on a share that is mounted.
///
/// A photo is copied under a name of its own in `.framefast`, forced to the disk, read back and compared, and then
/// renamed without replacing anything. What has the name already is compared: the same photo is left alone, another
/// one makes this one take a suffix.
public final class DirectoryDestination: UploadDestination {
    /// Bytes that are copied at a time.
    private static let pieceBytes = 1 << 20
    /// Most suffixes that are tried for one name.
    private static let suffixesMax = 10_000

    let folder: String
    let identity: FolderIdentity
    private let hasSwept = Atomic(false)
    private let syncFolder: SyncFolder
    private let pool: BlockingPool

    /// Creates a destination; nothing is touched before the first upload.
    ///
    /// - Parameters:
    ///   - folder: Absolute path. Made when it is used first, unless it must be a mount.
    ///   - stateDirectory: Where the folder is remembered.
    ///   - mustBeMount: Whether the folder lies on a disk or share of its own: then it is never made, and not taken
    ///     for the destination while it lies on the disk of `/`.
    ///   - workers: Most uploads at the same time.
    public convenience init(
        name: String, folder: String, stateDirectory: String, mustBeMount: Bool = false, workers: Int = 4
    ) {
        self.init(
            name: name, folder: folder, stateDirectory: stateDirectory, mustBeMount: mustBeMount,
            workers: workers, syncFolder: DurableFile.syncFolder)
    }

    /// Forces a folder's entries to the disk.
    typealias SyncFolder = @Sendable (_ path: String) throws(SystemCallError) -> Void

    init(
        name: String, folder: String, stateDirectory: String, mustBeMount: Bool = false, workers: Int = 4,
        syncFolder: @escaping SyncFolder
    ) {
        self.syncFolder = syncFolder
        self.folder = folder
        identity = FolderIdentity(
            folder: folder, memory: "\(stateDirectory)/destinations/\(SafeName.component(name)).folder",
            mustBeMount: mustBeMount, name: name)
        pool = BlockingPool(label: "framefast.directory", width: max(workers, 1) + 1)
    }

    /// Copies one photo there.
    public func upload(
        _ item: UploadItem, progress: @escaping @Sendable (UInt64) -> Void
    ) async throws(UploadFailure) -> UploadReceipt {
        let stop = StopFlag()
        return try await run(stop) { () throws(UploadFailure) in
            try self.place(item, stop, progress)
        }
    }

    /// Whether the folder is there, and is the right one.
    public func probe() async throws(UploadFailure) {
        try await run(StopFlag()) { () throws(UploadFailure) in _ = try self.identity.open() }
    }

    /// Writes, reads back and removes a small file.
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
                    .transient, "A file in \(self.folder) reads back other bytes than were written.")
            }
        }
    }

    /// Deletes it.
    public func remove(_ probe: UploadItem, named name: String) async throws(UploadFailure) {
        try await run(StopFlag()) { () throws(UploadFailure) in
            let root = try self.identity.open()
            do throws(SystemCallError) { try DurableFile.remove(root.path(name)) } catch {
                throw FolderTrouble.failure(error, self.folder)
            }
        }
    }

    /// Nothing is kept open.
    public func close() async {}

    /// Takes the folder for the destination from now on, after a person changed its disk or share.
    public func adopt() async throws(UploadFailure) {
        try await run(StopFlag()) { () throws(UploadFailure) in try self.identity.adopt() }
    }

    // MARK: Copying

    private func place(
        _ item: UploadItem, _ stop: StopFlag, _ progress: @Sendable (UInt64) -> Void
    ) throws(UploadFailure) -> UploadReceipt {
        let root = try identity.open()
        // Looked for first: after a crash the photo may be there already.
        var (name, isSame) = try freeName(item, in: root, stop)
        if isSame { return try knownReceipt(item, name, in: root) }
        if !hasSwept.exchange(true, ordering: .relaxed) {
            for station in [item.station, identity.formerStation] { sweep(root, of: station ?? "") }
        }
        // A share that went away kept what an earlier try had copied.
        if !item.isFirstTry { try? removeParts(of: item, in: root) }
        let part = root.path("\(FolderIdentity.workFolder)/\(Self.partName(item))")
        var copy = try PartFile(part, folder)
        var isPublished = false
        defer { if !isPublished { unlink(part) } }
        try send(item, into: &copy, stop, progress)
        DurableFile.copyModificationTime(of: item.localPath, to: part)
        try copy.sync()
        guard try copy.hashFromDisk(stop) == item.sha256 else {
            throw UploadFailure(.transient, "\(folder) reads back other bytes than were written.")
        }
        let target = root.path(DurableFile.parent(of: name))
        do {
            try DurableFile.createFolder(target, mode: 0o755)
            while try !DurableFile.publish(part, as: root.path(name)) {
                (name, isSame) = try freeName(item, in: root, stop)
                if isSame { return try knownReceipt(item, name, in: root) }
            }
            isPublished = true
            try syncFolders(of: name, in: root)
        } catch let error as SystemCallError {
            throw FolderTrouble.failure(error, folder)
        } catch let error as UploadFailure {
            throw error
        } catch {
            throw UploadFailure(.transient, "The photo cannot be put into \(folder): \(error).")
        }
        return receipt(item, name, wasThere: false)
    }

    /// For a photo that is there already: perhaps from an attempt whose last step, making its name durable, failed.
    private func knownReceipt(
        _ item: UploadItem, _ name: String, in root: OpenFolder
    ) throws(UploadFailure) -> UploadReceipt {
        do { try syncFolders(of: name, in: root) } catch { throw FolderTrouble.failure(error, folder) }
        return receipt(item, name, wasThere: true)
    }

    /// Makes a name durable, and those of the folders that it lies in.
    private func syncFolders(of name: String, in root: OpenFolder) throws(SystemCallError) {
        var place = DurableFile.parent(of: name)
        while true {
            try syncFolder(root.path(place.isEmpty ? "." : place))
            if place.isEmpty { return }
            place = DurableFile.parent(of: place)
        }
    }

    private func receipt(_ item: UploadItem, _ name: String, wasThere: Bool) -> UploadReceipt {
        UploadReceipt(
            remoteName: name, proof: .checksum, evidence: "sha256 \(item.sha256)", wasThere: wasThere)
    }

    /// The wanted name, or the next with a suffix that is free or has this very photo.
    private func freeName(_ item: UploadItem, in root: OpenFolder, _ stop: StopFlag) throws(UploadFailure)
        -> (name: String, isSame: Bool)
    {
        guard !RemoteName.leavesFolder(item.remoteName),
            !item.remoteName.utf8.starts(with: "\(FolderIdentity.workFolder)/".utf8),
            item.remoteName != FolderIdentity.workFolder
        else {
            throw UploadFailure(
                .permanent(.unprocessable), "The name '\(item.remoteName)' cannot be used in a folder.")
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
            // A crash may have come between its name and its last byte on the disk.
            try DurableFile.sync(path)
            return try Self.hash(file, stop) == item.sha256
        } catch let failure as UploadFailure {
            throw failure
        } catch let error as SystemCallError {
            // A folder, a link or something else has the name: it is taken.
            if [.isDirectory, .tooManySymbolicLinkLevels].contains(error.errno) { return false }
            throw FolderTrouble.failure(error, folder)
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
                if let wait = item.pace?.take(piece.count), wait > .zero { try stop.pause(wait) }
                try copy.write(piece)
                hash.update(data: piece)
                offset += UInt64(piece.count)
                progress(offset)
            }
        } catch let failure as UploadFailure {
            throw failure
        } catch let error as SystemCallError {
            throw LocalTrouble.failure(error, item.localPath)
        } catch {
            throw LocalTrouble.unreadable(item.localPath)
        }
        guard offset == item.bytes, Hex.text(hash.finalize()) == item.sha256 else {
            throw LocalTrouble.changed(item.localPath)
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

    /// Blocks a thread of the pool and not one of Swift's: a share that hangs, hangs its caller.
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
            throw UploadFailure(.transient, "The photo cannot be put into \(folder): \(error).")
        }
    }
}

/// Tells a thread that its upload is not wanted any more, and takes its reports of activity.
final class StopFlag: Sendable {
    /// The reports of the upload that makes the flag.
    let activity = UploadActivity.current
    private let isRaised = Atomic(false)
    private let bell = DispatchSemaphore(value: 0)
    /// The longest time between two reports of a thread that waits, in seconds.
    private static let reportSeconds = 10.0

    func raise() {
        isRaised.store(true, ordering: .relaxed)
        bell.signal()
    }

    func check() throws(UploadFailure) {
        if isRaised.load(ordering: .relaxed) { throw UploadFailure.stopped }
    }

    /// Waits, but not when the upload is not wanted any more.
    func pause(_ duration: Duration) throws(UploadFailure) {
        var seconds = duration / .seconds(1)
        while seconds > 0 {
            if bell.wait(timeout: .now() + min(seconds, Self.reportSeconds)) == .success {
                bell.signal()
                break
            }
            activity.report()
            seconds -= Self.reportSeconds
        }
        try check()
    }
}
