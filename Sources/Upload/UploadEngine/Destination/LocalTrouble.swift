public import FrameFastSystem
public import SystemPackage

/// What a failed read of a photo's file on this computer means for the queue: one rule for every kind of destination.
///
/// Only a file that is not in its folder, and others are, is for a person. Everything else (the folder is away, its
/// disk fails or hangs, permissions, too many open files) is an outage of this computer: nothing fails for it, and it is
/// tried again.
public enum LocalTrouble {
    /// What a call's error number means.
    public static func failure(_ error: SystemCallError, _ path: String) -> UploadFailure {
        failure(error.errno, path)
    }

    /// What the kernel's reason means.
    public static func failure(_ reason: Errno, _ path: String) -> UploadFailure {
        switch reason {
        case _ where reason.isPathMissing: missing(path)
        case .tooManySymbolicLinkLevels:
            UploadFailure(.permanent(.fileGone), "The file \(path) was replaced by a link.")
        default: unreadable("The file \(path)", reason)
        }
    }

    /// What it means that a file could not be found under its name.
    private static func missing(_ path: String) -> UploadFailure {
        switch absence(of: path) {
        case .file: return UploadFailure(.permanent(.fileGone), "The file \(path) is gone.")
        case .nothing:
            return UploadFailure(
                .sourceAway, "The file \(path) could not be opened just now.",
                nextStep: "Nothing to do: uploads resume automatically.")
        case .folder(let folder): return away(folder, "is not there")
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

    /// - Parameter subject: What a call was about, as the beginning of a sentence.
    private static func unreadable(_ subject: String, _ reason: Errno) -> UploadFailure {
        switch reason {
        case _ where reason.isNotAllowed:
            UploadFailure(
                .sourceAway, "\(subject) cannot be read: \(reason).",
                nextStep: "Give the service's user the right to read it: uploads resume automatically.")
        case _ where reason.isExhausted: .shortage("\(subject) cannot be opened", reason)
        default:
            UploadFailure(
                .sourceAway, "\(subject) cannot be read: \(reason).",
                nextStep: "Check the disk that holds it: uploads resume automatically.")
        }
    }

    /// The file ended before its last byte, or has another size than was recorded.
    public static func wrongSize(_ found: UInt64, of wanted: UInt64, _ path: String) -> UploadFailure {
        UploadFailure(
            .permanent(.fileGone), "The file \(path) has \(found) bytes, and had \(wanted) when it was saved."
        )
    }

    /// The file has other bytes than were recorded.
    public static func changed(_ path: String) -> UploadFailure {
        UploadFailure(.permanent(.fileChanged), "The file \(path) was changed since the photo was saved.")
    }

    /// It was there, and could not be read to its end.
    public static func unreadable(_ path: String) -> UploadFailure {
        UploadFailure(
            .sourceAway, "The file \(path) cannot be read to its end.",
            nextStep: "Check the disk that holds it: uploads resume automatically.")
    }

    /// The folder that keeps a file out of reach: the topmost one on its path that is not there, or the one it lies in
    /// when nothing is in that or it cannot be listed. `nil` when it is the file alone, or nothing any more.
    public static func awayFolder(of path: String) -> String? {
        switch absence(of: path) {
        case .folder(let folder), .content(let folder), .unlisted(let folder, _): folder
        case .file, .nothing: nil
        }
    }

    /// What is missing when a file was not found under its name.
    enum Absence {
        /// The topmost folder on its path that is not there.
        case folder(String)
        /// Everything that was in the folder it lies in.
        case content(of: String)
        /// The folder it lies in cannot be listed.
        case unlisted(String, SystemCallError)
        /// The file: it is not in its folder, and others are.
        case file
        /// Nothing: it is there by now.
        case nothing
    }

    /// Looks for a file that was not found. A folder may come back between the two, so it is listed first, and the file
    /// is missing only when it is not in this very list: asking for it by its path afterwards could find the folder gone
    /// again and blame the file.
    ///
    /// The mount point of a disk that is not mounted is an empty folder. What begins with a dot does not count: this
    /// service makes such folders itself.
    static func absence(of path: String) -> Absence {
        let folder = DurableFile.parent(of: path)
        let names: [String]
        do throws(SystemCallError) { names = try FolderReader.names(in: folder) } catch {
            return error.isPathMissing
                ? .folder(topmostMissing(folder)) : .unlisted(folder, error)
        }
        // The second for disks that take more than one spelling of a name.
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
