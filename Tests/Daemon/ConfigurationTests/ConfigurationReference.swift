import SettingKeys

@testable import FrameFastConfiguration

/// A generator of the commented default file and the reference, from the declared keys.
enum ConfigurationReference {
    /// The widest comment line, in characters.
    private static let widthMax = 100

    /// Returns `config/framefast.toml`: every key with its description and its default, commented out.
    static func commentedFile() -> String {
        var lines = [
            "# FrameFast for Linux: configuration of framefastd.",
            "#",
            "# Every key is shown with its default, commented out. A later layer overrides an earlier layer. The",
            "# layers are this file, conf.d/*.toml next to this file in the order of their names, variables named",
            "# FRAMEFAST_SECTION_KEY, and flags.",
            "# `framefastd --check-config` checks the configuration.",
        ]
        for section in ConfigurationKeys.sections {
            let isList = ConfigurationKeys.listSections.contains(section)
            lines += [
                "", "# " + ConfigurationKeys.title(of: section), isList ? "#[[\(section)]]" : "[\(section)]",
            ]
            for key in ConfigurationKeys.keys(of: section) {
                if key.name != ConfigurationKeys.keys(of: section).first?.name { lines.append("") }
                lines += wrap(key.declaration.description).map { "# " + $0 }
                lines.append(
                    "#\(key.name) = \(key.declaration.defaultTOML ?? key.declaration.exampleTOML ?? "")")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns `docs/config-reference.md`.
    static func markdown() -> String {
        var lines = [
            "# Configuration reference",
            "",
            "`framefastd` reads the layers below. A later layer overrides an earlier layer.",
            "",
            "1. the defaults;",
            "2. `\(Configuration.defaultFile)`, or the file of `--config`;",
            "3. `conf.d/*.toml` next to this file, in the order of their names;",
            "4. environment variables;",
            "5. flags.",
            "",
            "A `[[camera]]` table in a later file changes the table with the same name in an earlier file.",
            "An unknown key or a value of the wrong type is an error. `framefastd --check-config` prints all errors",
            "with file and line, and exits with status \(ConfigurationErrors.exitStatus).",
            "",
            "`systemctl reload framefastd` (SIGHUP) applies changes while cameras stay connected. An invalid",
            "configuration changes nothing. `framefast status` shows the errors and the keys that need a restart.",
        ]
        for section in ConfigurationKeys.sections {
            let isList = ConfigurationKeys.listSections.contains(section)
            let header = isList ? "[[\(section)]]" : "[\(section)]"
            lines += ["", "## `\(header)` \(ConfigurationKeys.title(of: section).lowercasedFirst)"]
            for key in ConfigurationKeys.keys(of: section) {
                lines += ["", "### `\(key.name)`", "", key.declaration.description, ""]
                lines.append("- Value: \(key.form.valueDescription)")
                if let value = key.declaration.defaultTOML { lines.append("- Default: `\(value)`") }
                if let value = key.declaration.exampleTOML { lines.append("- Example: `\(value)`") }
                if let name = key.environmentName { lines.append("- Variable: `\(name)`") }
                let also = [
                    key.declaration.variable.map { "`\($0)`" }, key.declaration.flag.map { "flag `\($0)`" },
                ].compactMap(\.self)
                if !also.isEmpty { lines.append("- Also: " + also.joined(separator: ", ")) }
                if key.declaration.change != .reload { lines.append("- A change needs a restart.") }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func wrap(_ text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + word.count + 1 <= widthMax {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension String {
    fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
