import Glibc

extension IO {
    /// Returns the names of the entries of a folder except `.` and `..`, in no particular order. Invalid
    /// UTF-8 in a name is replaced, so the returned name does not refer to the file.
    ///
    /// - Parameter limit: The largest number of names.
    public static func names(inFolder path: String, limit: Int = .max) throws(SystemCallFailure) -> [String] {
        guard let list = opendir(path) else { throw SystemCallFailure(number: errno) }
        defer { closedir(list) }
        var names: [String] = []
        errno = 0
        while names.count < limit, let entry = readdir(list) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw SystemCallFailure(number: errno) }
        return names
    }
}
