import FrameFastModel
import FrameFastSystem
import Store
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
        try sync.file(item.partPath)
        return .whole
    }

    /// Gives a file a name in a folder that is durable.
    ///
    /// - Returns: whether the name was free; what has it stays.
    nonisolated(nonsending) func publish(_ partPath: String, as path: String) async throws -> Bool {
        try await prepareFolder(of: path)
        return try await pool.run { try DurableFile.publish(partPath, as: path) }
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
    nonisolated(nonsending) private func prepareFolder(of path: String) async throws {
        // The disk may have gone since the photo was begun: nothing is made on the one underneath.
        if case .gone = folders.restore() {
            throw SystemCallError(call: "save to", subject: root, errno: .noSuchAddressOrDevice)
        }
        let folder = DurableFile.parent(of: path)
        let key = FilePath(folder)
        let known = durable[key]
        durable[key] = try await pool.run { [root] in
            if let known, DurableFile.identity(of: folder) == known { return known }
            try DurableFile.createFolder(folder)
            try DurableFile.syncFolders(from: DurableFile.parent(of: folder), upTo: root)
            return DurableFile.identity(of: folder)
        }
    }

    // MARK: one file

    /// Puts the right bytes in the place of wrong ones.
    ///
    /// - Parameters:
    ///   - right: SHA-256 of what is in the `.part` file.
    ///   - wrong: SHA-256 of the file that is wrong: only that is replaced.
    /// - Returns: whether the right bytes are there; else the file is gone or was changed, and the `.part` file is through
    ///   to the disk.
    nonisolated(nonsending) func replace(
        _ path: String, with partPath: String, right: String, wrong: String
    ) async throws -> Bool {
        try await pool.run { [sync] () throws -> Bool in
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

    /// Runs `body` for each element on the pool's threads, all at once; results in order.
    nonisolated(nonsending) private func each<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) throws -> Value
    ) async -> [Result<Value, any Error>] {
        await withTaskGroup(of: (Int, Result<Value, any Error>).self) { group in
            for (index, element) in elements.enumerated() {
                group.addTask { [pool] in
                    do { return (index, .success(try await pool.run { try body(element) })) } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [(Int, Result<Value, any Error>)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
