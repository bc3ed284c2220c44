/// Metrics for Prometheus and compatible collectors, in OpenMetrics 1.0.
public struct MetricsText: WireText {
    /// The content type of the text.
    public static let contentType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

    /// The type of a metric family.
    public enum Kind: String, Sendable {
        /// A value that goes up and down.
        case gauge
        /// A value that only increases.
        case counter
        /// For each of several bounds, the number of values up to the bound.
        case histogram
        /// A set of states. The current state is 1, and all other states are 0.
        case stateset
        /// Labels that describe the program.
        case info
    }

    private var lines: [String] = []

    /// Creates an empty text.
    public init() {}

    /// Starts a metric family. Its samples follow.
    ///
    /// - Parameters:
    ///   - name: The name without `_total`. A name with a unit ends with the unit.
    ///   - unit: `seconds` or `bytes`, or `nil` for plain numbers.
    ///   - help: The description, one sentence.
    public mutating func addFamily(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
        lines.append("# TYPE \(name) \(kind.rawValue)")
        if let unit { lines.append("# UNIT \(name) \(unit)") }
        lines.append("# HELP \(name) \(Self.escaped(help))")
    }

    /// Adds a sample.
    ///
    /// - Parameters:
    ///   - name: The family's name with the suffix of its type: `_total`, `_bucket`, `_info`.
    ///   - labels: The labels, in the order of the text.
    public mutating func addSample(
        _ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double
    ) {
        let inside = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        lines.append(name + (inside.isEmpty ? "" : "{\(inside)}") + " " + Self.number(value))
    }

    /// Adds a sample without labels.
    public mutating func addSample(_ name: String, _ value: Double) { addSample(name, [:], value) }

    /// The complete text, with the end marker.
    public var text: String { (lines + ["# EOF", ""]).joined(separator: "\n") }

    /// Formats a number. Whole numbers have no fraction.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"")
    }
}
