import FrameFastModel
import TOMLKit

/// The TOML format of presets, with the values by key in a table `settings`.
public enum PresetText {
    /// The maximum length of a preset, in bytes. A preset with all settings of a camera has about one
    /// hundredth of this length.
    public static let bytesMax = 64 * 1024
    private static let table = "settings"

    /// Parses a preset.
    ///
    /// - Parameter file: The file name for error messages.
    /// - Returns: The values by key or `raw.NAME`, each in its canonical form.
    public static func settings(
        in text: String, file: String
    ) throws(ConfigurationErrors) -> [String: String] {
        if let syntaxError = TOMLSyntaxError.first(in: text) {
            throw .init(
                errors: [.init(source: file, line: syntaxError.line, message: syntaxError.message)])
        }
        let root: TOMLTable
        do { root = try TOMLTable(string: text) } catch let error as TOMLParseError {
            let line = error.source.begin.line
            throw .init(errors: [.init(source: file, line: line, message: "\(error.description)")])
        } catch {
            throw .init(errors: [.init(source: file, message: "cannot be read as TOML")])
        }
        let locator = TOMLLocator(text)
        let error = { (path: String, message: String) in
            ConfigurationError(source: file, line: locator.line(of: path), message: message)
        }
        var errors = root.keys.filter { $0 != table }.sorted().map {
            error($0, "unknown key '\($0)': settings belong below [\(table)]")
        }
        guard let values = root[table]?.table, !values.isEmpty else {
            throw .init(errors: errors + [.init(source: file, message: "has no settings below [\(table)]")])
        }
        var settings: [String: String] = [:]
        for (key, node) in flattened(values) {
            guard let value = valueText(of: node) else {
                errors.append(
                    error(
                        "\(table).\(key)",
                        "the value of '\(key)' must be a text in quotes, as in iso = \"400\""))
                continue
            }
            do throws(CameraSettingFault) {
                settings[key] = try SettingName.change(key, to: value).value
            } catch let
                fault
            {
                errors.append(error("\(table).\(key)", "\(fault.message). \(fault.nextStep)"))
            }
        }
        guard errors.isEmpty else { throw .init(errors: errors) }
        return settings
    }

    /// Returns the values by key, with nested tables flattened, because TOML parses the dot in `raw.NAME`
    /// as a table.
    private static func flattened(_ table: TOMLTable) -> [(key: String, node: any TOMLValueConvertible)] {
        table.keys.sorted().flatMap { key -> [(key: String, node: any TOMLValueConvertible)] in
            guard let node = table[key] else { return [] }
            guard let inner = node.table else { return [(key, node)] }
            return inner.keys.sorted().compactMap { name in inner[name].map { ("\(key).\(name)", $0) } }
        }
    }

    /// Returns the text of a string or number, or `nil` for other values. Quotes around numbers are optional
    /// in presets.
    private static func valueText(of node: any TOMLValueConvertible) -> String? {
        node.string ?? node.int.map(String.init) ?? node.double.map { "\($0)" }
    }

    /// Returns the TOML text of a preset.
    ///
    /// - Parameter head: The lines of the comment at the beginning.
    public static func text(_ settings: [String: String], head: [String]) -> String {
        let order = (try? SettingName.changes(settings)) ?? []
        let lines = order.map { change in
            let key = SettingName.text(key: change.key, name: change.name)
            return "\(change.key == nil ? quoted(key) : key) = \(quoted(change.value))"
        }
        let comments = head.map { "# " + $0.filter { !$0.isNewline } }
        return (comments + ["", "[\(table)]"] + lines).joined(separator: "\n") + "\n"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\", "\"": "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                "\\u00" + String(UInt8(scalar.value), radix: 16).leftPadded
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}

extension String {
    /// The text, with a leading zero if it has one digit.
    fileprivate var leftPadded: String { count < 2 ? "0" + self : self }
}
