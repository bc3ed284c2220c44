import Foundation
public import FrameFastSystem
import Glibc

/// What a failed read of a photo's file on this computer means for the queue: one rule for every kind of destination.
///
/// Only a file that is not in its folder is for a person. Everything else (the folder is away, its disk fails or hangs,
/// permissions, too many open files) is an outage of this computer: nothing fails for it, and it is tried again.
public enum LocalTrouble {
    /// What a call's error number means.
    public static func failure(_ error: SystemCallError, _ path: String) -> UploadFailure {
        failure(number: error.number, path)
    }

    /// What an error number (errno) means.
    public static func failure(number: Int32, _ path: String) -> UploadFailure {
        let reason = String(cString: strerror(number))
        switch number {
        case ENOENT, ENOTDIR:
            if let folder = awayFolder(of: path) { return away(folder) }
            return UploadFailure(.hopeless(.fileGone), "The file \(path) is gone.")
        case ELOOP: return UploadFailure(.hopeless(.fileGone), "The file \(path) was replaced by a link.")
        case EACCES, EPERM:
            return UploadFailure(
                .sourceAway, "The file \(path) cannot be read: \(reason).",
                nextStep: "Give the service's user the right to read it: uploads go on by themselves.")
        case EMFILE, ENFILE, ENOMEM:
            return UploadFailure(
                .sourceAway, "The file \(path) cannot be opened now: \(reason).",
                nextStep: "Nothing to do: uploads go on by themselves.")
        default:
            return UploadFailure(
                .sourceAway, "The file \(path) cannot be read: \(reason).",
                nextStep: "Look at the disk that holds it: uploads go on by themselves.")
        }
    }

    /// The file ended before its last byte, or has another size than was recorded.
    public static func wrongSize(_ found: UInt64, of wanted: UInt64, _ path: String) -> UploadFailure {
        UploadFailure(
            .hopeless(.fileGone), "The file \(path) has \(found) bytes, and had \(wanted) when it was saved.")
    }

    /// The file has other bytes than were recorded.
    public static func changed(_ path: String) -> UploadFailure {
        UploadFailure(.hopeless(.fileChanged), "The file \(path) was changed since the photo was saved.")
    }

    /// It was there, and could not be read to its end.
    public static func unreadable(_ path: String) -> UploadFailure {
        UploadFailure(
            .sourceAway, "The file \(path) cannot be read to its end.",
            nextStep: "Look at the disk that holds it: uploads go on by themselves.")
    }

    /// The folder that keeps a file out of reach: the topmost one on its path that is not there, or the one it lies in
    /// when nothing is in that. `nil` when the file itself is what is missing.
    ///
    /// The mount point of a disk that is not mounted is an empty folder. What begins with a dot does not count: this
    /// service makes such folders itself.
    public static func awayFolder(of path: String) -> String? {
        let folder = DurableFile.parent(of: path)
        if let names = try? FileManager.default.contentsOfDirectory(atPath: folder) {
            return names.contains { !$0.hasPrefix(".") } ? nil : folder
        }
        var top = folder
        while true {
            let parent = DurableFile.parent(of: top)
            guard parent != top, !parent.isEmpty, !DurableFile.exists(parent) else { return top }
            top = parent
        }
    }

    private static func away(_ folder: String) -> UploadFailure {
        let what = DurableFile.exists(folder) ? "is empty" : "is not there"
        return UploadFailure(
            .sourceAway, "The folder \(folder) with the photos \(what).",
            nextStep: "Mount its disk again, or put the photos back: uploads go on by themselves.")
    }
}
