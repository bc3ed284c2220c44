/// Endpoints for the daemon as a whole.
public struct ServiceEndpoints: Sendable {
    /// Returns the versions of the daemon and of the API.
    public let version = Endpoint<NoPath, NoInput, VersionReply>(
        .get, "/version", .read, "Versions of the daemon and of this API")
    /// Returns the OpenAPI document.
    public let openapi = Endpoint<NoPath, NoInput, OpenAPIText>(
        text: APIVersion.prefix + "/openapi.yaml", .read, "This OpenAPI document")
    /// Returns the state of the whole service.
    public let status = Endpoint<NoPath, NoInput, StatusReply>(
        .get, "/status", .read, "State of the whole service")
    /// Returns a summary that fits into one line.
    public let summary = Endpoint<NoPath, NoInput, StatusSummaryReply>(
        .get, "/status/summary", .read, "Summary of the status for one line, with any number of cameras")
    /// Lists the conditions, worst first.
    public let conditions = Endpoint<NoPath, NoInput, ConditionsReply>(
        .get, "/conditions", .read, "Current conditions, most severe first")
    /// Streams a snapshot and then the changes.
    public let events = Endpoint<NoPath, NoInput, EventReply>(
        events: "/events", .read, "Server-sent events: a snapshot, then numbered changes",
        explanation: """
            Each event has `id:` (its number), `event:` (its kind) and `data:` (an EventReply on one line).
            The first event is a `snapshot`. Each later event contains the complete new value. A reader that is too
            slow receives `resync` and then a new `snapshot`. A comment every 15 s keeps the connection alive.
            """, errors: [.unavailable])
    /// Returns metrics for Prometheus. The path has no version prefix, because collectors use this path by
    /// default. The text format has its own version.
    public let metrics = Endpoint<NoPath, NoInput, MetricsText>(
        text: "/metrics", .read, "Metrics in Prometheus's text format, or in OpenMetrics if accepted")
    /// Returns the results of the self-checks, worst first.
    public let diagnosis = Endpoint<NoPath, NoInput, DiagnosisReply>(
        .get, "/diagnosis", .read, "Diagnosis: problems with their fixes, most severe first")
}

/// The OpenAPI document.
public struct OpenAPIText: WireText {
    /// The content type of YAML (RFC 9512).
    public static let contentType = "application/yaml"
    /// The JSON Schema type: the YAML is an object.
    public static let schemaType = "object"
    /// The document as YAML.
    public let text: String

    /// Wraps a YAML text.
    public init(text: String) { self.text = text }
}
