import FrameFastModel
import FrameFastSystem
import Glibc
import Store
import Synchronization

/// Photos in the capture directory that the ledger does not know: they are recognised by their bytes. Nothing is saved twice
/// after a ledger was lost, however long after that its camera comes back.
final class PhotosOnDisk: Sendable {
    private let directory: String
    private let ledger: LedgerStore
    private let pool = BlockingPool(label: "photos on disk", width: 1)
    /// Files by their number of bytes, or `nil` before the directory was read, which costs one listing. Each file is one photo
    /// at most.
    private let files = Mutex<[UInt64: [String]]?>(nil)
    /// The hashes of files that were read: cameras with files of one size must not read all of them for each photo.
    private let hashes = Mutex<[String: String]>([:])

    /// - Parameter directory: The capture directory.
    init(directory: String, ledger: LedgerStore) {
        self.directory = directory
        self.ledger = ledger
    }

    /// Finds the file that holds a photo's bytes under a name that the ledger does not know.
    ///
    /// - Returns: Its path, once; or `nil` without such a file.
    func take(_ arrival: Arrival) async -> String? {
        await readDirectory()
        for path in files.withLock({ $0?[arrival.bytes] ?? [] }) {
            guard (try? await ledger.isFree(path: path)) == true else {
                forget(path, arrival.bytes)
                continue
            }
            guard await pool.run({ self.has(path, sha256: arrival.sha256) }) else { continue }
            forget(path, arrival.bytes)
            // The file counts as saved from now on, so it has to be on the disk.
            return await pool.run { (try? DurableFile.sync(path)) == nil ? nil : path }
        }
        return nil
    }

    /// Whether a file has a photo's bytes. Only bytes that are read now say so: a file that was hashed for an earlier photo may
    /// have been edited since, and the photo's own copy is removed.
    private func has(_ path: String, sha256: String) -> Bool {
        if let known = hashes.withLock({ $0[path] }), known != sha256 { return false }
        let found = try? PhotoHash.sha256(of: FileReader(path))
        hashes.withLock { $0[path] = found }
        return found == sha256
    }

    private func forget(_ path: String, _ bytes: UInt64) {
        files.withLock { $0?[bytes]?.removeAll { $0 == path } }
    }

    private func readDirectory() async {
        guard files.withLock({ $0 == nil }) else { return }
        var found: [UInt64: [String]] = [:]
        var folders = [directory]
        while let folder = folders.popLast() {
            let (inner, sizes) = await pool.run { Self.entries(of: folder) }
            folders += inner
            let paths = sizes.keys.sorted()
            // Files that the ledger knows would take memory for nothing.
            for path in (try? await ledger.unknown(paths: paths)) ?? paths {
                found[sizes[path, default: 0], default: []].append(path)
            }
        }
        files.withLock { [found] in $0 = found }
    }

    /// The folders in a folder, and the number of bytes of each file. Our own folders and hidden ones hold no saved photo.
    private static func entries(of folder: String) -> (folders: [String], sizes: [String: UInt64]) {
        var (folders, sizes): ([String], [String: UInt64]) = ([], [:])
        for name in (try? FolderReader.names(in: folder)) ?? [] where !name.hasPrefix(".") {
            let path = folder + "/" + name
            var information = stat()
            guard lstat(path, &information) == 0 else { continue }
            switch information.st_mode & S_IFMT {
            case S_IFDIR: folders.append(path)
            case S_IFREG: sizes[path] = UInt64(information.st_size)
            default: break
            }
        }
        return (folders, sizes)
    }
}
