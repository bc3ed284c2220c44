import FrameFastAPI
import FrameFastModel
import Store
import TextForms

extension FieldList {
    /// From a table that a person made; what cannot be used names its line.
    init(table: String) throws(ControlError) {
        let text: DelimitedText
        do throws(DelimitedTextError) { text = try DelimitedText(table.utf8) } catch {
            throw ControlError(.invalid, "cannot read the list: \(error)")
        }
        let columns = try Self.columns(text.header)
        guard (1...FieldListRequest.rowsMax).contains(text.rows.count) else {
            throw ControlError(
                .invalid,
                "cannot use a list of \(text.rows.count) rows: give 1 to \(FieldListRequest.rowsMax)")
        }
        var rows: [Row] = []
        var lines: [String: Int] = [:]
        for row in text.rows {
            var texts: [String] = []
            for (index, name) in columns.enumerated() {
                let given = index < row.fields.count ? row.fields[index] : ""
                texts.append(
                    try Self.atLine(row.line) { () throws(ControlError) in
                        try FieldName.checked(text: given, of: name)
                    })
            }
            guard !texts[0].isEmpty else {
                throw ControlError(
                    .invalid, "cannot read the list: line \(row.line) has nothing for \(columns[0])")
            }
            if let other = lines.updateValue(row.line, forKey: texts[0]) {
                throw ControlError(
                    .invalid, "cannot read the list: line \(row.line) begins like line \(other)",
                    nextStep: "Make the first column one that tells rows apart, such as a number.")
            }
            rows.append(Row(number: rows.count + 1, texts: texts))
        }
        self.init(columns: columns, rows: rows)
    }

    private static func columns(_ header: DelimitedText.Row) throws(ControlError) -> [FieldName] {
        guard header.fields.count <= FieldName.countMax else {
            throw ControlError(
                .invalid,
                "cannot use a list of \(header.fields.count) columns: at most \(FieldName.countMax) are taken"
            )
        }
        var columns: [FieldName] = []
        for title in header.fields {
            let name = try atLine(header.line) { () throws(ControlError) in
                try FieldName.checked(name: title.lowercased().replacing(" ", with: "_"))
            }
            guard !columns.contains(name) else {
                throw ControlError(.invalid, "cannot read the list: line \(header.line) names \(name) twice")
            }
            columns.append(name)
        }
        return columns
    }

    private static func atLine<Value>(
        _ line: Int, _ body: () throws(ControlError) -> Value
    ) throws(ControlError) -> Value {
        do throws(ControlError) { return try body() } catch {
            throw ControlError(.invalid, "line \(line): \(error.message)", nextStep: error.nextStep)
        }
    }
}
