import FrameFastModel
import FrameFastSystem
import Glibc
import Store
import Synchronization

/// The photos in the capture directory that are missing in the ledger. The publisher recognizes these photos
/// by their bytes. After the loss of a ledger, the publisher uses these files and does not save a photo
/// twice.
final class PhotosOnDisk: Sendable {
    private let directory: String
    private let ledger: LedgerStore
    private let pool = BlockingPool(label: "photos on disk", width: 1)
    /// The files by size in bytes, or `nil` before the directory was listed. Each file matches at most one
    /// photo.
    private let files = Mutex<[UInt64: [String]]?>(nil)
    /// A cache of file hashes, by path. Without the cache, all files of one size would be read for each
    /// photo.
    private let hashes = Mutex<[String: String]>([:])

    /// - Parameter directory: The capture directory.
    init(directory: String, ledger: LedgerStore) {
        self.directory = directory
        self.ledger = ledger
    }

    /// Finds a file with the photo's bytes and a path that is not in the ledger. Each file is returned only
    /// once.
    ///
    /// - Returns: The file's path, or `nil` if no file matches.
    func claimFile(of arrival: Arrival) async -> String? {
        await readDirectory()
        for path in files.withLock({ $0?[arrival.bytes] ?? [] }) {
            guard (try? await ledger.isFree(path: path)) == true else {
                forget(path, arrival.bytes)
                continue
            }
            guard await pool.run({ self.has(path, sha256: arrival.sha256) }) else { continue }
            forget(path, arrival.bytes)
            // The file is treated as saved from now on. Therefore, its bytes must be durable.
            return await pool.run { (try? DurableFile.sync(path)) == nil ? nil : path }
        }
        return nil
    }

    /// Returns whether a file has a photo's bytes. Reads the file again before a match, because the file may
    /// have been edited since its hash was cached. After a match, the publisher removes the fetched copy.
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
            // Omit files that are in the ledger, to save memory.
            for path in (try? await ledger.unrecorded(paths: paths)) ?? paths {
                found[sizes[path, default: 0], default: []].append(path)
            }
        }
        files.withLock { [found] in $0 = found }
    }

    /// Returns the subfolders of a folder, and the size of each file in bytes. Hidden folders, which
    /// include the service's own, contain no saved photos.
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
