import Glibc

extension DurableFile {
    /// Puts a finished file in the place of another one, in one step: under the name is always one of the two. Its name
    /// is durable with its folder.
    ///
    /// For files of our own that are known to be wrong or out of date, and for nothing else: what is published never
    /// replaces anything.
    public static func replace(_ old: String, with new: String) throws(SystemCallError) {
        guard rename(new, old) == 0 else { throw failure("rename to", old) }
    }
}
