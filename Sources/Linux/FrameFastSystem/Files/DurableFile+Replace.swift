import Glibc

extension DurableFile {
    /// Replaces a file atomically: at any time, the name refers to the old or to the new file. The change is
    /// durable after the folder is synced.
    ///
    /// Use this only for wrong or outdated files that the service wrote. To publish a photo, use
    /// ``publish(_:as:resumes:)``, which never replaces a file that is not empty.
    public static func replace(_ old: String, with new: String) throws(SystemCallError) {
        try SimulatedHost.willPerform(.replace, old)
        guard rename(new, old) == 0 else { throw failure("rename to", old) }
    }
}
