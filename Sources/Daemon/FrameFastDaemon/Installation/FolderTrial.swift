import FrameFastSystem
import Glibc
import SystemPackage
import UploadDestinations

/// The result of a test: whether photos can be saved in a folder, or whether a file can be read. The test
/// process prints the result for `--check-config`.
struct FolderTrialResult: Codable, Hashable {
    /// The tested file or folder. For a folder, symbolic links in the existing part of the path are resolved.
    var target: String
    /// The error number, 0 for success, or `nil` if this user can't determine it.
    var errno: Int32?
    /// The file or folder of the error.
    var subject: String
    /// Whether ``subject`` is a folder above the target that the user can't pass through.
    var isClosed = false
    /// Whether the folder has the mark that a destination writes at the first use, or `nil` if this user
    /// can't determine it.
    var isMarked: Bool?
    /// Whether the folder is on the disk of `/`. If this user can't inspect the folder, the value is for its
    /// nearest ancestor that this user can inspect.
    var isOnRootDisk = false

    /// Whether the tested file or folder is missing.
    var isMissing: Bool { errno.map { Errno(rawValue: $0).isPathMissing } ?? false }
}

/// Tests a folder or a file with the operations that the service needs.
///
/// The test only creates a file without a name, so no file remains, even if the test is killed. A call on a
/// dead network mount can hang, so the tests run in a ``CheckProcess``.
struct FolderTrial {
    /// `O_TMPFILE`, which creates a file without a name. fcntl.h defines it in a form that Swift can't
    /// import.
    private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

    private static let inspectCall = "inspect"

    /// The user whose permissions are tested.
    let observer: Observer

    /// Tests a folder, and FrameFast's own folders in it.
    func test(_ folder: String) -> FolderTrialResult {
        var result = testWriting(to: folder)
        result.isMarked = Self.isMarked(folder)
        result.isOnRootDisk = Self.isOnRootDisk(folder)
        return result
    }

    private func testWriting(to folder: String) -> FolderTrialResult {
        var target = folder
        do throws(SystemCallError) {
            for (index, part) in ["", "/.framefast/incoming", "/.framefast/set-aside"].enumerated() {
                let place = try nearest(to: folder + part)
                if index == 0 { target = Self.target(of: folder, from: place) }
                switch observer {
                case .service: try write(to: place)
                case .otherUser:
                    guard let mayWrite = observer.mayWrite(to: place) else {
                        return FolderTrialResult(target: target, errno: nil, subject: place)
                    }
                    guard mayWrite, !DiskSpace.isReadOnly(place) else {
                        throw SystemCallError(
                            call: "write to", subject: place,
                            errno: mayWrite ? .readOnlyFileSystem : .permissionDenied)
                    }
                }
            }
            return FolderTrialResult(target: target, errno: 0, subject: folder)
        } catch {
            if observer != .service, error.call == Self.inspectCall, error.errno.isNotAllowed {
                return FolderTrialResult(target: target, errno: nil, subject: error.subject)
            }
            let closed = error.errno.isNotAllowed ? observer.closedFolder(above: target) : nil
            return FolderTrialResult(
                target: target, errno: error.number, subject: closed ?? error.subject, isClosed: closed != nil
            )
        }
    }

    /// Tests whether the service can read a file.
    func test(file: String) -> FolderTrialResult {
        let closed = observer.closedFolder(above: file)
        var reason = Errno(rawValue: 0)
        switch observer {
        case .service:
            // A pipe without a writer must not block the test.
            let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            if descriptor >= 0 { close(descriptor) } else { reason = Errno(rawValue: errno) }
        case .otherUser(let user, let groups):
            if let permission = FolderPermission(of: file) {
                let isReadable = closed == nil && permission.allows(.read, user: user, groups: groups)
                reason = isReadable ? reason : .permissionDenied
            } else {
                reason = Errno(rawValue: errno)
                if reason.isNotAllowed { return FolderTrialResult(target: file, errno: nil, subject: file) }
            }
        }
        let barrier = reason.isNotAllowed ? closed : nil
        return FolderTrialResult(
            target: file, errno: reason.rawValue, subject: barrier ?? file, isClosed: barrier != nil)
    }

    private static func isMarked(_ folder: String) -> Bool? {
        var facts = stat()
        if lstat(DirectoryDestination.markPath(in: folder), &facts) == 0 { return true }
        return Errno(rawValue: errno).isPathMissing ? false : nil
    }

    private static func isOnRootDisk(_ folder: String) -> Bool {
        var (facts, root) = (stat(), stat())
        guard FolderPermission.above(folder).contains(where: { stat($0, &facts) == 0 }) else { return true }
        return stat("/", &root) == 0 && facts.st_dev == root.st_dev
    }

    /// Returns the folder, or its nearest existing ancestor, in which the service would create the missing
    /// folders.
    private func nearest(to folder: String) throws(SystemCallError) -> String {
        var place = folder
        while true {
            var facts = stat()
            if stat(place, &facts) == 0 {
                guard facts.st_mode & S_IFMT == S_IFDIR else {
                    throw SystemCallError(call: "create the folder", subject: place, errno: .notDirectory)
                }
                return place
            }
            let reason = Errno(rawValue: errno)
            // The last ancestor of a relative path is an empty path.
            guard reason.isPathMissing, place != "/", !place.isEmpty else {
                throw SystemCallError(
                    call: Self.inspectCall, subject: place.isEmpty ? folder : place, errno: reason)
            }
            // The path is a broken symbolic link.
            guard lstat(place, &facts) != 0 else {
                throw SystemCallError(call: "create the folder", subject: place, errno: .notDirectory)
            }
            place = DurableFile.parent(of: place)
        }
    }

    /// Returns the folder with the symbolic links of its existing part resolved.
    ///
    /// - Parameter place: The folder, or an existing folder above it.
    private static func target(of folder: String, from place: String) -> String {
        guard let resolved = realpath(place, nil) else { return folder }
        defer { free(resolved) }
        let missing = folder.split(separator: "/").dropFirst(place.split(separator: "/").count)
        let parts = String(cString: resolved).split(separator: "/") + missing
        return "/" + parts.joined(separator: "/")
    }

    private func write(to place: String) throws(SystemCallError) {
        let descriptor = open(place, O_RDWR | Self.unnamed | O_CLOEXEC, 0o600)
        var reason = Errno(rawValue: errno)
        if descriptor >= 0 {
            defer { close(descriptor) }
            var byte: UInt8 = 0
            if Glibc.write(descriptor, &byte, 1) == 1 { return }
            reason = Errno(rawValue: errno)
        } else if reason.isUnsupported || [.isDirectory, .noSuchFileOrDirectory].contains(reason) {
            // Some file systems, such as FAT and NFS, do not support files without a name. For NFS, access(2)
            // still queries the server.
            if access(place, W_OK | X_OK) == 0 { return }
            reason = Errno(rawValue: errno)
        }
        throw SystemCallError(call: "write to", subject: place, errno: reason)
    }
}
