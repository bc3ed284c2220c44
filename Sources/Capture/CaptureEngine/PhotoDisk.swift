import Foundation
import FrameFastModel
import FrameFastSystem
import Synchronization
import SystemPackage

/// The disk that photos are published to. The type checks files, moves them to their names and makes folders
/// durable. File operations run on separate threads. Only the ``Publisher`` accesses the state of this class.
final class PhotoDisk {
    /// The number of threads that check and `fsync` files. With several threads, one commit of the file
    /// system's journal covers several files.
    private static let threads = 4

    private let root: String
    private let folders: WorkFolders
    private let sync: DiskSync
    private let pool = BlockingPool(label: "publisher", width: threads)
    /// The folders whose entries in their parent folders are durable. The keys are `FilePath` values, because
    /// file systems compare names by bytes and Swift compares strings by canonical equivalence.
    private var durable: [FilePath: DurableFile.Identity] = [:]

    /// - Parameter root: The capture directory.
    init(root: String, folders: WorkFolders, sync: DiskSync) {
        self.root = root
        self.folders = folders
        self.sync = sync
    }

    /// Returns the folder of a file.
    static func folder(of path: String) -> FilePath { FilePath(DurableFile.parent(of: path)) }

    /// Returns the distinct folders of files.
    static func folders(of paths: [String]) -> Set<FilePath> { Set(paths.map(folder(of:))) }

    // MARK: a round

    /// Checks the photos of a round and forces the intact ones to the disk. The results are in the order of
    /// `items`.
    nonisolated(nonsending) func checkAndSync(
        _ items: [Publisher.Item]
    ) async -> [Result<StructureCheck.Outcome, any Error>] {
        await mapConcurrently(items) { [sync] item in try Self.checkAndSync(item, sync) }
    }

    private static func checkAndSync(
        _ item: Publisher.Item, _ sync: DiskSync
    ) throws -> StructureCheck.Outcome {
        let reader = try FileReader(item.partPath)
        guard reader.size == item.arrival.bytes else {
            return .damaged("it has \(reader.size) bytes on disk, but the camera sent \(item.arrival.bytes)")
        }
        if let expected = item.expectedBytes, expected != reader.size {
            return .damaged("it has \(reader.size) bytes, but the camera announced \(expected)")
        }
        let outcome = try StructureCheck.check(name: item.name, size: reader.size) { offset, count in
            try reader.read(at: offset, count: count)
        }
        guard outcome == .whole else { return outcome }
        if let takenAt = item.takenAt { DurableFile.setModificationTime(of: item.partPath, to: takenAt) }
        try sync.file(item.partPath)
        SimulatedHost.pass(.bytesSynced)
        return .whole
    }

    /// Moves a file to its name and makes the folder durable.
    ///
    /// - Returns: Whether the name was free. An existing file stays.
    nonisolated(nonsending) func publish(_ partPath: String, as path: String) async throws -> Bool {
        try await publish([(partPath, path)])[0].get()
    }

    /// Moves files to their names, and makes each folder durable. All files use one thread, because a
    /// rename costs less than a switch to another thread.
    ///
    /// - Returns: For each file, whether its name was free. An existing file stays.
    nonisolated(nonsending) func publish(
        _ files: [(part: String, path: String)]
    ) async -> [Result<Bool, any Error>] {
        // The disk may have been unmounted since the transfers started. The publisher must not create files
        // below an empty mount point.
        if case .unavailable = folders.restore() {
            let error = SystemCallError(call: "save to", subject: root, errno: .noSuchAddressOrDevice)
            return files.map { _ in .failure(error) }
        }
        let (results, folders) = await pool.run { [root, durable] in
            var folders: [FilePath: Result<DurableFile.Identity?, any Error>] = [:]
            let results = files.map { file in
                let folder = Self.folder(of: file.path)
                let prepared =
                    folders[folder] ?? Result { try Self.prepare(folder, durable[folder], root) }
                folders[folder] = prepared
                return prepared.flatMap { _ in
                    Result { try Self.move(file.part, to: file.path) }
                }
            }
            return (results, folders)
        }
        for (folder, prepared) in folders { durable[folder] = (try? prepared.get()) ?? nil }
        return results
    }

    /// Moves a file to its name.
    ///
    /// - Returns: Whether the name was free. An existing file stays.
    private static func move(_ partPath: String, to path: String) throws -> Bool {
        guard try DurableFile.publish(partPath, as: path) else { return false }
        SimulatedHost.pass(.photoRenamed)
        return true
    }

    /// Forces the entries of folders to the disk.
    ///
    /// - Returns: The folders whose entries may be lost in a power failure, with the reason.
    nonisolated(nonsending) func sync(_ folders: Set<FilePath>) async -> [FilePath: any Error] {
        let order = Array(folders)
        let results = await mapConcurrently(order) { [sync] in try sync.folder($0.string) }
        var failed: [FilePath: any Error] = [:]
        for (folder, result) in zip(order, results) {
            if case .failure(let error) = result { failed[folder] = error }
        }
        return failed
    }

    /// Removes a photo whose name may be lost in a power failure. Its folder is made durable again before the
    /// next photo.
    func remove(_ path: String) {
        durable[Self.folder(of: path)] = nil
        try? DurableFile.remove(path)
    }

    /// Creates a photo's folder and makes all folders up to the capture directory durable. Skips both steps
    /// if the folder was not replaced since the last call.
    private static func prepare(
        _ path: FilePath, _ known: DurableFile.Identity?, _ root: String
    ) throws -> DurableFile.Identity? {
        let folder = path.string
        if let known, DurableFile.identity(of: folder) == known { return known }
        try DurableFile.createFolder(folder)
        try DurableFile.syncFolders(from: DurableFile.parent(of: folder), upTo: root)
        return DurableFile.identity(of: folder)
    }

    // MARK: one file

    /// Replaces a file that has wrong bytes.
    ///
    /// - Parameters:
    ///   - takenAt: The time of the capture, which becomes the file's modification time.
    ///   - right: The SHA-256 of the `.part` file.
    ///   - wrong: The SHA-256 of the wrong file. Only a file with this hash is replaced.
    /// - Returns: Whether the file has the right bytes. If `false`, the file is missing or was changed. The
    ///   `.part` file was forced to the disk in both cases.
    nonisolated(nonsending) func replace(
        _ path: String, with partPath: String, takenAt: Date?, right: String, wrong: String
    ) async throws -> Bool {
        try await pool.run { [sync] () throws -> Bool in
            if let takenAt { DurableFile.setModificationTime(of: partPath, to: takenAt) }
            try sync.file(partPath)
            switch try DurableFile.exists(path) ? PhotoHash.sha256(of: FileReader(path)) : nil {
            case right: break
            case wrong:
                try DurableFile.replace(path, with: partPath)
                SimulatedHost.pass(.photoCorrected)
            default: return false
            }
            try sync.folder(DurableFile.parent(of: path))
            return true
        }
    }

    /// Durably removes a file that is no longer needed. A file with another hash stays.
    ///
    /// - Parameter unneeded: The SHA-256 hashes of files to remove.
    /// - Throws: An error if the removal failed, or if the file is missing and its disk may be unmounted.
    nonisolated(nonsending) func remove(_ path: String, unneeded: Set<String>) async throws {
        // The disk may have been unmounted since the second reading started.
        if case .unavailable = folders.restore() {
            throw SystemCallError(call: "remove from", subject: root, errno: .noSuchAddressOrDevice)
        }
        try await pool.run { [sync] () throws -> Void in
            guard DurableFile.exists(path) else {
                // The file may be in an earlier capture directory on another disk. The folder of an unmounted
                // disk is missing or has only names that begin with a dot.
                let names = try FolderReader.names(in: DurableFile.parent(of: path))
                guard names.contains(where: { !$0.hasPrefix(".") }) else {
                    throw SystemCallError(call: "find", subject: path, errno: .noSuchFileOrDirectory)
                }
                return
            }
            let found = try PhotoHash.sha256(of: FileReader(path))
            guard unneeded.contains(found) else { return }
            try DurableFile.remove(path)
            SimulatedHost.pass(.fileCleared)
            try sync.folder(DurableFile.parent(of: path))
        }
    }

    /// Returns whether a path is a readable file with these bytes.
    nonisolated(nonsending) func has(_ path: String, sha256: String) async -> Bool {
        await pool.run { () -> Bool in
            let found = try? PhotoHash.sha256(of: FileReader(path))
            return found == sha256
        }
    }

    /// Makes a file's name durable.
    nonisolated(nonsending) func syncName(_ path: String) async throws {
        try await pool.run { [sync] in try sync.folder(DurableFile.parent(of: path)) }
    }

    /// Moves a file durably into an existing folder.
    ///
    /// - Parameter isOnlyHere: Whether the `.part` file is the only copy. If the name is taken, `true` saves
    ///   the `.part` file under another name, and `false` deletes the `.part` file.
    nonisolated(nonsending) func keep(_ partPath: String, as path: String, isOnlyHere: Bool) async throws {
        try await pool.run { [sync] in
            try sync.file(partPath)
            var name = path
            var suffix = 2
            while try !DurableFile.publish(partPath, as: name) {
                guard isOnlyHere else {
                    try DurableFile.remove(partPath)
                    break
                }
                name = NamingTemplate.path(path, suffix: suffix)
                suffix += 1
            }
            try sync.folder(DurableFile.parent(of: path))
        }
    }

    /// Runs `body` for each element on the pool's threads. The results are in the order of the elements.
    nonisolated(nonsending) private func mapConcurrently<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Value
    ) async -> [Result<Value, any Error>] {
        let next = NextIndex(end: elements.count)
        return await withTaskGroup(of: [(Int, Result<Value, any Error>)].self) { group in
            for _ in 0..<min(Self.threads, elements.count) {
                group.addTask { [pool] in
                    await pool.run {
                        var done: [(Int, Result<Value, any Error>)] = []
                        while let index = next.claim() {
                            done.append((index, Result { try body(elements[index]) }))
                        }
                        return done
                    }
                }
            }
            var results: [(Int, Result<Value, any Error>)] = []
            for await some in group { results += some }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

/// A thread-safe counter that returns each index of a list once.
private final class NextIndex: Sendable {
    private let next = Atomic(0)
    private let end: Int

    init(end: Int) { self.end = end }

    /// Returns the next index, or `nil` after the last index.
    func claim() -> Int? {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < end ? index : nil
    }
}
