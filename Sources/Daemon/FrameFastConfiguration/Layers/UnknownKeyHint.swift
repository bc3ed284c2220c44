/// The hint in the error for an unknown key of a configuration file.
enum UnknownKeyHint {
    /// Returns the hint, with a leading space, or an empty text if no known key is similar.
    ///
    /// - Parameter section: The table with the unknown key, or `nil` for a key outside all tables.
    static func text(for name: String, in section: String?) -> String {
        guard let section else {
            let names = ConfigurationKeys.sections + ConfigurationKeys.all.map(\.name)
            guard let nearest = Suggestion.nearest(to: name, in: names) else { return "" }
            return ConfigurationKeys.sections.contains(nearest)
                ? " (did you mean '\(nearest)'?)" : hint(forKeyOfOtherTable: nearest)
        }
        let names = ConfigurationKeys.keys(of: section).map(\.name)
        if let nearest = Suggestion.nearest(to: name, in: names) { return " (did you mean '\(nearest)'?)" }
        return ConfigurationKeys.all.contains { $0.name == name } ? hint(forKeyOfOtherTable: name) : ""
    }

    /// Returns a hint with the key's name and the tables that allow the key.
    private static func hint(forKeyOfOtherTable name: String) -> String {
        let tables = ConfigurationKeys.sections
            .filter { section in ConfigurationKeys.keys(of: section).contains { $0.name == name } }
            .map { ConfigurationKeys.listSections.contains($0) ? "[[\($0)]]" : "[\($0)]" }
        return " (did you mean '\(name)' in the table \(tables.joined(separator: " or "))?)"
    }
}
