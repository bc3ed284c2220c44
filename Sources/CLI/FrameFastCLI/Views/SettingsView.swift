import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// What a camera is set to, and what it offers.
struct SettingsView: ComponentPresentation {
    let reply: SettingsReply
    /// Whether what it offers is listed.
    var hasChoices = false
    let json: Data

    private static var columns: [TableView.Column] {
        [
            .init(heading: localized("Access")), .init(heading: localized("Setting")),
            .init(heading: localized("Value"), cellsMin: 8),
            .init(
                heading: localized("Camera's word"), lead: localized("camera's word"), cellsMin: 12,
                givesWay: 1),
        ]
    }

    var parts: [any Component] {
        guard !reply.settings.isEmpty else {
            return [
                EmptyView(
                    localized("\(reply.camera.name) has no such setting."),
                    nextStep: localized("See all with `framefast get`."))
            ]
        }
        let rows = reply.settings.map { setting in
            let writable = SettingTexts.writable(setting.writable)
            return TableView.Row(
                writable.tone,
                [writable.word, setting.key, Self.shown(setting), Self.word(setting) ?? ""])
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
            var lines = ["\(key): \(TerminalText.escaped(Self.shown(setting)))"]
            if let word = Self.word(setting) {
                lines.append("\(key) camera's word: \(TerminalText.escaped(word))")
            }
            lines.append("\(key) writable: \(TerminalText.escaped(setting.writable.rawValue))")
            if hasChoices, let choices = Self.choices(setting) {
                lines.append("\(key) choices: \(TerminalText.escaped(choices))")
            }
            return lines
        }
    }

    /// Its value, in the camera's own word where that is not known.
    private static func shown(_ setting: SettingReply) -> String { setting.value ?? setting.cameraValue }

    /// The camera's own word, where it is another one.
    private static func word(_ setting: SettingReply) -> String? {
        setting.cameraValue == shown(setting) ? nil : setting.cameraValue
    }

    private static func choices(_ setting: SettingReply) -> String? {
        if let range = setting.range {
            let (least, most) = (number(range.least), number(range.most))
            return range.step > 0
                ? localized("\(least) to \(most) in steps of \(number(range.step))")
                : localized("\(least) to \(most)")
        }
        return setting.choices.isEmpty ? nil : setting.choices.joined(separator: ", ")
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

/// What became of changes.
struct SettingResultsView: ComponentPresentation {
    let results: [SettingResultReply]
    /// Whose they are; `nil` where a person has just said so.
    var cameraName: String?
    let json: Data

    var parts: [any Component] {
        let words = results.map { SettingTexts.result($0.result) }
        let cells = words.map { Cells.width($0.word) }.max() ?? 0
        return zip(results, words).map { result, word in
            BannerView(
                word.tone, word.word, (cameraName.map { "\($0): " } ?? "") + SettingTexts.sentence(result),
                wordCells: cells)
        }
    }

    func plain() -> [String] { parts.flatMap { $0.plain() } }
}
