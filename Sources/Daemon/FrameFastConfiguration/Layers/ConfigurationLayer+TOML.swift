import SettingKeys
import TOMLKit

extension ConfigurationLayer {
    /// Parses a TOML text. Adds an error for each invalid part to ``errors``, and parses all other parts.
    init(toml text: String, file: String) {
        if let syntaxError = TOMLSyntaxError.first(in: text) {
            errors = [.init(source: file, line: syntaxError.line, message: syntaxError.message)]
            return
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            errors = [.init(source: file, line: error.source.begin.line, message: "\(error.description)")]
            return
        } catch {
            errors = [.init(source: file, message: "cannot be read as TOML")]
            return
        }
        let reader = TOMLReader(file: file, locator: TOMLLocator(text))
        for name in table.keys.sorted() {
            guard let node = table[name] else { continue }
            if ConfigurationKeys.listSections.contains(name) {
                readList(name, node, reader: reader)
            } else if ConfigurationKeys.sections.contains(name) {
                guard let section = node.table else {
                    errors.append(reader.error(at: name, "'\(name)' is a table: write [\(name)]"))
                    continue
                }
                entries.merge(reader.read(section, section: name, at: name, errors: &errors)) { $1 }
            } else {
                errors.append(reader.unknownKeyError(name, at: name, in: nil))
            }
        }
        errors.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    private mutating func readList(
        _ section: String, _ node: any TOMLValueConvertible, reader: TOMLReader
    ) {
        let wanted = "'\(section)' is a list of tables: write [[\(section)]]"
        guard let list = node.array else {
            errors.append(reader.error(at: section, wanted))
            return
        }
        for index in 0..<list.count {
            let path = "\(section)[\(index)]"
            guard let table = list[index].table else {
                errors.append(reader.error(at: path, wanted))
                continue
            }
            let entries = reader.read(table, section: section, at: path, errors: &errors)
            let named = entries.map { (String($0.key.dropFirst(section.count + 1)), $0.value) }
            lists[section, default: []].append(
                Table(
                    entries: Dictionary(uniqueKeysWithValues: named), keys: Set(table.keys),
                    source: reader.file, line: reader.locator.line(of: path)))
        }
    }
}

/// A reader of the tables of one file.
private struct TOMLReader {
    let file: String
    let locator: TOMLLocator

    func read(
        _ table: TOMLTable, section: String, at path: String, errors: inout [ConfigurationError]
    ) -> [String: ConfigurationLayer.Entry] {
        let keys = ConfigurationKeys.keys(of: section)
        var entries: [String: ConfigurationLayer.Entry] = [:]
        for name in table.keys.sorted() {
            guard let node = table[name] else { continue }
            let place = path + "." + name
            guard let key = keys.first(where: { $0.name == name }) else {
                errors.append(unknownKeyError(name, at: place, in: section))
                continue
            }
            do {
                let value = try value(of: node, for: key)
                entries[key.path] = .init(value: value, source: file, line: locator.line(of: place))
                for fault in key.declaration.check(value) {
                    errors.append(self.error(at: place, "'\(key.path)': \(fault)"))
                }
            } catch {
                errors.append(self.error(at: place, error.message))
            }
        }
        return entries
    }

    func error(at path: String, _ message: String) -> ConfigurationError {
        .init(source: file, line: locator.line(of: path), message: message)
    }

    func unknownKeyError(_ name: String, at path: String, in section: String?) -> ConfigurationError {
        error(at: path, "unknown key '\(name)'\(UnknownKeyHint.text(for: name, in: section))")
    }

    private func value(
        of node: any TOMLValueConvertible, for key: ConfigurationKey
    ) throws(InvalidValue) -> SettingValue {
        switch (key.form, node.type) {
        case (.flag, .bool): return .flag(node.bool ?? false)
        case (.drivers, .array), (.texts, .array), (.words, .array):
            let list = node.array.map { array in (0..<array.count).map { array[$0].string } } ?? []
            guard !list.contains(nil) else {
                throw key.problem(with: "a list with values other than text")
            }
            return try key.value(ofList: list.compactMap(\.self))
        case (.number, .int): return try key.value(ofText: String(node.int ?? -1))
        case (.flag, _), (.drivers, _), (.texts, _), (.number, _):
            throw key.problem(with: description(of: node))
        case (.size, .int): return try key.value(ofText: String(node.int ?? -1))
        case (_, .string): return try key.value(ofText: node.string ?? "")
        default: throw key.problem(with: description(of: node))
        }
    }

    private func description(of node: any TOMLValueConvertible) -> String {
        switch node.type {
        case .string: "\"\(node.string ?? "")\""
        case .int, .double: "a number"
        case .bool: "a Boolean"
        case .array: "a list"
        case .table: "a table"
        default: "a time"
        }
    }
}
