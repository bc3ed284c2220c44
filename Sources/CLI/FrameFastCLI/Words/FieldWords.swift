import FrameFastAPI
import Localization

/// Fields in a line, for people.
enum FieldWords {
    /// `client Studio Ä, job 4711`.
    static func line(_ texts: [String: String]) -> String {
        texts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    /// `job`, or `job (studio-a)` for one that stands for one camera.
    static func name(_ field: FieldReply) -> String {
        field.name.rawValue + (field.camera.map { " (\($0))" } ?? "")
    }

    /// `row 3 of 25`, for each camera that has a row of its own.
    static func places(_ list: FieldListReply) -> String {
        let places = list.places.map { place in
            localized("row \(place.number) of \(list.rows)") + (place.camera.map { " (\($0))" } ?? "")
        }
        return places.isEmpty
            ? localized("before the first of \(list.rows) rows") : places.joined(separator: ", ")
    }
}
