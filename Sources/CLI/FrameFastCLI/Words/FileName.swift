/// Parts of a path.
enum FileName {
    /// Its last part.
    static func of(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Where it is; empty for a bare name.
    static func folder(_ path: String) -> String { String(path.dropLast(of(path).count)) }

    /// What is behind its last dot; `nil` when there is none.
    static func kind(_ path: String) -> String? {
        let parts = of(path).split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 1 ? parts.last.map(String.init) : nil
    }
}
