public import FrameFastSystem
public import SystemPackage

/// Maps a failed read of a photo's local file to an upload failure, for every kind of destination.
///
/// A person has to act only if the file is missing while other files are in its folder. Everything else is an
/// outage of this computer: a missing folder, a disk that fails or hangs, permissions, too many open files.
/// An outage fails no upload; the runner retries it.
public enum LocalFailureMapping {
    /// Returns the failure for a failed system call.
    public static func failure(_ error: SystemCallError, _ path: String) -> UploadFailure {
        failure(error.errno, path)
    }

    /// Returns the failure for an error number.
    public static func failure(_ reason: Errno, _ path: String) -> UploadFailure {
        switch reason {
        case _ where reason.isPathMissing: missing(path)
        case .tooManySymbolicLinkLevels:
            UploadFailure(.permanent(.fileGone), "The file \(path) was replaced by a link.")
        default: unreadable("The file \(path)", reason)
        }
    }

    /// Returns the failure for a file that could not be found under its name.
    private static func missing(_ path: String) -> UploadFailure {
        switch absence(of: path) {
        case .file: return UploadFailure(.permanent(.fileGone), "The file \(path) is gone.")
        case .nothing:
            return UploadFailure(
                .sourceAway, "The file \(path) could not be opened right now.",
                nextStep: "Nothing to do: uploads resume automatically.")
        case .folder(let folder): return away(folder, "does not exist")
        case .content(let folder): return away(folder, "is empty")
        case .unlisted(let folder, let error):
            return unreadable("The folder \(folder) with the photos", error.errno)
        }
    }

    private static func away(_ folder: String, _ what: String) -> UploadFailure {
        UploadFailure(
            .sourceAway, "The folder \(folder) with the photos \(what).",
            nextStep: "Mount its disk again, or put the photos back: uploads resume automatically.")
    }

    /// - Parameter subject: The file or folder that could not be read, as the beginning of a sentence.
    private static func unreadable(_ subject: String, _ reason: Errno) -> UploadFailure {
        switch reason {
        case _ where reason.isNotAllowed:
            UploadFailure(
                .sourceAway, "\(subject) cannot be read: \(reason).",
                nextStep: "Give the service's user read permission: uploads resume automatically.")
        case _ where reason.isExhausted: .shortage("\(subject) cannot be opened", reason)
        default:
            UploadFailure(
                .sourceAway, "\(subject) cannot be read: \(reason).",
                nextStep: "Check the disk that holds it: uploads resume automatically.")
        }
    }

    /// Returns the failure for a file that has another size than recorded, or that ended before its last
    /// byte.
    public static func wrongSize(_ found: UInt64, of wanted: UInt64, _ path: String) -> UploadFailure {
        UploadFailure(
            .permanent(.fileGone), "The file \(path) has \(found) bytes, but had \(wanted) when it was saved."
        )
    }

    /// Returns the failure for a file whose bytes differ from the recorded ones.
    public static func changed(_ path: String) -> UploadFailure {
        UploadFailure(.permanent(.fileChanged), "The file \(path) was changed after the photo was saved.")
    }

    /// Returns the failure for a file that could be opened but not read to its end.
    public static func unreadable(_ path: String) -> UploadFailure {
        UploadFailure(
            .sourceAway, "The file \(path) cannot be read completely.",
            nextStep: "Check the disk that holds it: uploads resume automatically.")
    }

    /// Returns the folder that makes a file unreachable.
    ///
    /// This is the topmost missing folder of the path, or the file's own folder if it is empty or can't be
    /// listed.
    ///
    /// - Returns: `nil` if only the file is missing, or if the file exists again.
    public static func awayFolder(of path: String) -> String? {
        switch absence(of: path) {
        case .folder(let folder), .content(let folder), .unlisted(let folder, _): folder
        case .file, .nothing: nil
        }
    }

    /// The part of a path that is missing when a file could not be found.
    enum Absence {
        /// The topmost missing folder of the path.
        case folder(String)
        /// All files in the file's folder.
        case content(of: String)
        /// Unknown, because the file's folder can't be listed.
        case unlisted(String, SystemCallError)
        /// Only the file. Other files are in its folder.
        case file
        /// Nothing. The file exists again.
        case nothing
    }

    /// Finds out why a file could not be found.
    ///
    /// The function lists the folder first, because a folder may come back at any time. The file counts as
    /// missing only if this list does not contain it. A later check by path could find the folder missing
    /// again and report the file instead.
    ///
    /// The mount point of an unmounted disk is an empty folder. Names that begin with a dot do not count,
    /// because the service creates such folders itself.
    static func absence(of path: String) -> Absence {
        let folder = DurableFile.parent(of: path)
        let names: [String]
        do throws(SystemCallError) { names = try FolderReader.names(in: folder) } catch {
            return error.isPathMissing
                ? .folder(topmostMissing(folder)) : .unlisted(folder, error)
        }
        // The second check is for file systems that accept more than one spelling of a name.
        if names.contains(String(path.split(separator: "/").last ?? "")) || DurableFile.exists(path) {
            return .nothing
        }
        return names.contains { !$0.hasPrefix(".") } ? .file : .content(of: folder)
    }

    private static func topmostMissing(_ folder: String) -> String {
        var top = folder
        while true {
            let parent = DurableFile.parent(of: top)
            guard parent != top, !parent.isEmpty, !DurableFile.exists(parent) else { return top }
            top = parent
        }
    }
}
