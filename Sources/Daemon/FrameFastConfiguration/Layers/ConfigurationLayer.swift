import SettingKeys

/// What one source says: checked values with the place that each came from.
struct ConfigurationLayer {
    /// A value and its place, for errors that only show when everything is put together.
    struct Entry {
        var value: SettingValue
        var source: String
        var line: Int?
    }

    /// One table of a list: `[[camera]]`.
    struct Table {
        var entries: [String: Entry] = [:]
        /// Every key that is there, right or wrong.
        var keys: Set<String> = []
        var source: String
        var line: Int?

        /// Changes this table by what a later layer says of the same name.
        mutating func overlay(_ later: Table) {
            entries.merge(later.entries) { $1 }
            keys.formUnion(later.keys)
        }
    }

    /// Values by path, `capture.directory`.
    var entries: [String: Entry] = [:]
    /// Tables of the lists by section, in order.
    var lists: [String: [Table]] = [:]
    /// What is wrong in this source.
    var errors: [ConfigurationError] = []

    /// Puts a later layer on top. A table of a known name is changed, another is added.
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
    /// The defaults of the key table.
    static func defaults() -> ConfigurationLayer {
        let lines = ConfigurationKeys.sections
            .filter { !ConfigurationKeys.listSections.contains($0) }
            .flatMap { ["[\($0)]"] + defaultLines(of: $0) }
        return ConfigurationLayer(toml: lines.joined(separator: "\n"), file: "defaults")
    }

    /// What each table of a list has where it does not say.
    static func defaults(ofEach section: String) -> [String: SettingValue] {
        let lines = ["[[\(section)]]"] + defaultLines(of: section)
        let layer = ConfigurationLayer(toml: lines.joined(separator: "\n"), file: "defaults")
        return layer.lists[section]?.first?.entries.mapValues(\.value) ?? [:]
    }

    private static func defaultLines(of section: String) -> [String] {
        ConfigurationKeys.keys(of: section).compactMap { key in
            key.declaration.defaultTOML.map { "\(key.name) = \($0)" }
        }
    }

    /// What `FRAMEFAST_SECTION_KEY` variables say. A variable of a known section with an unknown key is an error;
    /// other variables are none of ours.
    init(environment: [String: String], workingDirectory: String) {
        let source = "environment"
        var names = ConfigurationKeys.all.compactMap(\.environmentName)
        names += ConfigurationKeys.all.compactMap(\.declaration.variable)
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("FRAMEFAST_") {
            // Names like a camera's key, but is read at its own place.
            if name == Configuration.workerProgramVariable { continue }
            let key = ConfigurationKeys.all.first {
                $0.environmentName == name || $0.declaration.variable == name
            }
            if let key {
                // The precise name wins over the short one.
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

    /// Sets a key from text, noting an error where it is none. Relative paths start at the working directory.
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
