/// `GET /v1/cameras/{id}/settings`.
public struct SettingsQuery: WireRequest {
    /// Keys such as `iso`, or `raw.NAME` for a name of the driver's; all that the camera has when none is given.
    public var names: [String]

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.names,
                "Keys such as iso, or raw.NAME for a name of the driver's; every key that the camera has when left out",
                count: 0...SettingsChangeRequest.changesMax)
        ]
    }

    /// Creates a query.
    public init(names: [String] = []) { self.names = names }

    /// The query, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        guard names.count <= SettingsChangeRequest.changesMax else {
            throw ControlError(
                .badRequest,
                "cannot read the query: at most \(SettingsChangeRequest.changesMax) names can be given")
        }
        return self
    }
}

/// `PATCH /v1/cameras/{id}/settings`.
public struct SettingsChangeRequest: WireRequest {
    /// Most changes in one request: four times as many as there are keys.
    public static let changesMax = 64
    /// Bytes of a value: more than any word of a driver.
    public static let valueBytesMax = 256

    /// Values by key, or by `raw.NAME` for a name of the driver's.
    public var changes: [String: String]
    /// Whether the nearest value that the camera offers will do.
    public var nearest: Bool?
    /// `true` to say only what would be set.
    public var dryRun: Bool?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.changes,
                "Values by key, or by raw.NAME for a name of the driver's: {\"iso\": \"400\"}"
            ),
            .init(CodingKeys.nearest, "True to take the nearest value that the camera offers"),
            .init(CodingKeys.dryRun, "True to say only what would be set"),
        ]
    }

    /// Creates a request.
    public init(changes: [String: String], nearest: Bool? = nil, dryRun: Bool? = nil) {
        self.changes = changes
        self.nearest = nearest
        self.dryRun = dryRun
    }

    /// The request, when it is within bounds.
    public func checked() throws(ControlError) -> Self {
        try Self.check(changes)
        return self
    }

    /// Refuses values by key that are none: none at all, too many, or too long.
    static func check(_ changes: [String: String]) throws(ControlError) {
        guard (1...changesMax).contains(changes.count) else {
            throw ControlError(
                .invalid, "cannot take \(changes.count) settings: give 1 to \(changesMax)",
                nextStep: "For example {\"changes\":{\"iso\":\"400\"}}.")
        }
        // Some drivers take an empty text for a random number.
        for (key, value) in changes where !(1...valueBytesMax).contains(value.utf8.count) {
            throw ControlError(.invalid, "cannot set \(key) to a value of \(value.utf8.count) bytes")
        }
    }
}
