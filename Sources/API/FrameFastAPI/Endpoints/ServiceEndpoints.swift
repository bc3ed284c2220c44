/// The daemon as a whole.
public struct ServiceEndpoints: Sendable {
    /// Version of the daemon and of this interface.
    public let version = Endpoint<NoPath, NoInput, VersionReply>(
        .get, "/version", .read, "Version of the daemon and of this interface")
    /// The interface's own description.
    public let openapi = Endpoint<NoPath, NoInput, OpenAPIText>(
        text: APIVersion.prefix + "/openapi.yaml", .read, "This document")
    /// Everything at a glance.
    public let status = Endpoint<NoPath, NoInput, StatusReply>(
        .get, "/status", .read, "Everything at a glance")
    /// What fits into one line.
    public let summary = Endpoint<NoPath, NoInput, StatusSummaryReply>(
        .get, "/status/summary", .read, "What fits into one line, however many cameras there are")
    /// What needs to be known, worst first.
    public let conditions = Endpoint<NoPath, NoInput, ConditionsReply>(
        .get, "/conditions", .read, "What needs to be known, worst first")
    /// A snapshot, then changes.
    public let events = Endpoint<NoPath, NoInput, EventReply>(
        events: "/events", .read, "Server-sent events: a snapshot, then numbered changes",
        explanation: """
            Each event has `id:` (its number), `event:` (its kind) and `data:` (an EventReply on one line).
            The first is a `snapshot`; each change after it carries the whole new value. A reader that falls
            behind gets `resync` and then a new `snapshot`. A comment every 15 s shows that the line lives.
            """, errors: [.unavailable])
    /// For Prometheus. Where collectors look by themselves; the text has a version of its own.
    public let metrics = Endpoint<NoPath, NoInput, MetricsText>(
        text: "/metrics", .read, "Metrics for Prometheus, in OpenMetrics form")
    /// What is wrong here, worst first.
    public let diagnosis = Endpoint<NoPath, NoInput, DiagnosisReply>(
        .get, "/diagnosis", .read, "What is wrong here, worst first, with the fix")
}

/// The interface's own description.
public struct OpenAPIText: WireText {
    /// YAML (RFC 9512).
    public static let contentType = "application/yaml"
    /// YAML of an object.
    public static let schemaType = "object"
    /// The description.
    public let text: String

    /// Wraps a text.
    public init(text: String) { self.text = text }
}
