import Foundation
import Repository

/// `examples/grafana/framefast.json`.
struct GrafanaDashboard {
    private let texts: [(key: String, text: String)]

    /// Reads it.
    init() throws {
        let data = try Data(contentsOf: Repository.file("examples/grafana/framefast.json"))
        texts = Self.texts(in: try JSONSerialization.jsonObject(with: data), under: "")
    }

    /// Every text in it.
    var all: [String] { texts.map(\.text) }
    /// The PromQL of its panels.
    var queries: [String] { self["expr"] }

    /// Every text under a key.
    subscript(key: String) -> [String] { texts.filter { $0.key == key }.map(\.text) }

    /// A query as Grafana sends it, with its variables replaced.
    static func filled(_ query: String) -> String {
        query.replacing("$instance", with: ".*").replacing("$__rate_interval", with: "1m")
    }

    private static func texts(in value: Any, under key: String) -> [(key: String, text: String)] {
        switch value {
        case let text as String: [(key, text)]
        case let object as [String: Any]: object.flatMap { texts(in: $0.value, under: $0.key) }
        case let list as [Any]: list.flatMap { texts(in: $0, under: key) }
        default: []
        }
    }
}
