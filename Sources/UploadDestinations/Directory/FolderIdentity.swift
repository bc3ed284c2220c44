import Foundation
import FrameFastModel
import FrameFastSystem
import Glibc
import SystemPackage
import UploadEngine

/// Knows a destination's folder again, so that a mount that is gone is never mistaken for an empty folder.
///
/// An unmounted share leaves its mount point behind: an empty folder on the computer's own disk, which takes photos
/// gladly. Device numbers do not help, as they change with every mount. So the folder gets a marker, once, and the
/// computer remembers it: a folder without that very marker is not the destination.
struct FolderIdentity: Sendable {
    /// The marker and parts of uploads are in here, inside the destination's folder.
    static let workFolder = ".framefast"
    private static let markerName = "destination"
    private static let markerBytesMax = 256

    let folder: String
    /// Where the marker is remembered on this computer.
    let memory: String
    /// Whether the folder must lie on another file system than `/` when it is met first.
    let mustBeMount: Bool
    /// The destination's name.
    let name: String

    /// Opens the folder when it is the right one.
    func open() throws(UploadFailure) -> OpenFolder {
        let remembered = try Self.text(memory)
        if remembered == nil && !DurableFile.exists(folder) && !mustBeMount {
            do { try DurableFile.createFolder(folder) } catch { throw FolderTrouble.failure(error, folder) }
        }
        let opened = try OpenFolder(folder)
        let work = opened.path(Self.workFolder)
        let marker = work + "/" + Self.markerName
        let found = try Self.text(marker)
        if let remembered {
            guard found == remembered else {
                throw UploadFailure(
                    .outage(retryAfterSeconds: nil),
                    found == nil
                        ? "\(folder) is there, but it is not the folder that was used before: its disk or share is not mounted."
                        : "\(folder) holds another disk or share than the one that was used before.",
                    nextStep:
                        "Mount the disk or share again. If this is the new place on purpose: 'framefast destinations adopt \(name)'."
                )
            }
            return opened
        }
        if mustBeMount && opened.isOnRootDisk {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "\(folder) is not a mount: its disk or share is not there.",
                nextStep: "Mount the disk or share.")
        }
        let identity: String
        if let found {
            identity = found
        } else {
            identity = try Self.mark(work: work, marker: marker, folder)
        }
        try Self.keep(identity, at: memory)
        // Two uploads may be the first at once: both take the identity that was kept.
        guard try Self.text(memory) == identity else { return try open() }
        return opened
    }

    /// Takes the folder for the destination from now on, whatever was there before.
    func adopt() throws(UploadFailure) {
        do { try DurableFile.remove(memory) } catch { throw FolderTrouble.failure(error, memory) }
        _ = try open()
    }

    /// The name that this computer's parts began with before ``Station`` was; `nil` where there was none.
    var formerStation: String? {
        let known = try? Self.text(DurableFile.parent(of: memory) + "/station")
        return known.flatMap { $0 }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func mark(work: String, marker: String, _ folder: String) throws(UploadFailure) -> String {
        let identity = UUID().uuidString.lowercased()
        do {
            try DurableFile.createFolder(work)
            let part = "\(work)/\(identity).part"
            try write(identity, to: part)
            // Another station may have been first: then its marker counts.
            if try !DurableFile.publish(part, as: marker) { try DurableFile.remove(part) }
            try DurableFile.syncFolder(work)
        } catch {
            throw FolderTrouble.failure(error, folder)
        }
        return try text(marker) ?? identity
    }

    private static func keep(_ identity: String, at memory: String) throws(UploadFailure) {
        do {
            let folder = DurableFile.parent(of: memory)
            try DurableFile.createFolder(folder)
            let part = "\(memory).\(UUID().uuidString).part"
            try write(identity, to: part)
            if try !DurableFile.publish(part, as: memory) { try DurableFile.remove(part) }
            try DurableFile.syncFolder(folder)
        } catch {
            throw UploadFailure(
                .outage(retryAfterSeconds: nil), "The destination cannot be remembered: \(error).")
        }
    }

    private static func write(_ text: String, to path: String) throws(SystemCallError) {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard file >= 0 else { throw FolderTrouble.error("open", path) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw FolderTrouble.error("write", path)
        }
    }

    /// - Returns: `nil` when there is no such file.
    private static func text(_ path: String) throws(UploadFailure) -> String? {
        do {
            let file = try FileReader(path)
            let bytes = try file.read(at: 0, count: markerBytesMax)
            return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        } catch  where error.isMissing || error.errno == .notDirectory {
            return nil
        } catch {
            throw FolderTrouble.failure(error, path)
        }
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
            if error.isMissing || error.errno == .notDirectory {
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
        if error.isDiskFull {
            return UploadFailure(
                .hopeless(.full), "The disk with \(place) is full.",
                nextStep: "Make room there: it is tried again by itself.")
        }
        switch error.errno {
        case .permissionDenied, .notPermitted:
            return UploadFailure(
                .hopeless(.forbidden), "Writing to \(place) is not allowed: \(reason).",
                nextStep: "Give the service's user the right to write there, then retry.")
        case .fileNameTooLong:
            return UploadFailure(
                .hopeless(.unprocessable), "The name is too long for \(place).",
                nextStep: "Shorten the destination's name template, then add the photo again.")
        case .fileTooLarge:
            return UploadFailure(
                .hopeless(.tooLarge), "The file is larger than the disk with \(place) takes.")
        case .notDirectory, .isDirectory, .tooManySymbolicLinkLevels:
            return UploadFailure(
                .hopeless(.conflict), "Something that is no folder stands in the way in \(place): \(reason).")
        default:
            // Input/output error, stale handle, read-only after an error, host down: the place has trouble.
            return UploadFailure(.outage(retryAfterSeconds: nil), "\(place) cannot be written: \(reason).")
        }
    }
}
