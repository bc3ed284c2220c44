import FrameFastSystem
import Glibc
import Synchronization
import SystemPackage

/// Our own folders in the capture directory: held for this service, and made again when somebody moves, removes or
/// empties the capture directory while it is used. The next photo then goes to a new one under the same name.
///
/// They are made on the disk that was met first only. A capture directory that has not our mark and lies on another disk
/// is what is left when its disk is not mounted, or a disk that nobody has chosen: photos wait until the right one is
/// there, or a person takes the other one.
final class WorkFolders: Sendable {
    /// How the folders stand after ``restore()``.
    enum Standing: Hashable {
        /// They were there.
        case there
        /// They had to be made again.
        case made
        /// They are there, and what a run before left in them is not put in step yet: ``StartupRepair`` comes first.
        case unrepaired
        /// Nothing can be written to them, or must be; why.
        case gone(Obstacle)
    }

    /// What keeps photos from the capture directory.
    struct Obstacle: Error, Hashable {
        /// For people, after "The folder for photos …": "is away (…)".
        var problem: String
        /// What to do, for people.
        var nextStep: String
        /// The kernel's reason, if the computer has too few open files or too little memory left.
        var shortage: Errno?
    }

    private struct State: ~Copyable {
        /// Two services on one capture directory would sweep away each other's growing files.
        var lock: StateLock?
        var known: KnownFolder?
        var hasReadMemory = false
        var isRepaired = false
    }

    private let settings: CaptureSettings
    private let mark: FolderMark
    private let advice: @Sendable (SystemCallError) -> String?
    private let state = Mutex(State())

    /// Makes the folders and takes the lock in them. What keeps them from being made is told by ``restore()``.
    ///
    /// - Parameter advice: What to do when a call was refused; `nil` when the usual is right.
    /// - Throws: ``CaptureDirectoryError`` when another service has it.
    init(_ settings: CaptureSettings, advice: @escaping @Sendable (SystemCallError) -> String? = { _ in nil })
        throws
    {
        self.settings = settings
        self.advice = advice
        mark = FolderMark(name: "captures", memory: settings.folderMemory)
        _ = try attempt()
    }

    /// Looks whether photos can be taken in, and makes what is missing.
    func restore() -> Standing {
        do {
            return try attempt()
        } catch {
            // Taken by another service meanwhile: as good as away, until that one ends.
            return .gone(Obstacle(problem: "is in use", nextStep: "\(error)"))
        }
    }

    /// What a run before left is in step now.
    func repaired() { state.withLock { $0.isRepaired = true } }

    /// Takes the disk that is there now, whatever was there before.
    func adopt() throws(SystemCallError) {
        try state.withLock { state throws(SystemCallError) in
            try mark.forget()
            (state.known, state.hasReadMemory) = (nil, true)
        }
    }

    /// How often the folder may be moved away while it is looked at, before it counts as away. Once in a moment is a
    /// person's doing; this many times is not, and the next photo looks again.
    private static let movesMax = 3

    private func attempt() throws(CaptureDirectoryError) -> Standing {
        try state.withLock { state throws(CaptureDirectoryError) in
            var moves = 0
            while true {
                do {
                    let isMade = try open(&state)
                    if !state.isRepaired { return .unrepaired }
                    return isMade ? .made : .there
                } catch let error as CaptureDirectoryError {
                    throw error
                } catch let obstacle as Obstacle {
                    return .gone(obstacle)
                } catch let error as SystemCallError {
                    // What is missing was there, or was made, a moment ago.
                    guard error.isMissing, moves < Self.movesMax else { return .gone(obstacle(error)) }
                    moves += 1
                } catch {
                    return .gone(Obstacle(problem: "is away (\(error))", nextStep: "Check its disk."))
                }
            }
        }
    }

    /// - Returns: whether something had to be made.
    private func open(_ state: inout State) throws -> Bool {
        let directory = settings.directory
        let disk = try DiskIdentity.of(directory)
        if !state.hasReadMemory {
            state.known = try mark.remembered().flatMap { KnownFolder($0, directory: directory) }
            state.hasReadMemory = true
        }
        let found = try mark.found(in: directory)
        if let known = state.known, found != known.mark, !disk.isSame(as: known.disk) {
            throw Self.strangeDisk(directory, isMarked: found != nil)
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
        try hold(&state)
        // On the same disk the folder stays what it was, so that one that is put back is known again.
        let counts = try found ?? mark.put(state.known?.mark ?? FolderMark.fresh(), in: directory)
        let now = KnownFolder(mark: counts, disk: try DiskIdentity.of(directory), directory: directory)
        if state.known != now {
            try mark.remember(now.text, isReplacing: true)
            state.known = now
        }
        return !isWhole
    }

    private func hold(_ state: inout State) throws {
        let path = settings.workFolder + "/lock"
        if state.lock?.isStill(at: path) == true { return }
        guard let lock = try StateLock.take(path) else {
            throw CaptureDirectoryError.inUse(settings.directory)
        }
        state.lock = consume lock
    }

    /// What a failed call on our folders, or on what is remembered of them, means.
    func obstacle(_ error: SystemCallError) -> Obstacle {
        if error.isDiskFull {
            return Obstacle(
                problem: "cannot be used, because a disk is full (\(error))",
                nextStep: advice(error) ?? "Free some space on that disk: FrameFast continues automatically.")
        }
        if error.errno.isExhausted {
            return Obstacle(
                problem: "cannot be used now (\(error))",
                nextStep: "Nothing to do: FrameFast continues automatically.", shortage: error.errno)
        }
        return Obstacle(
            problem: "is away (\(error))",
            nextStep: advice(error)
                ?? "Mount its disk again, or put the folder back: FrameFast continues automatically.")
    }

    private static func strangeDisk(_ directory: String, isMarked: Bool) -> Obstacle {
        Obstacle(
            problem: isMarked
                ? "is on another disk than before" : "is there, but its disk is not: it is not mounted",
            nextStep: "Mount the disk: FrameFast continues automatically. "
                + "To save photos to the disk that is there now: 'framefast storage adopt'.")
    }
}

/// The capture directory as it was met: what it is known by.
struct KnownFolder: Hashable {
    /// The mark that it has.
    var mark: String
    /// The disk that it lay on.
    var disk: DiskIdentity
    /// Stands for its path: another path in the configuration is another folder.
    private var place: String

    init(mark: String, disk: DiskIdentity, directory: String) {
        self.mark = mark
        self.disk = disk
        place = Self.place(directory)
    }

    /// What ``text`` gave for this directory; `nil` for anything else.
    init?(_ text: String, directory: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 3, let disk = DiskIdentity(words[1]), words[2] == Self.place(directory) else {
            return nil
        }
        self.init(mark: words[0], disk: disk, directory: directory)
    }

    /// One line, to be kept.
    var text: String { "\(mark) \(disk) \(place)" }

    /// FNV-1a, 64 bits: tells paths apart, and keeps no secret.
    private static func place(_ path: String) -> String {
        String(path.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}

/// Why the capture directory cannot be used.
public enum CaptureDirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another service saves photos there.
    case inUse(String)

    /// What is wrong and what to do.
    public var description: String {
        switch self {
        case .inUse(let directory):
            "another framefastd saves photos in \(directory): stop it, or give this one a directory of its own"
        }
    }
}
