/// A metric with its labels in braces, as the text of `/metrics` and PromQL both write it.
struct MetricSelector: Hashable {
    /// For example `framefast_upload_jobs`.
    var name: String
    /// Labels with the values that are asked for, several where they are alternatives: `state=~"queued|retrying"`.
    var labels: [String: [String]]

    /// Every metric of ours in a text.
    static func all(in text: some StringProtocol) -> [MetricSelector] {
        String(text).matches(of: #/(?<name>framefast_\w+)(?:\{(?<labels>[^}]*)\})?/#).map { found in
            let inside = String(found.labels ?? "")
            var labels: [String: [String]] = [:]
            for label in inside.matches(of: #/(?<name>\w+)(?:=~|!~|!=|=)"(?<value>[^"]*)"/#) {
                labels[String(label.name)] = label.value.split(separator: "|").map(String.init)
            }
            return MetricSelector(name: String(found.name), labels: labels)
        }
    }
}

/// What the whole program serves on `/metrics`.
struct ServedMetrics {
    /// Labels that Prometheus adds.
    private static let added: Set = ["instance", "job", "site"]
    /// Labels whose values come from the configuration or the build.
    private static let given: Set = ["destination", "version"]

    private var samples: [String: [[String: [String]]]] = [:]

    /// Reads what was served.
    init(_ text: String) {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            // A label may have the name of its metric: the line begins with the one that is meant.
            guard let sample = MetricSelector.all(in: line).first else { continue }
            samples[sample.name, default: []].append(sample.labels)
        }
    }

    /// Names of all samples.
    var names: Set<String> { Set(samples.keys) }

    /// Why nothing that is served can be meant; `nil` when something can.
    func objection(to selector: MetricSelector) -> String? {
        guard let served = samples[selector.name] else { return "no sample is called \(selector.name)" }
        for (label, wanted) in selector.labels where !Self.added.contains(label) {
            let values = Set(served.flatMap { $0[label] ?? [] })
            guard !values.isEmpty else { return "\(selector.name) has no label \(label)" }
            guard !Self.given.contains(label) else { continue }
            for value in wanted where !values.contains(value) {
                return "\(selector.name) has no \(label)=\"\(value)\""
            }
        }
        return nil
    }
}
