import Glibc

extension DurableFile {
    /// Replaces a file with a complete one, atomically: the name always refers to one of the two. The name is
    /// durable after its folder is synced.
    ///
    /// Only for the service's own files that are wrong or out of date. Published photos never replace other
    /// files.
    public static func replace(_ old: String, with new: String) throws(SystemCallError) {
        guard rename(new, old) == 0 else { throw failure("rename to", old) }
    }
}
