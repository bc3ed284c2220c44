import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// The settings of a camera, with the choices that the camera offers.
struct SettingsView: ComponentPresentation {
    let reply: SettingsReply
    /// Whether the choices are listed.
    var hasChoices = false
    let json: Data

    private static let columns: [TableView.Column] = [
        .init(heading: "Access"), .init(heading: "Setting"), .init(heading: "Value", cellsMin: 8),
        .init(heading: "Camera value", lead: "camera value", cellsMin: 12, dropOrder: 1),
    ]

    var parts: [any Component] {
        guard !reply.settings.isEmpty else {
            return [
                EmptyView(
                    "\(reply.camera.name) does not have this setting.",
                    nextStep: "See all with `framefast get`.")
            ]
        }
        let rows = reply.settings.map { setting in
            let writable = SettingTexts.writable(setting.$writable)
            return TableView.Row(
                writable.tone,
                [writable.word, setting.key, Self.displayValue(setting), Self.word(setting) ?? ""])
        }
        let choices = reply.settings.compactMap { setting in
            Self.choices(setting).map { (label: setting.key, value: $0) }
        }
        let table = TableView(columns: Self.columns, rows: rows)
        return hasChoices && !choices.isEmpty ? [table, TextView.gap, InfoRowView(rows: choices)] : [table]
    }

    func plain() -> [String] {
        guard !reply.settings.isEmpty else { return ["settings: none"] }
        return reply.settings.flatMap { setting in
            let key = TerminalText.escaped(setting.key)
            var lines = ["\(key): \(TerminalText.escaped(Self.displayValue(setting)))"]
            if let word = Self.word(setting) {
                lines.append("\(key) camera value: \(TerminalText.escaped(word))")
            }
            lines.append("\(key) writable: \(TerminalText.escaped(setting.$writable.text))")
            if hasChoices, let choices = Self.choices(setting) {
                lines.append("\(key) choices: \(TerminalText.escaped(choices))")
            }
            return lines
        }
    }

    /// Returns the value of a setting in FrameFast's notation, or in the camera's own notation if FrameFast
    /// does not know the value.
    private static func displayValue(_ setting: SettingReply) -> String {
        setting.value ?? setting.cameraValue
    }

    /// Returns the value in the camera's own notation, or `nil` if the text equals the shown value.
    private static func word(_ setting: SettingReply) -> String? {
        setting.cameraValue == displayValue(setting) ? nil : setting.cameraValue
    }

    private static func choices(_ setting: SettingReply) -> String? {
        if let range = setting.range {
            return [range.least, range.most].map(number).joined(separator: " to ")
                + (range.step > 0 ? " in steps of \(number(range.step))" : "")
        }
        return setting.choices.isEmpty ? nil : setting.choices.joined(separator: ", ")
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// The results of changing settings.
struct SettingResultsView: ComponentPresentation {
    let results: [SettingResultReply]
    /// The name of the camera, or `nil` if the person entered the name on the command line.
    var cameraName: String?
    let json: Data

    var parts: [any Component] {
        let words = results.map { SettingTexts.result($0.$result) }
        let cells = words.map { Cells.width($0.word) }.max() ?? 0
        return zip(results, words).map { result, word in
            BannerView(
                word.tone, word.word, (cameraName.map { "\($0): " } ?? "") + SettingTexts.sentence(result),
                wordCells: cells)
        }
    }

    func plain() -> [String] { parts.flatMap { $0.plain() } }
}
