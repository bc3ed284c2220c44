import FrameFastSystem
import Glibc
import SystemPackage
import UploadEngine

/// The identity of a destination's folder. A ``FolderMark`` in the folder shows whether another folder has
/// replaced this folder.
struct FolderIdentity: Sendable {
    /// The folder for the mark and the part files, inside the destination's folder.
    static let workFolder = FolderMark.workFolder
    /// The name of the mark's file.
    static let markName = "destination"

    let folder: String
    /// The mark that identifies the folder.
    let mark: FolderMark
    /// Whether the folder must be on a different file system than `/` when it is used for the first time.
    let mustBeMount: Bool
    /// The destination's name.
    let name: String

    /// - Parameter memory: The path of a local file that stores the mark.
    init(folder: String, memory: String, mustBeMount: Bool, name: String) {
        self.folder = folder
        mark = FolderMark(name: Self.markName, memory: memory)
        self.mustBeMount = mustBeMount
        self.name = name
    }

    /// Opens the folder if its mark is correct. Marks the folder when it is used for the first time.
    func open() throws(UploadFailure) -> OpenFolder {
        let remembered = try memory()
        if remembered == nil && !DurableFile.exists(folder) && !mustBeMount {
            do { try DurableFile.createFolder(folder) } catch {
                throw FolderFailureMapping.failure(error, folder)
            }
        }
        let opened = try OpenFolder(folder)
        let found: String?
        do { found = try mark.mark(in: opened.path("")) } catch {
            throw FolderFailureMapping.failure(error, folder)
        }
        if let remembered {
            guard found == remembered else { throw wrongFolderFailure(isMarked: found != nil) }
            return opened
        }
        if mustBeMount && opened.isOnRootDisk {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil),
                "\(folder) is not a mount point, because the folder's disk or share is not mounted.",
                nextStep: "Mount the disk or share.")
        }
        let validMark: String
        do {
            if let found {
                validMark = found
            } else {
                validMark = try mark.write(FolderMark.fresh(), in: opened.path(""))
            }
        } catch {
            throw FolderFailureMapping.failure(error, folder)
        }
        do { try mark.remember(validMark) } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "Cannot save the destination's identity: \(error).")
        }
        // Two uploads may mark a new folder concurrently. Both uploads then use the mark that was saved last.
        guard try memory() == validMark else { return try open() }
        return opened
    }

    /// Accepts the current folder as the destination, and replaces the stored mark.
    func adopt() throws(UploadFailure) {
        do { try mark.forget() } catch { throw FolderFailureMapping.failure(error, mark.memory) }
        _ = try open()
    }

    private func memory() throws(UploadFailure) -> String? {
        do { return try mark.storedMark() } catch { throw FolderFailureMapping.failure(error, mark.memory) }
    }

    private func wrongFolderFailure(isMarked: Bool) -> UploadFailure {
        UploadFailure(
            .outage(retryAfterSeconds: nil),
            isMarked
                ? "\(folder) is on a different disk or share than before."
                : "\(folder) is not the folder that was used before, because the folder's disk or share is not mounted.",
            nextStep:
                "Mount the disk or share again. To use the new folder: 'framefast destinations adopt \(name)'."
        )
    }
}

/// An open folder. Names are resolved in this folder, even if its path later refers to a different folder.
final class OpenFolder: Sendable {
    private let descriptor: Int32
    /// Whether the folder is on the file system of `/`.
    let isOnRootDisk: Bool

    init(_ path: String) throws(UploadFailure) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = FolderFailureMapping.error("open", path)
            if error.isPathMissing {
                throw UploadFailure(
                    .outage(retryAfterSeconds: nil), "The folder \(path) does not exist.",
                    nextStep: "Mount the folder's disk or share, or create the folder.")
            }
            throw FolderFailureMapping.failure(error, path)
        }
        self.descriptor = descriptor
        var (own, root) = (stat(), stat())
        isOnRootDisk = fstat(descriptor, &own) == 0 && stat("/", &root) == 0 && own.st_dev == root.st_dev
    }

    deinit { close(descriptor) }

    /// Returns a path into the folder through its descriptor (proc(5)). The `.` is required, because
    /// `O_NOFOLLOW` refuses a path whose last component is a link.
    func path(_ relative: String) -> String { "/proc/self/fd/\(descriptor)/./\(relative)" }
}

/// A mapping from failed system calls on a destination's folder to upload failures.
enum FolderFailureMapping {
    /// Returns the error of the system call that just failed, from `errno`.
    static func error(_ call: String, _ subject: String) -> SystemCallError {
        SystemCallError(call: call, subject: subject, errno: Errno(rawValue: errno))
    }

    static func failure(_ error: SystemCallError, _ place: String) -> UploadFailure {
        let reason = "\(error.errno)"
        switch error.errno {
        case let errno where errno.isExhausted: return .shortage("\(place) cannot be used", errno)
        case let errno where errno.isDiskFull: return .full("The disk with \(place) is full.")
        case let errno where errno.isNotAllowed:
            return UploadFailure(
                .permanent(.forbidden), "Writing to \(place) is not allowed: \(reason).",
                nextStep: "Give the service's user write permission for the folder, then retry.")
        case .fileNameTooLong:
            return UploadFailure(
                .permanent(.unprocessable), "The name is too long for \(place).",
                nextStep: "Shorten the destination's name template, then add the photo again.")
        case .fileTooLarge:
            return UploadFailure(
                .permanent(.tooLarge), "The file is too large for the disk with \(place).")
        case let errno where errno.isBlocked:
            return UploadFailure(
                .permanent(.conflict),
                "The name of a required file or folder in \(place) is already in use: \(reason).")
        default:
            // The disk or share has a problem: an I/O error, a stale handle, read-only after an error, or a
            // host that is down.
            return UploadFailure(
                .outage(retryAfterSeconds: nil), "\(place) cannot be written: \(reason).",
                nextStep: ShareAdvice.step(for: error.errno).map { $0 + "." })
        }
    }
}
