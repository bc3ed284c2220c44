/// Metrics for Prometheus and compatible collectors, in Prometheus's text format and in OpenMetrics 1.0.
public struct MetricsText: WireText {
    /// The content type of ``text``.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    /// The content type of ``openMetrics``.
    public static let openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"
    /// The content types of all forms.
    public static let contentTypes = [contentType, openMetricsType]

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

        /// The suffix of the samples' names and the type in Prometheus's text format, which has no type
        /// `stateset` or `info`.
        fileprivate var inText: (suffix: String, type: String) {
            switch self {
            case .gauge, .histogram: ("", rawValue)
            case .counter: ("_total", rawValue)
            case .stateset: ("", Kind.gauge.rawValue)
            case .info: ("_info", Kind.gauge.rawValue)
            }
        }
    }

    private struct Family {
        let name: String
        let kind: Kind
        let unit: String?
        let help: String
        var samples: [String] = []
    }

    private var families: [Family] = []

    /// Creates an empty text.
    public init() {}

    /// Starts a metric family. Its samples follow.
    ///
    /// - Parameters:
    ///   - name: The name without `_total`. A name with a unit ends with the unit.
    ///   - unit: `seconds` or `bytes`, or `nil` for plain numbers.
    ///   - help: The description, one sentence.
    public mutating func addFamily(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
        families.append(Family(name: name, kind: kind, unit: unit, help: help))
    }

    /// Adds a sample to the last family.
    ///
    /// - Parameters:
    ///   - name: The family's name with the suffix of its type: `_total`, `_bucket`, `_info`.
    ///   - labels: The labels, in the order of the text.
    public mutating func addSample(
        _ name: String, _ labels: KeyValuePairs<String, String>, _ value: Double
    ) {
        let inside = labels.map { "\($0.key)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
        families[families.count - 1].samples.append(
            name + (inside.isEmpty ? "" : "{\(inside)}") + " " + Self.number(value))
    }

    /// Adds a sample without labels.
    public mutating func addSample(_ name: String, _ value: Double) { addSample(name, [:], value) }

    /// The metrics in Prometheus's text format 0.0.4. A parser of this format rejects all metrics if one has
    /// a type of OpenMetrics (prometheus/common #488, telegraf #15055, categraf #1325).
    public var text: String {
        let lines = families.flatMap { family -> [String] in
            let (suffix, type) = family.kind.inText
            let name = family.name + suffix
            let head = ["# HELP \(name) \(Self.escapedHelp(family.help))", "# TYPE \(name) \(type)"]
            return head + family.samples
        }
        return (lines + [""]).joined(separator: "\n")
    }

    /// The metrics in OpenMetrics, with the end marker.
    public var openMetrics: String {
        let lines = families.flatMap { family -> [String] in
            var head = ["# TYPE \(family.name) \(family.kind.rawValue)"]
            if let unit = family.unit { head.append("# UNIT \(family.name) \(unit)") }
            head.append("# HELP \(family.name) \(Self.escaped(family.help))")
            return head + family.samples
        }
        return (lines + ["# EOF", ""]).joined(separator: "\n")
    }

    /// Returns the metrics in OpenMetrics if a request accepts it. Otherwise returns ``text``, as
    /// Prometheus's client libraries do.
    public func content(accept: String?) -> (text: String, type: String) {
        accept?.lowercased().contains("application/openmetrics-text") == true
            ? (openMetrics, Self.openMetricsType) : (text, Self.contentType)
    }

    /// Formats a number. Whole numbers have no fraction.
    static func number(_ value: Double) -> String {
        Int64(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escapedHelp(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    private static func escaped(_ text: String) -> String {
        escapedHelp(text).replacing("\"", with: "\\\"")
    }
}
