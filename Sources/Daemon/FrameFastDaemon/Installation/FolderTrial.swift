import Foundation
import FrameFastSystem
import Glibc
import SystemPackage

/// Whether photos can be saved in a folder. The text between `--check-config` and the process that tries it.
struct FolderAnswer: Codable, Hashable {
    /// The folder with its symbolic links resolved, as far as it is there.
    var target: String
    /// The kernel's reason; 0 if photos can be saved, `nil` if this user may not know.
    var errno: Int32?
    /// The file or folder that the reason is about.
    var subject: String
    /// Whether the reason is that the user may not pass through the subject, a folder above the target.
    var isClosed = false

    /// Answers in one line, in the order of their folders.
    static func line(_ answers: [Self]) throws -> String {
        String(decoding: try JSONEncoder().encode(answers), as: UTF8.self)
    }

    /// The answers that a process printed, or `nil` if it printed none.
    static func all(in output: String) -> [Self]? {
        output.split(separator: "\n").reversed().lazy
            .compactMap { try? JSONDecoder().decode([Self].self, from: Data($0.utf8)) }.first
    }
}

/// Tries what a start does with a folder for photos, and leaves nothing behind, also when it is killed: it makes no file
/// that has a name. A call on a dead network mount can hang, so this belongs into a process of its own.
struct FolderTrial {
    /// Names no file: fcntl.h has it in a form that Swift does not import.
    private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

    private static let look = "look at"

    /// The user that the answer is for.
    let observer: Observer

    /// Tries a folder, and the folders of ours that are in it.
    func answer(for folder: String) -> FolderAnswer {
        var target = folder
        do throws(SystemCallError) {
            for (index, part) in ["", "/.framefast/incoming", "/.framefast/set-aside"].enumerated() {
                let place = try nearest(to: folder + part)
                if index == 0 { target = Self.target(of: folder, from: place) }
                switch observer {
                case .service: try write(to: place)
                case .bystander:
                    guard let mayWrite = observer.mayWrite(to: place) else {
                        return FolderAnswer(target: target, errno: nil, subject: place)
                    }
                    guard mayWrite, !DiskSpace.isReadOnly(place) else {
                        throw SystemCallError(
                            call: "write to", subject: place,
                            errno: mayWrite ? .readOnlyFileSystem : .permissionDenied)
                    }
                }
            }
            return FolderAnswer(target: target, errno: 0, subject: folder)
        } catch {
            if observer != .service, error.call == Self.look, error.errno.isNotAllowed {
                return FolderAnswer(target: target, errno: nil, subject: error.subject)
            }
            let closed = error.errno.isNotAllowed ? observer.closedFolder(above: target) : nil
            return FolderAnswer(
                target: target, errno: error.number, subject: closed ?? error.subject, isClosed: closed != nil
            )
        }
    }

    /// The folder, or the nearest one above it that is there: the others are made in it.
    private func nearest(to folder: String) throws(SystemCallError) -> String {
        var place = folder
        while true {
            var facts = stat()
            if stat(place, &facts) == 0 {
                guard facts.st_mode & S_IFMT == S_IFDIR else {
                    throw SystemCallError(call: "make the folder", subject: place, errno: .notDirectory)
                }
                return place
            }
            let reason = Errno(rawValue: errno)
            guard reason.isPathMissing, place != "/" else {
                throw SystemCallError(call: Self.look, subject: place, errno: reason)
            }
            // A symbolic link that leads nowhere has the name.
            guard lstat(place, &facts) != 0 else {
                throw SystemCallError(call: "make the folder", subject: place, errno: .notDirectory)
            }
            place = DurableFile.parent(of: place)
        }
    }

    /// - Parameter place: The folder, or a folder above it that is there.
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
        } else if reason.isNotOffered || [.isDirectory, .noSuchFileOrDirectory].contains(reason) {
            // The file system makes no files without a name, as FAT and NFS. Its server is asked all the same.
            if access(place, W_OK | X_OK) == 0 { return }
            reason = Errno(rawValue: errno)
        }
        throw SystemCallError(call: "write to", subject: place, errno: reason)
    }
}
