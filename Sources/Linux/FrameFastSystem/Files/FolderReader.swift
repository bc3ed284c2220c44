import SystemIO

/// A reader for the entries of a folder.
public enum FolderReader {
    /// Returns the names of all entries except `.` and `..`, in no particular order. Invalid UTF-8 in a name
    /// is replaced, so the returned name does not refer to the file.
    public static func names(in folder: String) throws(SystemCallError) -> [String] {
        do throws(SystemCallFailure) { return try IO.names(inFolder: folder) } catch {
            throw DurableFile.failure("list", folder, error)
        }
    }
}
