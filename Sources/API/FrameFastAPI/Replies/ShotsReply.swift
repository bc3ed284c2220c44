/// One page of `GET /v1/shots`, newest shot first. The reply has one list for each fact. All lists except
/// ``cameraNames`` have the same length. A shot takes about 60 bytes.
public struct ShotsReply: WireValue {
    /// The description in the OpenAPI document.
    public static let summary =
        "One list for each fact of a shot, newest shot first. All lists except camera_names have the same length"
    /// The description of the bits of ``ShotFlags`` in the OpenAPI document.
    static let flagsDescription =
        "Bits: 1 RAW, 2 JPEG, 4 movie, 8 damaged, 16 delivered, 32 comment exists, 64 no preview"

    /// The numbers of the shots.
    public var ids: [ShotID] = []
    /// The revisions of the pictures, `nil` without a picture.
    public var revisions: [String?] = []
    /// The widths of the upright pictures, in pixels, `nil` if not known.
    public var widths: [Int?] = []
    /// The heights of the upright pictures, in pixels, `nil` if not known.
    public var heights: [Int?] = []
    /// The mean colors as `#rrggbb`, `nil` if not known.
    public var colors: [String?] = []
    /// For each shot, the highest number of stars from the camera and all authors, 0...5.
    public var stars: [Int] = []
    /// `false` for rejected shots, `true` for picked shots, `nil` for the other shots.
    public var picks: [Bool?] = []
    /// The bits of ``ShotFlags``.
    public var flags: [Int] = []
    /// The capture times, in milliseconds since 1970 in UTC.
    public var times: [Int64] = []
    /// The cameras, as indexes in ``cameraNames``.
    public var cameras: [Int] = []
    /// The names of the cameras of this page.
    public var cameraNames: [String] = []
    /// The value of `after` for the next page, or `nil` on the last page.
    @OrNull public var nextCursor: ShotID?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.revisions, "A new revision means a new picture"),
            .init(CodingKeys.colors, "Mean colors as #rrggbb"),
            .init(CodingKeys.stars, "Highest stars of the camera and all authors"),
            .init(CodingKeys.picks, "False: rejected, true: picked"),
            .init(CodingKeys.flags, flagsDescription),
            .init(CodingKeys.times, "Milliseconds since 1970 in UTC"),
            .init(CodingKeys.cameras, "Indexes in camera_names"),
            .init(CodingKeys.nextCursor, "Value of `after` for the next page"),
        ]
    }

    /// Creates an empty page.
    public init(nextCursor: ShotID? = nil) { self._nextCursor = OrNull(wrappedValue: nextCursor) }
}

/// A query for shots.
public struct ShotsQuery: WireRequest {
    /// The largest page, in shots, and the default. A page has about 120 kB.
    public static let limitMax = 2_000

    /// The page size, in shots, 1...``limitMax``.
    public var limit: Int
    /// The `next_cursor` of the previous page, or `nil` for the newest page.
    public var after: ShotID?
    /// The session of the listed shots, or `nil` for all sessions.
    public var session: SessionID?

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.limit, range: 1...Int64(limitMax), defaultValue: limitMax),
            .init(CodingKeys.after, "next_cursor of the previous page", range: 1...Int64.max),
            .init(CodingKeys.session, range: 1...Int64.max),
        ]
    }

    /// Creates a query.
    public init(limit: Int = ShotsQuery.limitMax, after: ShotID? = nil, session: SessionID? = nil) {
        self.limit = limit
        self.after = after
        self.session = session
    }
}
