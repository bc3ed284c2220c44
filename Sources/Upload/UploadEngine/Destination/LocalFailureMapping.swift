public import FrameFastSystem
public import SystemPackage

/// A mapping from failed reads of a photo's local file to upload failures, for every kind of destination.
///
/// The failure is permanent if the file was changed or replaced by a link, or if the file is missing and its
/// folder contains other files. All other problems (a missing folder, a failing disk, missing permissions,
/// too many open files) are temporary failures of this computer, and the runner retries the upload.
public enum LocalFailureMapping {
    /// Returns the failure for a failed system call.
    public static func failure(_ error: SystemCallError, _ path: String) -> UploadFailure {
        failure(error.errno, path)
    }

    /// Returns the failure for an error number.
    public static func failure(_ reason: Errno, _ path: String) -> UploadFailure {
        switch reason {
        case _ where reason.isPathMissing: missingFile(path)
        case .tooManySymbolicLinkLevels:
            UploadFailure(.permanent(.fileGone), "The file \(path) was replaced by a link.")
        default: unreadable("The file \(path)", reason)
        }
    }

    /// Returns the failure for a path that does not exist.
    private static func missingFile(_ path: String) -> UploadFailure {
        switch absence(of: path) {
        case .file: return UploadFailure(.permanent(.fileGone), "The file \(path) does not exist.")
        case .nothing:
            return UploadFailure(
                .sourceAway, "The file \(path) could not be opened right now.",
                nextStep: "No action is needed: uploads resume automatically.")
        case .folder(let folder): return away(folder, "does not exist")
        case .content(let folder): return away(folder, "is empty")
        case .unlisted(let folder, let error):
            return unreadable("The folder \(folder) with the photos", error.errno)
        }
    }

    private static func away(_ folder: String, _ what: String) -> UploadFailure {
        UploadFailure(
            .sourceAway, "The folder \(folder) with the photos \(what).",
            nextStep:
                "Mount the folder's disk again, or put the photos back. Uploads then resume automatically.")
    }

    /// - Parameter subject: The subject of the failure's sentence: the file or folder that cannot be read.
    private static func unreadable(_ subject: String, _ reason: Errno) -> UploadFailure {
        switch reason {
        case _ where reason.isNotAllowed:
            UploadFailure(
                .sourceAway, "\(subject) cannot be read: \(reason).",
                nextStep: "Give the service's user read permission. Uploads then resume automatically.")
        case _ where reason.isExhausted: .shortage("\(subject) cannot be opened", reason)
        default:
            UploadFailure(
                .sourceAway, "\(subject) cannot be read: \(reason).",
                nextStep: "Check the disk that holds the photos. Uploads then resume automatically.")
        }
    }

    /// Returns the failure for a file with a different size than recorded, or a file that ended early.
    public static func wrongSize(_ found: UInt64, of wanted: UInt64, _ path: String) -> UploadFailure {
        UploadFailure(
            .permanent(.fileGone), "The file \(path) has \(found) bytes, but had \(wanted) when it was saved."
        )
    }

    /// Returns the failure for a file whose bytes differ from the saved photo.
    public static func changed(_ path: String) -> UploadFailure {
        UploadFailure(.permanent(.fileChanged), "The file \(path) was changed after the photo was saved.")
    }

    /// Returns the failure for a file that can be opened but not read completely.
    public static func unreadable(_ path: String) -> UploadFailure {
        UploadFailure(
            .sourceAway, "The file \(path) cannot be read completely.",
            nextStep: "Check the disk that holds the photos. Uploads then resume automatically.")
    }

    /// Returns the missing or unreadable folder that makes a file unavailable.
    ///
    /// The result is the topmost missing folder of the path. If the file's own folder exists but is empty or
    /// cannot be listed, the result is this folder.
    /// - Returns: `nil` if only the file is missing, or if the file exists again.
    public static func awayFolder(of path: String) -> String? {
        switch absence(of: path) {
        case .folder(let folder), .content(let folder), .unlisted(let folder, _): folder
        case .file, .nothing: nil
        }
    }

    /// The reason why a path does not exist.
    enum Absence {
        /// A folder of the path is missing. The value is the topmost missing folder.
        case folder(String)
        /// The file's folder is empty.
        case content(of: String)
        /// The file's folder cannot be listed.
        case unlisted(String, SystemCallError)
        /// Only the file is missing. Its folder contains other files.
        case file
        /// The file exists again.
        case nothing
    }

    /// Returns the reason why a path does not exist.
    ///
    /// The function lists the file's folder first, and the file is missing only if the list does not contain
    /// it. If the function checked the path first, the folder could come back after that check. The function
    /// would then report that only the file is missing.
    ///
    /// The mount point of an unmounted disk is an empty folder. The check ignores names that begin with a
    /// dot, because the service creates folders with these names.
    static func absence(of path: String) -> Absence {
        let folder = DurableFile.parent(of: path)
        let names: [String]
        do throws(SystemCallError) { names = try FolderReader.names(in: folder) } catch {
            return error.isPathMissing
                ? .folder(topmostMissing(folder)) : .unlisted(folder, error)
        }
        // Some file systems accept more than one spelling of a name. `exists` finds the file under any
        // spelling.
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
