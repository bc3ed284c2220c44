/// `POST /v1/shots/{id}/rating`: the caller's whole opinion about a shot, which replaces the previous one. A
/// missing value removes the previous value.
public struct RatingRequest: WireRequest {
    /// The allowed number of stars.
    public static let starsRange = 0...5
    /// The longest comment, in Unicode scalars.
    public static let commentLengthMax = 2_000

    /// The stars, 0...5, or `nil` for none.
    public var stars: Int?
    /// `true` to pick the shot, `false` to reject it, or `nil` for neither.
    public var pick: Bool?
    /// The comment, or `nil` for none.
    public var comment: String?

    /// The description in the OpenAPI document.
    public static let summary =
        "Replaces your whole opinion: a missing value removes the previous one. A reject by an owner holds the shot in mode rated"
    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.stars, range: Int64(starsRange.lowerBound)...Int64(starsRange.upperBound)),
            .init(CodingKeys.pick, "True to pick the shot, false to reject it"),
            .init(CodingKeys.comment, length: 0...commentLengthMax),
        ]
    }

    /// Creates a request.
    public init(stars: Int? = nil, pick: Bool? = nil, comment: String? = nil) {
        self.stars = stars
        self.pick = pick
        self.comment = comment
    }

    /// Returns the request, or throws if a value is out of range.
    public func checked() throws(ControlError) -> Self {
        guard Self.starsRange.contains(stars ?? 0) else {
            throw ControlError(
                .invalid, "cannot give \(stars ?? 0) stars", nextStep: "Give 0 to 5 stars.")
        }
        guard (comment?.unicodeScalars.count ?? 0) <= Self.commentLengthMax else {
            throw ControlError(
                .invalid, "cannot save a comment of more than \(Self.commentLengthMax) characters",
                nextStep: "Shorten the comment.")
        }
        return self
    }
}
