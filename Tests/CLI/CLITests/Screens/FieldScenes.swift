import Foundation
import FrameFastAPI

@testable import FrameFastCLI

/// What the verbs about fields print.
enum FieldScenes {
    private static let long = String(repeating: "Frühlingskatalog ", count: 12)

    private static let fields = [
        FieldReply(name: "client", text: "Studio Ä", shots: 1_204, at: EverydayScenes.now),
        FieldReply(name: "job", text: long, shots: 1, at: EverydayScenes.now),
        FieldReply(name: "job", text: "4713", camera: "studio-b", shots: 0, at: EverydayScenes.now),
    ]
    private static let list = FieldListReply(
        columns: ["number", "name", "class"], rows: 25, missing: 22,
        places: [.init(number: 3), .init(camera: "studio-b", number: 17)])
    private static let rows = FieldRowsReply(
        columns: ["number", "name", "class"],
        rows: [
            .init(number: 1, texts: ["1", "Müller, Änne", "5a"], shots: 4),
            .init(number: 2, texts: ["2", "ณัฐวุฒิ", ""], shots: 0),
            .init(number: 3, texts: ["3", SmallScenes.hebrewName, "5b"], shots: 0),
        ])

    static var scenes: [SmallScenes.Scene] {
        [
            ("fields", FieldsView(fields: FieldsReply(session: 1, fields: fields), json: Data())),
            (
                "with a list",
                FieldsView(fields: FieldsReply(session: 1, fields: [fields[0]], list: list), json: Data())
            ),
            ("none", FieldsView(fields: FieldsReply(session: 1), json: Data())),
            ("no session", FieldsView(fields: FieldsReply(), json: Data())),
            (
                "scanned",
                ScanView(
                    fields: FieldsReply(session: 1, fields: fields, before: [fields[2]]), names: ["job"],
                    json: Data())
            ),
            (
                "scanned first",
                ScanView(
                    fields: FieldsReply(session: 1, fields: [fields[0]]), names: ["client"], json: Data())
            ),
            ("rows", FieldRowsView(page: rows, isMissing: false, json: Data())),
            (
                "none missing",
                FieldRowsView(page: .init(columns: ["number"], rows: []), isMissing: true, json: Data())
            ),
        ]
    }
}
