import FrameFastSystem
import Synchronization

/// Our own folders in the capture directory: held for this service, and made again when somebody moves, removes or
/// empties the capture directory while it is used. The next photo then goes to a new one under the same name.
final class WorkFolders: Sendable {
    private let settings: CaptureSettings
    /// Two services on one capture directory would sweep away each other's growing files.
    private let lock: Mutex<StateLock>

    /// Makes the folders and takes the lock in them.
    ///
    /// - Throws: ``CaptureDirectoryError`` when another service has it.
    init(_ settings: CaptureSettings) throws {
        self.settings = settings
        try Self.create(settings)
        lock = Mutex(try Self.takeLock(settings))
    }

    /// How the folders stand after ``restore()``.
    enum Standing: Hashable {
        /// They were there.
        case there
        /// They had to be made again.
        case made
        /// They are gone and cannot be made; why.
        case gone(String)
    }

    /// Makes what is missing.
    func restore() -> Standing {
        guard !DurableFile.exists(settings.incomingFolder) || !DurableFile.exists(settings.setAsideFolder)
        else {
            return .there
        }
        do {
            try Self.create(settings)
            try lock.withLock { lock in
                guard !lock.isStill(at: Self.lockPath(settings)) else { return }
                lock = try Self.takeLock(settings)
            }
            return .made
        } catch {
            return .gone("\(error)")
        }
    }

    private static func create(_ settings: CaptureSettings) throws(SystemCallError) {
        for folder in [settings.incomingFolder, settings.setAsideFolder] {
            try DurableFile.createFolder(folder)
        }
    }

    private static func lockPath(_ settings: CaptureSettings) -> String { settings.workFolder + "/lock" }

    private static func takeLock(_ settings: CaptureSettings) throws -> StateLock {
        guard let lock = try StateLock.take(lockPath(settings)) else {
            throw CaptureDirectoryError.inUse(settings.directory)
        }
        return lock
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
