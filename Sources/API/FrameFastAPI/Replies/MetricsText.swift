/// Metrics for Prometheus and its like, in the text form of OpenMetrics 1.0.
public struct MetricsText: WireText {
    /// The content type of the text.
    public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// What a family's statistics are.
    public enum Kind: String, Sendable {
        /// Goes up and down.
        case gauge
        /// Only grows.
        case counter
        /// How many lie below each of some bounds.
        case histogram
        /// One of several states is 1, the others 0.
        case stateset
        /// Words that describe the program.
        case info
    }

    private var lines: [String] = []

    /// Begins without statistics.
    public init() {}

    /// Begins a family. Its samples follow.
    ///
    /// - Parameters:
    ///   - name: Without `_total`; ends with the unit when there is one.
    ///   - unit: `seconds` or `bytes`; `nil` for numbers.
    ///   - help: One sentence.
    public mutating func family(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
        lines.append("# TYPE \(name) \(kind.rawValue)")
        if let unit { lines.append("# UNIT \(name) \(unit)") }
        lines.append("# HELP \(name) \(Self.escaped(help))")
    }

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - name: The family's name with what its kind asks for: `_total`, `_bucket`, `_info`.
    ///   - labels: In this order.
    public mutating func sample(
        _ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double
    ) {
        let inside = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        lines.append(name + (inside.isEmpty ? "" : "{\(inside)}") + " " + Self.number(value))
    }

    /// Adds a sample without labels.
    public mutating func sample(_ name: String, _ value: Double) { sample(name, [:], value) }

    /// The whole text, with its end.
    public var text: String { (lines + ["# EOF", ""]).joined(separator: "\n") }

    /// Whole numbers without a fraction.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
    }
}
