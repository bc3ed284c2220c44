/// Shots as a contact sheet shows them: their pictures, and what people say of them.
public struct ShotEndpoints: Sendable {
    private static let pictureErrors: [ErrorReply.Code] = [.notFound, .unavailable]

    /// Saved shots, newest first.
    public let list = Endpoint<NoPath, ShotsQuery, ShotsReply>(
        .get, "/shots", .read, "Saved shots for a contact sheet, newest first: a column for each fact",
        errors: [.invalid])
    /// One shot.
    public let get = Endpoint<ShotID, NoInput, ShotReply>(
        .get, "/shots/{id}", .read, "One shot, with what people say of it", subject: "shot")
    /// Its small picture.
    public let sheet = Endpoint<ShotID, StillPictureQuery, StillPicture>(
        still: "/shots/{id}/512", .control, "A shot's picture of 512 pixels, upright, in sRGB",
        subject: "shot", errors: pictureErrors)
    /// Its picture for a screen.
    public let screen = Endpoint<ShotID, StillPictureQuery, StillPicture>(
        still: "/shots/{id}/screen", .control, "A shot's picture of 2,048 pixels", subject: "shot",
        errors: pictureErrors)
    /// Its largest picture.
    public let full = Endpoint<ShotID, StillPictureQuery, StillPicture>(
        still: "/shots/{id}/full", .control, "The largest picture in a shot's files, without their metadata",
        subject: "shot", errors: pictureErrors)
    /// Says something of a shot.
    public let rate = Endpoint<ShotID, RatingRequest, ShotReply>(
        .post, "/shots/{id}/rating", .control,
        "Give a shot stars, a pick or a comment; replaces your last word",
        subject: "shot", errors: [.invalid])
}

/// What a picture's address may carry.
public struct StillPictureQuery: WireRequest {
    /// The version that is meant; only makes the address another one.
    public var v: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [.init(CodingKeys.v, "The version from the list: another one makes another address")]
    }

    /// Creates a query.
    public init(v: String? = nil) { self.v = v }
}
