import SettingKeys
import UploadDestinations

extension Configuration {
    /// Creates a configuration from the combined layers. Performs the checks that need all layers.
    init(
        _ layer: ConfigurationLayer, files: [String], checkTemplate: @escaping (String) -> String?
    ) throws(ConfigurationErrors) {
        var validator = TableValidator(layer: layer, checkTemplate: checkTemplate, errors: layer.errors)
        validator.checkTemplates()
        validator.checkWebCertificate()
        let cameras: [Camera] = validator.validTables("a camera") { table, known, validator in
            let address = table.text("address")
            if let other = known.first(where: { $0.entries["address"]?.value.text == address }) {
                let name = other.text("name") ?? ""
                validator.errors.append(
                    table.error("address", "address '\(address ?? "")' is already used by camera '\(name)'"))
            }
        }
        let groups: [Group] = validator.validTables("a group") { table, _, validator in
            let names = table.list("cameras") ?? []
            if names.isEmpty {
                validator.errors.append(table.error("cameras", "'group.cameras' is empty"))
            }
            if Set(names).count < names.count {
                validator.errors.append(table.error("cameras", "'group.cameras' names a camera twice"))
            }
        }
        let destinations: [Destination] = validator.validTables("a destination") { table, _, validator in
            validator.checkKind(of: table)
        }
        let names = destinations.map(\.name)
        let hooks: [Hook] = validator.validTables("a hook") { table, _, validator in
            if table.list("command")?.isEmpty == true {
                validator.errors.append(table.error("command", "'hook.command' needs a program"))
            }
            for wanted in table.list("destinations") ?? [] where !names.contains(wanted) {
                let hint = Suggestion.nearest(to: wanted, in: names).map { " (did you mean '\($0)'?)" } ?? ""
                validator.errors.append(
                    table.error(
                        "destinations", "'hook.destinations': there is no destination '\(wanted)'\(hint)"))
            }
        }
        guard validator.errors.isEmpty else { throw ConfigurationErrors(errors: validator.errors) }
        self.init(
            sections: layer.sections, cameras: cameras, groups: groups, destinations: destinations,
            hooks: hooks, files: files)
    }
}

/// A validator of the combined layers, which collects the errors.
private struct TableValidator {
    let layer: ConfigurationLayer
    let checkTemplate: (String) -> String?
    var errors: [ConfigurationError]

    /// Checks the templates of the sections that occur once.
    mutating func checkTemplates() {
        for key in ConfigurationKeys.all where key.form == .template {
            guard let entry = layer.entries[key.path], let text = entry.value.text,
                let problem = checkTemplate(text)
            else { continue }
            errors.append(
                .init(source: entry.source, line: entry.line, message: "'\(key.path)': \(problem)"))
        }
    }

    /// Checks that the web page's certificate and key are set together, and that TLS uses them.
    mutating func checkWebCertificate() {
        let names = ["web.cert_file", "web.key_file"]
        let given = names.filter { layer.entries[$0] != nil }
        guard let path = given.first, let entry = layer.entries[path] else { return }
        let missing = names.first { !given.contains($0) }
        let message: String? =
            if let missing {
                "'\(path)' needs '\(missing)'. Set both. Without both, FrameFast makes its own certificate"
            } else if layer.entries["web.tls"]?.value.text == "off" {
                "'\(path)' has no effect with web.tls = \"off\". Set tls = \"on\", or remove the certificate"
            } else {
                nil
            }
        guard let message else { return }
        errors.append(.init(source: entry.source, line: entry.line, message: message))
    }

    /// Returns the tables of a section that have all required keys. If a table omits a key that overrides a
    /// general key, the key has the value of the general key.
    ///
    /// - Parameter check: Checks a table, given the tables before it.
    mutating func validTables<Keys: ConfigurationSection>(
        _ what: String,
        _ check: (ConfigurationLayer.Table, [ConfigurationLayer.Table], inout TableValidator) -> Void
    ) -> [ConfigurationTable<Keys>] {
        let section = Keys.section
        let keys = Keys.declarations
        let required = keys.filter(\.isRequired).map(\.name)
        var known: [ConfigurationLayer.Table] = []
        for table in layer.lists[section] ?? [] {
            let missing = required.filter { table.entries[$0] == nil }
            guard missing.isEmpty else {
                // An invalid value already has its own error.
                let unreported = missing.filter { !table.keys.contains($0) }.map { "'\($0)'" }
                if !unreported.isEmpty {
                    errors.append(table.error(nil, "\(what) needs " + unreported.joined(separator: " and ")))
                }
                continue
            }
            let name = table.text("name") ?? ""
            if known.contains(where: { $0.text("name") == name }) {
                errors.append(
                    table.error("name", "\(section) name '\(name)' is already used by another \(section)"))
            }
            for key in keys where key.form == .template {
                guard let text = table.text(key.name), let problem = checkTemplate(text) else { continue }
                errors.append(table.error(key.name, "'\(section).\(key.name)': \(problem)"))
            }
            check(table, known, &self)
            known.append(table)
        }
        return known.map { table in
            var values = table.entries.mapValues(\.value)
            for key in keys where values[key.name] == nil {
                values[key.name] = key.overrides.flatMap { layer.entries[$0]?.value }
            }
            return ConfigurationTable(settings: Settings(values), origin: table.origin)
        }
    }

    /// Checks a destination's table against the keys of its kind.
    mutating func checkKind(of table: ConfigurationLayer.Table) {
        guard let kind = table.text("kind").flatMap(DestinationKind.init(rawValue:)) else { return }
        let keys = kind.descriptor.keys
        let missing = keys.filter { $0.isRequired && !table.keys.contains($0.name) }
        if !missing.isEmpty {
            let words = missing.map { "'\($0.name)'" }.joined(separator: " and ")
            errors.append(table.error("kind", "a destination of kind '\(kind.rawValue)' needs \(words)"))
        }
        let known = Set(DestinationKeys.declarations.map(\.name)).union(keys.map(\.name))
        for key in table.keys.subtracting(known).sorted() {
            errors.append(
                table.error(key, "'\(key)' does not apply to a destination of kind '\(kind.rawValue)'"))
        }
        for fault in kind.descriptor.faults(table.entries.mapValues(\.value)) {
            errors.append(table.error(fault.key, "'destination.\(fault.key)': \(fault.reason)"))
        }
    }
}

extension ConfigurationLayer {
    /// The values of the sections that occur once, by section name and key name.
    fileprivate var sections: [String: [String: SettingValue]] {
        var sections: [String: [String: SettingValue]] = [:]
        for key in ConfigurationKeys.all {
            sections[key.section, default: [:]][key.name] = entries[key.path]?.value
        }
        return sections
    }
}

extension ConfigurationLayer.Table {
    /// The locations of the table and its keys.
    var origin: ConfigurationOrigin {
        .init(
            table: .init(source: source, line: line),
            keys: entries.mapValues { .init(source: $0.source, line: $0.line) })
    }

    func text(_ name: String) -> String? { entries[name]?.value.text }

    func list(_ name: String) -> [String]? { entries[name]?.value.list }

    /// Creates an error at the location of a key.
    ///
    /// - Parameter name: The invalid key, or `nil` for the table as a whole.
    func error(_ name: String?, _ message: String) -> ConfigurationError { origin.error(name, message) }
}
