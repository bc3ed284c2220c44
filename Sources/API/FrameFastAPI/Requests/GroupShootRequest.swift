/// `POST /v1/groups/{id}/shoot`.
public struct GroupShootRequest: WireRequest {
    /// The allowed times until the photo, in milliseconds. The minimum gives a busy camera time to get ready.
    /// The maximum is less than the client's timeout.
    public static let inRangeMs = 300...60_000
    /// The default time until the photo, in milliseconds.
    public static let inUsualMs = 500
    /// The timeout of the client, in seconds.
    static let timeoutSeconds = 75

    /// The time until the photo, in milliseconds, or `nil` for ``inUsualMs``.
    public var inMs: Int?
    /// The minimum number of ready cameras, or `nil` for 1. If fewer cameras are ready, no shutter is
    /// released.
    public var require: Int?
    /// Whether all cameras must be ready.
    public var requireAll: Bool?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.inMs, range: Int64(inRangeMs.lowerBound)...Int64(inRangeMs.upperBound),
                defaultValue: inUsualMs)
        ]
    }

    /// Creates a request.
    public init(inMs: Int? = nil, require: Int? = nil, requireAll: Bool? = nil) {
        self.inMs = inMs
        self.require = require
        self.requireAll = requireAll
    }

    /// Returns the request, or throws if a value is out of range.
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
