/// `POST /v1/groups/{id}/shoot`.
public struct GroupShootRequest: WireRequest {
    /// The time until the photo, in milliseconds. A busy camera needs some time to get ready, and no client waits for more
    /// than a minute.
    public static let inRangeMs = 300...60_000
    /// The usual time until the photo, in milliseconds.
    public static let inUsualMs = 500
    /// How long a client waits for the answer, in seconds.
    static let patienceSeconds = 75

    /// The time until the photo, in milliseconds; ``inUsualMs`` by default.
    public var inMs: Int?
    /// The fewest cameras that must be ready, or no shutter is released; 1 by default.
    public var require: Int?
    /// Whether all cameras must be ready.
    public var requireAll: Bool?

    /// The description of the fields for the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.inMs, range: Int64(inRangeMs.lowerBound)...Int64(inRangeMs.upperBound),
                standard: inUsualMs)
        ]
    }

    /// Creates a request.
    public init(inMs: Int? = nil, require: Int? = nil, requireAll: Bool? = nil) {
        self.inMs = inMs
        self.require = require
        self.requireAll = requireAll
    }

    /// Checks that the values are within their bounds.
    public func checked() throws(ControlError) -> Self {
        guard inMs.map(Self.inRangeMs.contains) ?? true else {
            throw ControlError(
                .invalid, "cannot release shutters in \(inMs ?? 0) ms",
                nextStep: "Give a time from \(Self.inRangeMs.lowerBound) ms to a minute.")
        }
        guard require.map({ $0 >= 1 }) ?? true else {
            throw ControlError(
                .invalid, "cannot require \(require ?? 0) cameras", nextStep: "Require 1 or more, or all.")
        }
        return self
    }
}
