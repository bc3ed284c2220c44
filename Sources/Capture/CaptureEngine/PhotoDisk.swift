import Foundation
import FrameFastModel
import FrameFastSystem
import Store
import Synchronization
import SystemPackage

/// The disk that photos are published to: what is written through, under which names, and which folders are durable.
/// Every file's way to the disk goes over threads of its own; what it knows belongs to the ``Publisher``.
final class PhotoDisk {
    /// Threads that check and fsync: enough to share the journal's commits.
    private static let threads = 4

    private let root: String
    private let folders: WorkFolders
    private let sync: DiskSync
    private let pool = BlockingPool(label: "publisher", width: threads)
    /// Folders whose own names are durable. Paths and no texts: Swift takes two names for one that differ in their
    /// Unicode form only, and the file system does not.
    private var durable: [FilePath: DurableFile.Identity] = [:]

    /// - Parameter root: The capture directory.
    init(root: String, folders: WorkFolders, sync: DiskSync) {
        self.root = root
        self.folders = folders
        self.sync = sync
    }

    /// The folder that a file lies in.
    static func folder(of path: String) -> FilePath { FilePath(path).removingLastComponent() }

    /// The folders that files lie in, each once.
    static func folders(of paths: [String]) -> Set<FilePath> { Set(paths.map(folder(of:))) }

    // MARK: a round

    /// Checks the photos of a round, and writes those that are whole through; results in order.
    nonisolated(nonsending) func checkAndSync(
        _ items: [Publisher.Item]
    ) async -> [Result<StructureCheck.Verdict, any Error>] {
        await each(items) { [sync] item in try Self.checkAndSync(item, sync) }
    }

    private static func checkAndSync(
        _ item: Publisher.Item, _ sync: DiskSync
    ) throws -> StructureCheck.Verdict {
        let reader = try FileReader(item.partPath)
        guard reader.size == item.arrival.bytes else {
            return .damaged("it has \(reader.size) bytes on disk, \(item.arrival.bytes) came from the camera")
        }
        if let expected = item.expectedBytes, expected != reader.size {
            return .damaged("it has \(reader.size) bytes, the camera announced \(expected)")
        }
        let verdict = try StructureCheck.verdict(name: item.name, size: reader.size) { offset, count in
            try reader.read(at: offset, count: count)
        }
        guard verdict == .whole else { return verdict }
        if let takenAt = item.takenAt { DurableFile.setModificationTime(of: item.partPath, to: takenAt) }
        try sync.file(item.partPath)
        return .whole
    }

    /// Gives a file a name in a folder that is durable.
    ///
    /// - Returns: whether the name was free; what has it stays.
    nonisolated(nonsending) func publish(_ partPath: String, as path: String) async throws -> Bool {
        try await publish([(partPath, path)])[0].get()
    }

    /// Gives files their names, each in a folder that is durable: one after the other on one thread, because a rename costs
    /// less than a way to another thread.
    ///
    /// - Returns: for each whether its name was free; what has it stays.
    nonisolated(nonsending) func publish(
        _ files: [(part: String, path: String)]
    ) async -> [Result<Bool, any Error>] {
        // The disk may have gone since the photos were begun: nothing is made on the one underneath.
        if case .gone = folders.restore() {
            let gone = SystemCallError(call: "save to", subject: root, errno: .noSuchAddressOrDevice)
            return files.map { _ in .failure(gone) }
        }
        let (results, folders) = await pool.run { [root, durable] in
            var folders: [FilePath: Result<DurableFile.Identity?, any Error>] = [:]
            let results = files.map { file in
                let folder = Self.folder(of: file.path)
                let prepared =
                    folders[folder] ?? Result { try Self.prepare(folder, durable[folder], root) }
                folders[folder] = prepared
                return prepared.flatMap { _ in
                    Result { try DurableFile.publish(file.part, as: file.path) }
                }
            }
            return (results, folders)
        }
        for (folder, prepared) in folders { durable[folder] = (try? prepared.get()) ?? nil }
        return results
    }

    /// Makes the names in folders durable.
    ///
    /// - Returns: the folders whose names may not survive a power cut, and why.
    nonisolated(nonsending) func sync(_ folders: Set<FilePath>) async -> [FilePath: any Error] {
        let order = Array(folders)
        let results = await each(order) { [sync] in try sync.folder($0.string) }
        var failed: [FilePath: any Error] = [:]
        for (folder, result) in zip(order, results) {
            if case .failure(let error) = result { failed[folder] = error }
        }
        return failed
    }

    /// A photo's name may not survive a power cut: it goes, and its folder is made durable anew.
    func remove(_ path: String) {
        durable[Self.folder(of: path)] = nil
        try? DurableFile.remove(path)
    }

    /// Creates a photo's folder and makes all folders up to the capture directory durable: when it is new to this run,
    /// and when it is another one than before, because somebody moved or removed the first.
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

    /// Puts the right bytes in the place of wrong ones.
    ///
    /// - Parameters:
    ///   - takenAt: The time of the capture, which becomes the file's modification time.
    ///   - right: SHA-256 of what is in the `.part` file.
    ///   - wrong: SHA-256 of the file that is wrong: only that is replaced.
    /// - Returns: whether the right bytes are there; else the file is gone or was changed, and the `.part` file is through
    ///   to the disk.
    nonisolated(nonsending) func replace(
        _ path: String, with partPath: String, takenAt: Date?, right: String, wrong: String
    ) async throws -> Bool {
        try await pool.run { [sync] () throws -> Bool in
            if let takenAt { DurableFile.setModificationTime(of: partPath, to: takenAt) }
            try sync.file(partPath)
            switch try DurableFile.exists(path) ? PhotoHash.sha256(of: FileReader(path)) : nil {
            case right: break
            case wrong: try DurableFile.replace(path, with: partPath)
            default: return false
            }
            try sync.folder(DurableFile.parent(of: path))
            return true
        }
    }

    /// Makes a name durable.
    nonisolated(nonsending) func syncName(_ path: String) async throws {
        try await pool.run { [sync] in try sync.folder(DurableFile.parent(of: path)) }
    }

    /// Keeps a file durably in a folder that is there.
    ///
    /// - Parameter isOnlyHere: whether it is kept beside a file that has its name, and not dropped.
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

    /// Runs `body` for each element on the pool's threads, shared out among them; results in order.
    nonisolated(nonsending) private func each<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Value
    ) async -> [Result<Value, any Error>] {
        let next = NextIndex(end: elements.count)
        return await withTaskGroup(of: [(Int, Result<Value, any Error>)].self) { group in
            for _ in 0..<min(Self.threads, elements.count) {
                group.addTask { [pool] in
                    await pool.run {
                        var done: [(Int, Result<Value, any Error>)] = []
                        while let index = next.take() {
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

/// Hands out the places of a list to several threads, each once.
private final class NextIndex: Sendable {
    private let next = Atomic(0)
    private let end: Int

    init(end: Int) { self.end = end }

    /// The next one; `nil` when all are taken.
    func take() -> Int? {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        return index < end ? index : nil
    }
}
