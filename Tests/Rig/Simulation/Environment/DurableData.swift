import Foundation
import FrameFastSystem
import Glibc

/// The names and bytes in a folder of a simulated disk that survive a power failure.
///
/// A sync of a file makes its bytes durable, and a sync of a folder makes the names in the folder durable. On
/// a journaled disk, each sync makes all names durable, like the journal of ext4. After a power failure, each
/// other change may be lost:
///
/// - A new name exists or is missing. A moved file has its old durable name or its new name. A replaced name
///   refers to the old or to the new file.
/// - A file without synced bytes is complete, empty, truncated, or full of zeros.
///
/// A deletion always survives.
struct DurableData {
    /// A name in a folder.
    struct Location: Hashable, Comparable {
        /// The path of the folder below the root, or an empty text for the root.
        var folder: String
        var name: String

        /// The path below the root.
        var path: String { folder.isEmpty ? name : "\(folder)/\(name)" }

        static func < (first: Location, second: Location) -> Bool {
            (first.folder, first.name) < (second.folder, second.name)
        }
    }

    /// The names in a tree of folders.
    private struct Names {
        /// The paths of the folders below the root. Contains the root.
        var folders: Set<String> = [""]
        /// The number of the file with each name.
        var files: [Location: Int] = [:]
    }

    /// An open file. While it is open, no other file gets its inode.
    private final class OpenFile: Sendable {
        private let descriptor: Int32

        init(_ path: String) { descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW) }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    /// The chance, in percent, that a change without a sync survives.
    private static let survivalChance = 50

    private let root: String
    /// A folder whose own files always survive. Their names are random, so their order is not repeatable.
    private let randomNames: String
    private let isJournaled: Bool
    private var random: SimulationRandom
    private var names = Names()
    /// The synced bytes of files, by number.
    private var bytes: [Int: Data] = [:]
    /// The numbers of all known files of the current disk.
    private var numbers: [DurableFile.Identity: Int] = [:]
    private var openFiles: [OpenFile] = []
    private var lastNumber = 0
    /// The paths of files that the service is writing and syncing.
    private var written: [String] = []
    /// The files on the copy that replaces the disk after a kill.
    private var copied: [Location: Int] = [:]

    /// Creates a value in which all existing names and bytes are durable.
    ///
    /// - Parameters:
    ///   - randomNames: A folder below the root whose own files always survive.
    ///   - isJournaled: Whether each sync makes all names durable.
    init(root: String, randomNames: String, isJournaled: Bool, random: SimulationRandom) {
        self.root = root
        self.randomNames = randomNames
        self.isJournaled = isJournaled
        self.random = random
        makeEverythingDurable()
    }

    /// Makes all names and bytes on the disk durable.
    mutating func makeEverythingDurable() {
        (numbers, openFiles, bytes, written, copied) = ([:], [], [:], [], [:])
        names = readNames()
        for (location, number) in names.files { bytes[number] = contents(of: location) }
    }

    // MARK: calls

    /// Handles a disk call of the service that is about to succeed.
    mutating func record(_ call: SimulatedHost.DiskCall, _ path: String) {
        recordWritten()
        switch call {
        case .sync: recordSync(of: path)
        case .write: written.append(path)
        default: break
        }
    }

    /// Records the bytes of the files that the service has written and synced since the last disk call.
    private mutating func recordWritten() {
        for path in written { recordBytes(of: path) }
        written = []
    }

    private mutating func recordSync(of path: String) {
        guard path == root || path.hasPrefix(root + "/") else { return }
        recordBytes(of: path)
        let now = readNames()
        if isJournaled {
            names = now
        } else if DurableFile.isFolder(path) {
            let folder = String(path.dropFirst(root.count).drop { $0 == "/" })
            names.files = names.files.filter { $0.key.folder != folder }
            names.files.merge(now.files.filter { $0.key.folder == folder }) { _, new in new }
            names.folders.formUnion(
                now.folders.filter { !$0.isEmpty && DurableFile.parent(of: $0) == folder })
        }
    }

    private mutating func recordBytes(of path: String) {
        guard path.hasPrefix(root + "/"), DurableFile.isRegular(path), let number = number(of: path) else {
            return
        }
        bytes[number] = FileManager.default.contents(atPath: path)
    }

    // MARK: kills

    /// Handles a kill of the service, before a copy replaces the disk. A kill loses no data, and data without
    /// a sync stays unsynced in the copy.
    mutating func prepareCopy() {
        recordWritten()
        copied = readNames().files
    }

    /// Handles the replacement of the disk with its copy after a kill.
    mutating func finishCopy() {
        (numbers, openFiles) = ([:], [])
        for (location, number) in copied {
            guard let identity = DurableFile.identity(of: path(of: location)) else { continue }
            numbers[identity] = number
            openFiles.append(OpenFile(path(of: location)))
        }
        copied = [:]
    }

    // MARK: power failures

    /// Writes the data that survives a power failure to a new folder.
    ///
    /// - Returns: The number of files whose name or bytes are lost.
    mutating func writeSurvivors(to copy: String) throws -> Int {
        recordWritten()
        let current = readNames()
        let survivors = chooseSurvivors(of: current)
        let files = FileManager.default
        try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for folder in survivors.folders.sorted() where !folder.isEmpty {
            try files.createDirectory(atPath: "\(copy)/\(folder)", withIntermediateDirectories: true)
        }
        let places = Dictionary(current.files.map { ($0.value, $0.key) }) { min($0, $1) }
        var intact = 0
        for (location, number) in survivors.files.sorted(by: { $0.key < $1.key }) {
            let now = places[number].map { contents(of: $0) } ?? Data()
            var left = now
            if let synced = bytes[number] {
                left = synced
            } else if location.folder != randomNames {
                left = tear(now)
            }
            if current.files[location] == number, left == now { intact += 1 }
            try left.write(to: URL(filePath: "\(copy)/\(location.path)"))
        }
        return current.files.count - intact
    }

    private mutating func chooseSurvivors(of current: Names) -> Names {
        var after = Names()
        // The parent of a folder precedes the folder.
        for folder in current.folders.sorted() where !folder.isEmpty {
            guard after.folders.contains(DurableFile.parent(of: folder)) else { continue }
            if names.folders.contains(folder) || folder == randomNames || random.chance(Self.survivalChance) {
                after.folders.insert(folder)
            }
        }
        let oldLocations = Dictionary(names.files.map { ($0.value, $0.key) }) { min($0, $1) }
        let existing = Set(current.files.values)
        for (location, number) in current.files.sorted(by: { $0.key < $1.key }) {
            let before = names.files[location]
            let hasFolder = after.folders.contains(location.folder)
            let isSafe = before == number || location.folder == randomNames
            let old = oldLocations[number].flatMap { $0 == location ? nil : $0 }
            // Another file uses the old name. Therefore, the move is durable.
            let mustBeMoved = old.map { current.files[$0] != nil } ?? false
            if isSafe || mustBeMoved || random.chance(Self.survivalChance), hasFolder {
                after.files[location] = number
                continue
            }
            if hasFolder, let before, !existing.contains(before) { after.files[location] = before }
            if let old, !mustBeMoved, after.folders.contains(old.folder) { after.files[old] = number }
        }
        return after
    }

    /// Returns the bytes after a power failure: complete, empty, truncated, or zeros.
    private mutating func tear(_ bytes: Data) -> Data {
        switch random.number(0...3) {
        case 0: bytes
        case 1: Data()
        case 2: bytes.prefix(bytes.count / 2)
        default: Data(count: bytes.count)
        }
    }

    // MARK: files

    /// Returns the current names.
    private mutating func readNames() -> Names {
        var found = Names()
        var folders = [""]
        while let folder = folders.popLast() {
            let absolute = folder.isEmpty ? root : "\(root)/\(folder)"
            for name in ((try? FolderReader.names(in: absolute)) ?? []).sorted() {
                let location = Location(folder: folder, name: name)
                let path = path(of: location)
                if DurableFile.isRegular(path) {
                    found.files[location] = number(of: path)
                } else if DurableFile.isFolder(path) {
                    found.folders.insert(location.path)
                    folders.append(location.path)
                }
            }
        }
        return found
    }

    /// Returns the number of a file. A new file gets the next number.
    private mutating func number(of path: String) -> Int? {
        guard let identity = DurableFile.identity(of: path) else { return nil }
        if let known = numbers[identity] { return known }
        lastNumber += 1
        numbers[identity] = lastNumber
        openFiles.append(OpenFile(path))
        return lastNumber
    }

    private func path(of location: Location) -> String { "\(root)/\(location.path)" }

    private func contents(of location: Location) -> Data {
        FileManager.default.contents(atPath: path(of: location)) ?? Data()
    }
}
