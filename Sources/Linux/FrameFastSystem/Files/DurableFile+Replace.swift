import Glibc
import SystemPackage

extension DurableFile {
    /// Replaces a file atomically: at any time, the name refers to the old or to the new file. The change is
    /// durable after the folder is synced. If the new file is on another file system, a copy of the new file
    /// replaces the old file, and the new file is removed.
    ///
    /// Use this only for wrong or outdated files that the service wrote. To publish a photo, use
    /// ``publish(_:as:resumes:)``, which never replaces a file that is not empty.
    public static func replace(_ old: String, with new: String) throws(SystemCallError) {
        try SimulatedHost.willPerform(.replace, old)
        guard rename(new, old) != 0 else { return }
        let failure = failure("rename to", old)
        guard failure.errno == .improperLink else { throw failure }
        try replace(old, withCopyOf: new)
    }

    /// Replaces a file with a copy of another file, and removes the other file after the change is durable.
    private static func replace(_ old: String, withCopyOf new: String) throws(SystemCallError) {
        let copy = copyPath(of: new, as: old)
        try makeCopy(of: new, at: copy)
        guard rename(copy, old) == 0 else {
            let failure = failure("rename to", old)
            _ = unlink(copy)
            throw failure
        }
        try syncFolder(parent(of: old))
        // If `unlink` fails, the next start of the service removes the part file.
        _ = unlink(new)
    }
}
