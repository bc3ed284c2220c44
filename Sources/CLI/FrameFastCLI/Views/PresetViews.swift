import FoundationEssentials
import FrameFastAPI
import TerminalUI

/// A table of presets, followed by the problem of each unusable preset.
struct PresetsView: ComponentPresentation {
    let presets: [PresetReply]
    let json: Data

    private static let columns: [TableView.Column] = [
        .init(heading: "State"), .init(heading: "Preset"),
        .init(heading: "Settings", cellsMin: 16, dropOrder: 1),
    ]

    var parts: [any Component] {
        guard !presets.isEmpty else {
            return [
                EmptyView(
                    "No presets.", nextStep: "Save a preset with `framefast preset save NAME CAMERA`.")
            ]
        }
        let rows = presets.map { preset in
            TableView.Row(
                preset.problem == nil ? .success : .danger,
                [
                    preset.problem == nil ? "Ready" : "Faulty", preset.name.rawValue,
                    PresetView.settings(preset).map { "\($0.label) \($0.value)" }.joined(separator: ", "),
                ])
        }
        let problems = presets.compactMap { preset in
            preset.problem.map {
                GuidanceView(.danger, $0, steps: ["Correct the file, or save the preset again."])
            }
        }
        return [TableView(columns: Self.columns, rows: rows)]
            + problems.flatMap { [TextView.gap, $0] as [any Component] }
    }

    func plain() -> [String] {
        guard !presets.isEmpty else { return ["presets: none"] }
        return presets.map { preset in
            let name = TerminalText.escaped(preset.name.rawValue)
            if let problem = preset.problem {
                return "preset \(name) invalid: \(TerminalText.escaped(problem))"
            }
            return "preset \(name): \(preset.settings.count) settings"
        }
    }
}

/// The settings of one preset.
struct PresetView: ComponentPresentation {
    let preset: PresetReply
    /// The word for the change of the preset, such as `Saved`, or `nil` if the preset is only shown.
    var badge: String?
    let json: Data

    var parts: [any Component] {
        let head: [any Component] = badge.map { [BannerView(.success, $0, "Preset \(preset.name)")] } ?? []
        return head + [InfoRowView(rows: Self.settings(preset))]
    }

    func plain() -> [String] {
        (badge.map { ["\($0.lowercased()): \(TerminalText.escaped(preset.name.rawValue))"] } ?? [])
            + InfoRowView(rows: Self.settings(preset)).plain()
    }

    static func settings(_ preset: PresetReply) -> [(label: String, value: String)] {
        preset.settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
