/// Parts of a path.
enum FileName {
    /// Returns the last part of a path.
    static func of(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Returns the folder of a path, with its last slash. Empty for a bare name.
    static func folder(_ path: String) -> String { String(path.dropLast(of(path).count)) }

    /// Returns the extension of a path, or `nil` if the file name has no extension.
    static func kind(_ path: String) -> String? {
        let parts = of(path).split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts.last.map(String.init) : nil
    }
}
