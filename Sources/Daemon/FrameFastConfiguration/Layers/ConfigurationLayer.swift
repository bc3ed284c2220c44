import SettingKeys

/// The validated values of one source, with the location of each value.
struct ConfigurationLayer {
    /// A value and its location, for checks that need all layers.
    struct Entry {
        var value: SettingValue
        var source: String
        var line: Int?
    }

    /// A table of a list section: `[[camera]]`.
    struct Table {
        var entries: [String: Entry] = [:]
        /// All keys in the table, valid or not.
        var keys: Set<String> = []
        var source: String
        var line: Int?

        /// Overrides values with the values of a later layer's table of the same name.
        mutating func overlay(_ later: Table) {
            entries.merge(later.entries) { $1 }
            keys.formUnion(later.keys)
        }
    }

    /// The values by path, `capture.directory`.
    var entries: [String: Entry] = [:]
    /// The tables of list sections by section, in order.
    var lists: [String: [Table]] = [:]
    /// The errors of this source.
    var errors: [ConfigurationError] = []

    /// Overrides values with the values of a later layer. A table with the name of a table from another
    /// source changes that table. Any other table is appended.
    mutating func overlay(_ later: ConfigurationLayer) {
        entries.merge(later.entries) { $1 }
        for (section, tables) in later.lists {
            for table in tables { overlay(table, in: section) }
        }
        errors += later.errors
    }

    private mutating func overlay(_ table: Table, in section: String) {
        var tables = lists[section] ?? []
        let known = tables.firstIndex {
            guard let name = $0.entries["name"]?.value else { return false }
            return name == table.entries["name"]?.value && $0.source != table.source
        }
        if let known { tables[known].overlay(table) } else { tables.append(table) }
        lists[section] = tables
    }
}

extension ConfigurationLayer {
    /// Returns a layer with the declared defaults.
    static func defaults() -> ConfigurationLayer {
        let lines = ConfigurationKeys.sections
            .filter { !ConfigurationKeys.listSections.contains($0) }
            .flatMap { section in
                ["[\(section)]"]
                    + ConfigurationKeys.keys(of: section).compactMap { key in
                        key.declaration.defaultTOML.map { "\(key.name) = \($0)" }
                    }
            }
        return ConfigurationLayer(toml: lines.joined(separator: "\n"), file: "defaults")
    }

    /// Reads the `FRAMEFAST_SECTION_KEY` variables. An unknown key of a known section is an error. Other
    /// variables are ignored.
    init(environment: [String: String], workingDirectory: String) {
        let source = "environment"
        var names = ConfigurationKeys.all.compactMap(\.environmentName)
        names += ConfigurationKeys.all.compactMap(\.declaration.variable)
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("FRAMEFAST_") {
            // The name starts with `FRAMEFAST_CAMERA_`, but the variable is not a configuration key.
            if name == Configuration.workerProgramVariable { continue }
            let key = ConfigurationKeys.all.first {
                $0.environmentName == name || $0.declaration.variable == name
            }
            if let key {
                // The full variable name has priority over the short name.
                if let precise = key.environmentName, precise != name, environment[precise] != nil {
                    continue
                }
                set(key, variable: text, source: "\(source) \(name)", workingDirectory: workingDirectory)
            } else if ConfigurationKeys.sections.contains(where: {
                name.hasPrefix("FRAMEFAST_\($0.uppercased())_")
            }) {
                let hint = Suggestion.nearest(to: name, in: names).map { " (did you mean '\($0)'?)" } ?? ""
                errors.append(.init(source: source, message: "unknown variable '\(name)'\(hint)"))
            }
        }
    }

    /// Sets a key from text, or adds an error if the text is invalid. A relative path is resolved against the
    /// working directory.
    mutating func set(
        _ key: ConfigurationKey, variable text: String, source: String, workingDirectory: String
    ) {
        let isRelative = key.form == .path && !text.hasPrefix("/") && !text.isEmpty
        let text = isRelative ? workingDirectory + "/" + text : text
        do {
            let value = try key.value(ofVariable: text)
            entries[key.path] = Entry(value: value, source: source)
            for fault in key.declaration.check(value) {
                errors.append(.init(source: source, message: "'\(key.path)': \(fault)"))
            }
        } catch {
            errors.append(.init(source: source, message: error.message))
        }
    }
}
