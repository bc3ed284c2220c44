import Glibc

/// A reader for the entries of a folder.
public enum FolderReader {
    /// Returns the names of all entries except `.` and `..`, in no particular order. Invalid UTF-8 in a name
    /// is replaced, so the returned name does not refer to the file.
    public static func names(in folder: String) throws(SystemCallError) -> [String] {
        guard let list = opendir(folder) else { throw DurableFile.failure("list", folder) }
        defer { closedir(list) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw DurableFile.failure("list", folder) }
        return names
    }
}
