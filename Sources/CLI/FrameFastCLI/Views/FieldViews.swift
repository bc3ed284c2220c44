import FoundationEssentials
import FrameFastAPI
import Localization
import TerminalUI

/// What the next photos are given.
struct FieldsView: ComponentPresentation {
    let fields: FieldsReply
    let json: Data

    var parts: [any Component] {
        guard fields.session != nil else {
            return [
                EmptyView(
                    localized("No session is running."),
                    nextStep: localized("Start one with `framefast session start NAME`."))
            ]
        }
        let empty = EmptyView(
            localized("No fields are set."),
            nextStep: localized("Set one with `framefast field set job=4711`."))
        return (fields.fields.isEmpty ? [empty] : [InfoRowView(rows: rows)]) + list
    }

    private var rows: [(label: String, value: String)] {
        fields.fields.map { field in
            (FieldWords.name(field), "\(field.text) (\(Formatted.shots(field.shots)))")
        }
    }

    private var list: [any Component] {
        guard let list = fields.list else { return [] }
        return [
            TextView.gap,
            LabelledView(
                localized("List"),
                FactsView([FieldWords.places(list), localized("\(list.missing) without a photo")])),
        ]
    }

    func plain() -> [String] {
        guard fields.session != nil else { return ["session: none"] }
        let lines =
            fields.fields.isEmpty
            ? ["fields: none"]
            : rows.map { "\(TerminalText.escaped($0.label)): \(TerminalText.escaped($0.value))" }
        return lines + list.flatMap { $0.plain() }.filter { !$0.isEmpty }
    }
}

/// What a scanned code set, and what became of the one before.
struct ScanView: ComponentPresentation {
    let fields: FieldsReply
    /// The fields that the code set.
    let names: [FieldName]
    let json: Data

    var parts: [any Component] {
        [BannerView(.success, localized("Set"), now, caption: before.map { localized("before: \($0)") })]
    }

    func plain() -> [String] {
        ["set: \(TerminalText.escaped(now))"] + (before.map { ["before: \(TerminalText.escaped($0))"] } ?? [])
    }

    private var now: String {
        let set = fields.fields.filter { names.contains($0.name) }
        // For one camera there may be two of a name: the later one was set now.
        let newest = Dictionary(set.map { ($0.name.rawValue, $0) }) { $0.at > $1.at ? $0 : $1 }
        return FieldWords.line(newest.mapValues(\.text))
    }

    private var before: String? {
        let first = fields.before?.first { $0.name == names.first }
        return first.map { localized("\($0.text) has \(Formatted.shots($0.shots))") }
    }
}

/// The rows of a list.
struct FieldRowsView: ComponentPresentation {
    let page: FieldRowsReply
    /// Whether only rows without a photo were asked for.
    let isMissing: Bool
    let json: Data

    var parts: [any Component] {
        guard !page.rows.isEmpty else {
            return [TextView.wrapped(localized("Every row has a photo."), .primary)]
        }
        let columns: [TableView.Column] =
            [
                .init(heading: localized("State")),
                .init(heading: localized("Row"), isFigure: true, lead: localized("row")),
            ]
            + page.columns.map { .init(heading: $0.rawValue, lead: $0.rawValue, givesWay: 1) }
            + [.init(heading: localized("Shots"), isFigure: true, unit: localized("shots"))]
        let rows = page.rows.map { row in
            TableView.Row(
                row.shots == 0 ? .neutral : .success,
                [row.shots == 0 ? localized("Missing") : localized("Taken"), row.number.description]
                    + row.texts
                    + [Formatted.count(row.shots)])
        }
        return [TableView(columns: columns, rows: rows)]
    }

    func plain() -> [String] {
        guard !page.rows.isEmpty else { return ["rows: every row has a photo"] }
        return page.rows.map { row in
            let texts = zip(page.columns, row.texts).map { "\($0) \($1)" }.joined(separator: ", ")
            return "row \(row.number): \(TerminalText.escaped(texts)), \(row.shots) shots"
        }
    }
}
