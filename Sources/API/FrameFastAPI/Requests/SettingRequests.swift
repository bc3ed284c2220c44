/// `GET /v1/cameras/{id}/settings`.
public struct SettingsQuery: WireRequest {
    /// Keys such as `iso`, or `raw.NAME` for a driver's setting name. Empty for every key that the
    /// camera has.
    public var names: [String]

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.names,
                "Keys such as iso, or raw.NAME for a driver's setting name. Default: every key that the camera has",
                count: 0...SettingsChangeRequest.changesMax)
        ]
    }

    /// Creates a query.
    public init(names: [String] = []) { self.names = names }

    /// Returns the query, or throws if it has too many names.
    public func checked() throws(ControlError) -> Self {
        guard names.count <= SettingsChangeRequest.changesMax else {
            throw ControlError(
                .badRequest,
                "cannot read the query: give at most \(SettingsChangeRequest.changesMax) names")
        }
        return self
    }
}

/// `PATCH /v1/cameras/{id}/settings`.
public struct SettingsChangeRequest: WireRequest {
    /// The maximum number of changes in one request.
    public static let changesMax = 64
    /// The maximum length of a value, in bytes. No value of a driver is longer.
    public static let valueBytesMax = 256

    /// The values by key. The key `raw.NAME` selects a setting by its name in the driver.
    public var changes: [String: String]
    /// Whether to use the nearest value that the camera offers.
    public var nearest: Bool?
    /// Whether to report the changes without making them.
    public var dryRun: Bool?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.changes,
                "Values by key, or by raw.NAME for a driver's setting name: {\"iso\": \"400\"}"
            ),
            .init(CodingKeys.nearest, "True to use the nearest available value"),
            .init(CodingKeys.dryRun, "True to report the changes without making them"),
        ]
    }

    /// Creates a request.
    public init(changes: [String: String], nearest: Bool? = nil, dryRun: Bool? = nil) {
        self.changes = changes
        self.nearest = nearest
        self.dryRun = dryRun
    }

    /// Returns the request, or throws if a value is invalid.
    public func checked() throws(ControlError) -> Self {
        try Self.check(changes)
        return self
    }

    /// Throws if the number of values is 0 or too large, or if a value is empty or too long.
    static func check(_ changes: [String: String]) throws(ControlError) {
        guard (1...changesMax).contains(changes.count) else {
            throw ControlError(
                .invalid, "cannot change \(changes.count) settings: give 1 to \(changesMax)",
                nextStep: "For example {\"changes\":{\"iso\":\"400\"}}.")
        }
        // Some drivers interpret an empty text as a random number.
        for (key, value) in changes where !(1...valueBytesMax).contains(value.utf8.count) {
            throw ControlError(.invalid, "cannot set \(key) to a value of \(value.utf8.count) bytes")
        }
    }
}
