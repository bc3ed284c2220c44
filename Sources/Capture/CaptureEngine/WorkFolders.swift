import FrameFastSystem
import Glibc
import Synchronization
import SystemPackage

/// The service's own folders in the capture directory. The service locks these folders, and creates them
/// again if the capture directory is moved, removed or emptied. The next photo is then saved to a new
/// directory with the same path.
///
/// The service writes a mark into the capture directory and records the directory's disk. If the directory is
/// on another disk and its mark is missing or different, the right disk is probably not mounted. Photos then
/// wait until the right disk is mounted or the user adopts the current disk.
final class WorkFolders: Sendable {
    /// The result of ``restore()``.
    enum Availability: Hashable {
        /// The folders existed.
        case existing
        /// The folders were created again.
        case created
        /// The folders exist, but ``StartupRepair`` has not yet reconciled the files of a previous run.
        case unrepaired
        /// The service cannot or must not write to the folders.
        case unavailable(Obstacle)
    }

    /// The reason why photos cannot be saved to the capture directory.
    struct Obstacle: Error, Hashable {
        /// The problem as text that follows "The photo folder …", for example "is in use".
        var problem: String
        /// The next step, as a sentence for the user.
        var nextStep: String
        /// The system error if the service lacks file descriptors or memory, or `nil` for other problems.
        var shortage: Errno?
    }

    private struct State: ~Copyable {
        /// The lock of the capture directory. Without this lock, two services would remove each other's part
        /// files.
        var lock: StateLock?
        var known: KnownFolder?
        var hasReadRecord = false
        var isRepaired = false
    }

    private let settings: CaptureSettings
    private let mark: FolderMark
    private let advice: @Sendable (SystemCallError) -> String?
    private let state = Mutex(State())

    /// Creates the folders and locks them. ``restore()`` reports any obstacle.
    ///
    /// - Parameter advice: Returns the next step for a failed system call, or `nil` for the usual next step.
    /// - Throws: ``CaptureDirectoryError`` if another service uses the directory.
    init(_ settings: CaptureSettings, advice: @escaping @Sendable (SystemCallError) -> String? = { _ in nil })
        throws
    {
        self.settings = settings
        self.advice = advice
        mark = FolderMark(name: "captures", memory: settings.folderRecordPath)
        _ = try check()
    }

    /// Checks whether photos can be saved, and creates missing folders.
    func restore() -> Availability {
        do {
            return try check()
        } catch {
            // Another service has locked the directory since the start. The directory is treated as
            // unavailable until that service ends.
            return .unavailable(Obstacle(problem: "is in use", nextStep: "\(error)"))
        }
    }

    /// Records that ``StartupRepair`` has finished.
    func markRepaired() { state.withLock { $0.isRepaired = true } }

    /// Accepts the current disk as the disk of the capture directory.
    func adopt() throws(SystemCallError) {
        try state.withLock { state throws(SystemCallError) in
            try mark.forget()
            (state.known, state.hasReadRecord) = (nil, true)
        }
    }

    /// The number of times that the folder may disappear during one check, for example because a user moves
    /// it. After that, the folder is treated as unavailable until the next check.
    private static let movesMax = 3

    private func check() throws(CaptureDirectoryError) -> Availability {
        try state.withLock { state throws(CaptureDirectoryError) in
            var moves = 0
            while true {
                do {
                    let isCreated = try open(&state)
                    if !state.isRepaired { return .unrepaired }
                    return isCreated ? .created : .existing
                } catch let error as CaptureDirectoryError {
                    throw error
                } catch let obstacle as Obstacle {
                    return .unavailable(obstacle)
                } catch let error as SystemCallError {
                    // The folder was moved or removed during this check.
                    guard error.isMissing, moves < Self.movesMax else { return .unavailable(obstacle(error)) }
                    moves += 1
                } catch {
                    return .unavailable(
                        Obstacle(problem: "is unavailable (\(error))", nextStep: "Check its disk."))
                }
            }
        }
    }

    /// Opens the folders, and creates missing ones.
    ///
    /// - Returns: Whether a folder was created.
    /// - Throws: ``Obstacle``, ``SystemCallError`` or ``CaptureDirectoryError``.
    private func open(_ state: inout State) throws -> Bool {
        let directory = settings.directory
        let disk = try DiskIdentity.of(directory)
        if !state.hasReadRecord {
            state.known = try mark.storedMark().flatMap { KnownFolder($0, directory: directory) }
            state.hasReadRecord = true
        }
        let found = try mark.mark(in: directory)
        if let known = state.known, found != known.mark, !disk.isSame(as: known.disk) {
            throw Self.wrongDisk(directory, isMarked: found != nil)
        }
        if DiskSpace.isReadOnly(directory) {
            throw SystemCallError(call: "write to", subject: directory, errno: .readOnlyFileSystem)
        }
        let folders = [settings.incomingFolder, settings.setAsideFolder]
        let isWhole = folders.allSatisfy(DurableFile.isFolder)
        if !isWhole { for folder in folders { try DurableFile.createFolder(folder) } }
        for folder in [directory] + folders {
            guard access(folder, W_OK | X_OK) == 0 else {
                throw SystemCallError(call: "write to", subject: folder, errno: Errno(rawValue: errno))
            }
        }
        try lockFolders(&state)
        // A new folder on the same disk gets the known mark. Therefore, the original folder is recognized
        // when it is moved back.
        let counts = try found ?? mark.write(state.known?.mark ?? FolderMark.fresh(), in: directory)
        if found == nil { SimulatedHost.pass(.folderMarked) }
        let now = KnownFolder(mark: counts, disk: try DiskIdentity.of(directory), directory: directory)
        if state.known != now {
            try mark.remember(now.text, isReplacing: true)
            state.known = now
        }
        return !isWhole
    }

    private func lockFolders(_ state: inout State) throws {
        let path = settings.workFolder + "/lock"
        if state.lock?.isStill(at: path) == true { return }
        // Releases the held lock first. A network share may report a new inode number for the locked file
        // (dittofs #1813). The service would then wait for its own lock.
        state.lock = nil
        guard let lock = try StateLock.acquire(path) else {
            throw CaptureDirectoryError.inUse(settings.directory)
        }
        state.lock = consume lock
    }

    /// Returns the obstacle for a failed call on the folders or on the file that records their mark.
    func obstacle(_ error: SystemCallError) -> Obstacle {
        if error.isDiskFull {
            return Obstacle(
                problem: "cannot be used, because a disk is full (\(error))",
                nextStep: advice(error)
                    ?? "Free some space on that disk. FrameFast then continues automatically.")
        }
        if error.errno.isExhausted {
            return Obstacle(
                problem: "cannot be used now (\(error))",
                nextStep: "No action is needed: FrameFast continues automatically.", shortage: error.errno)
        }
        return Obstacle(
            problem: "is unavailable (\(error))",
            nextStep: advice(error)
                ?? "Mount its disk again, or put the folder back. FrameFast then continues automatically.")
    }

    private static func wrongDisk(_ directory: String, isMarked: Bool) -> Obstacle {
        Obstacle(
            problem: isMarked
                ? "is on another disk than before" : "exists, but its disk is not mounted",
            nextStep: "Mount the disk. FrameFast then continues automatically. "
                + "To save photos to the disk that holds the folder now, run 'framefast storage adopt'.")
    }
}

/// The recorded identity of the capture directory.
struct KnownFolder: Hashable {
    /// The mark in the directory.
    var mark: String
    /// The disk that the directory was on.
    var disk: DiskIdentity
    /// A hash of the directory's path. A new path in the configuration is treated as a new directory.
    private var place: String

    init(mark: String, disk: DiskIdentity, directory: String) {
        self.mark = mark
        self.disk = disk
        place = Self.place(directory)
    }

    /// Parses the value of ``text``, or returns `nil` if the text is invalid or belongs to another
    /// directory.
    init?(_ text: String, directory: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, let disk = DiskIdentity(words[1]), words[2] == Self.place(directory) else {
            return nil
        }
        self.init(mark: words[0], disk: disk, directory: directory)
    }

    /// The identity as one line of text.
    var text: String { "\(mark) \(disk) \(place)" }

    /// Returns the 64-bit FNV-1a hash of a path. The hash only distinguishes paths; it is not
    /// cryptographic.
    private static func place(_ path: String) -> String {
        String(path.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}

/// The reason why the capture directory cannot be used.
public enum CaptureDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another service saves photos in the directory.
    case inUse(String)

    /// The error and the next step.
    public var description: String {
        switch self {
        case .inUse(let directory):
            "another framefastd saves photos in \(directory): stop it, or use a different directory"
        }
    }
}
