import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import SystemPackage
import UploadEngine

/// Whether a destination's folder is the one that was used before: ``FolderMark`` knows it again.
struct FolderIdentity: Sendable {
    /// The mark and parts of uploads are in here, inside the destination's folder.
    static let workFolder = FolderMark.workFolder

    let folder: String
    /// What knows it again.
    let mark: FolderMark
    /// Whether the folder must lie on another file system than `/` when it is met first.
    let mustBeMount: Bool
    /// The destination's name.
    let name: String

    /// - Parameter memory: Where the mark is remembered on this computer.
    init(folder: String, memory: String, mustBeMount: Bool, name: String) {
        self.folder = folder
        mark = FolderMark(name: "destination", memory: memory)
        self.mustBeMount = mustBeMount
        self.name = name
    }

    /// Opens the folder when it is the right one.
    func open() throws(UploadFailure) -> OpenFolder {
        let remembered = try memory()
        if remembered == nil && !DurableFile.exists(folder) && !mustBeMount {
            do { try DurableFile.createFolder(folder) } catch { throw FolderTrouble.failure(error, folder) }
        }
        let opened = try OpenFolder(folder)
        let found: String?
        do { found = try mark.found(in: opened.path("")) } catch {
            throw FolderTrouble.failure(error, folder)
        }
        if let remembered {
            guard found == remembered else { throw strangeFolder(isMarked: found != nil) }
            return opened
        }
        if mustBeMount && opened.isOnRootDisk {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "\(folder) is not a mount: its disk or share is not there.",
                nextStep: "Mount the disk or share.")
        }
        let counts: String
        do {
            if let found {
                counts = found
            } else {
                counts = try mark.put(FolderMark.fresh(), in: opened.path(""))
            }
        } catch {
            throw FolderTrouble.failure(error, folder)
        }
        do { try mark.remember(counts) } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "The destination cannot be remembered: \(error).")
        }
        // Two uploads may be the first at once: both take the mark that was kept.
        guard try memory() == counts else { return try open() }
        return opened
    }

    /// Takes the folder for the destination from now on, whatever was there before.
    func adopt() throws(UploadFailure) {
        do { try mark.forget() } catch { throw FolderTrouble.failure(error, mark.memory) }
        _ = try open()
    }

    /// The name that this computer's parts began with before ``Station`` was; `nil` where there was none.
    var formerStation: String? {
        let path = DurableFile.parent(of: mark.memory) + "/station"
        let known = try? FileReader(path).read(at: 0, count: Self.formerStationBytesMax)
        let name = known.map {
            String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Longer than any name that was ever given.
    private static let formerStationBytesMax = 256

    private func memory() throws(UploadFailure) -> String? {
        do { return try mark.remembered() } catch { throw FolderTrouble.failure(error, mark.memory) }
    }

    private func strangeFolder(isMarked: Bool) -> UploadFailure {
        UploadFailure(
            .outage(retryAfterSeconds: nil),
            isMarked
                ? "\(folder) holds another disk or share than the one that was used before."
                : "\(folder) is there, but it is not the folder that was used before: its disk or share is not mounted.",
            nextStep:
                "Mount the disk or share again. If this is the new place on purpose: 'framefast destinations adopt \(name)'."
        )
    }
}

/// A folder that is held open: names are looked up in it, and in nothing that takes its place meanwhile.
final class OpenFolder: Sendable {
    private let descriptor: Int32
    /// Whether it lies on the file system of `/`.
    let isOnRootDisk: Bool

    init(_ path: String) throws(UploadFailure) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = FolderTrouble.error("open", path)
            if error.isPathMissing {
                throw UploadFailure(
                    .outage(retryAfterSeconds: nil), "The folder \(path) is not there.",
                    nextStep: "Mount its disk or share, or make the folder.")
            }
            throw FolderTrouble.failure(error, path)
        }
        self.descriptor = descriptor
        var (own, root) = (stat(), stat())
        isOnRootDisk = fstat(descriptor, &own) == 0 && stat("/", &root) == 0 && own.st_dev == root.st_dev
    }

    deinit { close(descriptor) }

    /// A path into the folder by its descriptor (proc(5)). The `.` keeps the link itself from being the last part,
    /// which `O_NOFOLLOW` would refuse.
    func path(_ relative: String) -> String { "/proc/self/fd/\(descriptor)/./\(relative)" }
}

/// What a failed call on a destination's folder means for the queue.
enum FolderTrouble {
    /// The failure of the call that just returned.
    static func error(_ call: String, _ subject: String) -> SystemCallError {
        SystemCallError(call: call, subject: subject, errno: Errno(rawValue: errno))
    }

    static func failure(_ error: SystemCallError, _ place: String) -> UploadFailure {
        let reason = "\(error.errno)"
        switch error.errno {
        case let errno where errno.isExhausted: return .shortage("\(place) cannot be used", errno)
        case let errno where errno.isNoRoom: return .full("The disk with \(place) is full.")
        case let errno where errno.isNotAllowed:
            return UploadFailure(
                .permanent(.forbidden), "Writing to \(place) is not allowed: \(reason).",
                nextStep: "Give the service's user the right to write there, then retry.")
        case .fileNameTooLong:
            return UploadFailure(
                .permanent(.unprocessable), "The name is too long for \(place).",
                nextStep: "Shorten the destination's name template, then add the photo again.")
        case .fileTooLarge:
            return UploadFailure(
                .permanent(.tooLarge), "The file is larger than the disk with \(place) takes.")
        case let errno where errno.isBlocked:
            return UploadFailure(
                .permanent(.conflict), "A file blocks the folder's name in \(place): \(reason).")
        default:
            // Input/output error, stale handle, read-only after an error, host down: the place has trouble.
            return UploadFailure(.outage(retryAfterSeconds: nil), "\(place) cannot be written: \(reason).")
        }
    }
}
