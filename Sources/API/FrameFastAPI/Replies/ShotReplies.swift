public import FoundationEssentials

/// `GET /v1/shots`: what a contact sheet shows of many shots, newest first. A column for each fact, so that ten thousand shots
/// are some hundred kilobytes; the columns have the same length. No path, no serial number.
public struct ShotsReply: WireValue {
    /// Most shots of a page.
    public static let limitMax = 2_000

    /// Names of cameras, into which ``camera`` counts.
    public var cameraNames: [String]
    /// Numbers of the shots.
    public var id: [ShotID]
    /// The camera's name for it, without what tells its files apart.
    public var name: [String]
    /// The kinds of its files: `cr3+jpg`.
    public var kind: [String]
    /// Place in ``cameraNames``.
    public var camera: [Int]
    /// Changes with the picture: it belongs into the address, so that pictures may be kept for ever. Empty for no picture.
    public var version: [String]
    /// Pixels of what the camera took, as it is turned; 0 until a picture was made.
    public var width: [Int]
    /// See ``width``.
    public var height: [Int]
    /// The mean colour as `rrggbb`; empty until a picture was made.
    public var colour: [String]
    /// Stars: the most of what the file and people say; -1 when the owner rejects it.
    public var stars: [Int]
    /// 1 picked, -1 rejected, 0 neither.
    public var pick: [Int]
    /// Comments.
    public var comments: [Int]
    /// When it was saved, in seconds since 1970.
    public var savedAt: [Int]
    /// Number of the session; 0 for none.
    public var session: [Int]
    /// Ask for the next page with this; `nil` on the last page.
    @OrNull public var nextCursor: String?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.camera, "Place in `camera_names`"),
            .init(CodingKeys.kind, "Kinds of its files, for example cr3+jpg"),
            .init(CodingKeys.version, "Of its picture, for the address; empty when there is none"),
            .init(CodingKeys.width, "As it is turned; 0 until a picture was made"),
            .init(CodingKeys.colour, "The mean one as rrggbb; empty until a picture was made"),
            .init(CodingKeys.stars, "The most of what the file and people say; -1 when the owner rejects it"),
            .init(CodingKeys.pick, "1 picked, -1 rejected, 0 neither"),
            .init(CodingKeys.comments, "How many"),
            .init(CodingKeys.savedAt, "In seconds since 1970"),
            .init(CodingKeys.session, "0 for none"),
        ]
    }

    /// A page without shots.
    public init(nextCursor: String? = nil) {
        (cameraNames, name, kind, version, colour) = ([], [], [], [], [])
        (id, camera, width, height, stars, pick, comments) = ([], [], [], [], [], [], [])
        (savedAt, session) = ([], [])
        self._nextCursor = OrNull(wrappedValue: nextCursor)
    }
}

/// `GET /v1/shots`.
public struct ShotsQuery: WireRequest {
    /// Only shots of this session.
    public var session: SessionID?
    /// Where to go on: the last page's `next_cursor`; `nil` for the newest.
    public var cursor: String?
    /// Shots in a page.
    public var limit: Int?

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.session, range: 1...Int64.max),
            .init(CodingKeys.cursor, "next_cursor of the page before"),
            .init(
                CodingKeys.limit, range: 1...Int64(ShotsReply.limitMax),
                standard: ShotsReply.limitMax),
        ]
    }

    /// Creates a query.
    public init(session: SessionID? = nil, cursor: String? = nil, limit: Int? = nil) {
        self.session = session
        self.cursor = cursor
        self.limit = limit
    }
}

/// `GET /v1/shots/{id}`: one shot, with what people say of it.
public struct ShotReply: WireValue {
    /// What one person says.
    public struct Rating: WireValue {
        /// What people call their device; `owner` for whoever controls the service.
        public var by: String
        /// Whether it was given by who asks.
        public var isMine: Bool
        /// Stars, 0...5; `nil` when none were given.
        @OrNull public var stars: Int?
        /// Picked or rejected; `nil` for neither.
        @OrNull public var pick: Bool?
        /// In their words; `nil` for none.
        @OrNull public var comment: String?
        /// When it was given last.
        public var at: Date

        /// Creates a rating.
        public init(
            by: String, isMine: Bool, stars: Int?, pick: Bool?, comment: String?, at: Date
        ) {
            self.by = by
            self.isMine = isMine
            self._stars = OrNull(wrappedValue: stars)
            self._pick = OrNull(wrappedValue: pick)
            self._comment = OrNull(wrappedValue: comment)
            self.at = at
        }
    }

    /// What the contact sheet shows of it: one row.
    public var sheet: ShotsReply
    /// What people say, oldest first.
    public var ratings: [Rating]
    /// How often each value of red, green and blue occurs in its small picture: three times 256; empty without a picture.
    public var histogram: [Int]

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.sheet, "One row of what `/v1/shots` lists"),
            .init(
                CodingKeys.histogram,
                "How often each value of red, green and blue occurs in the small picture; empty without one"),
        ]
    }

    /// Creates a reply.
    public init(sheet: ShotsReply, ratings: [Rating], histogram: [Int]) {
        self.sheet = sheet
        self.ratings = ratings
        self.histogram = histogram
    }
}

/// `POST /v1/shots/{id}/rating`: what one person says of a shot. What is left out stays as they said it before, null takes it
/// back.
public struct RatingRequest: WireRequest {
    /// Stars that can be given.
    public static let starsRange = 0...5
    /// Longest comment, in characters.
    public static let commentMax = 2_000

    /// Stars.
    public var stars: FieldChange<Int>
    /// True for picked, false for rejected.
    public var pick: FieldChange<Bool>
    /// In their words.
    public var comment: FieldChange<String>

    /// What the document says of its fields.
    public static var fields: [WireField] {
        [
            .init(
                CodingKeys.stars, "A field that is left out stays as it was; null takes it back",
                range: Int64(starsRange.lowerBound)...Int64(starsRange.upperBound)),
            .init(CodingKeys.pick, "True for picked, false for rejected"),
            .init(CodingKeys.comment, "At most \(commentMax) characters"),
        ]
    }

    /// Creates a request.
    public init(
        stars: FieldChange<Int> = .keep, pick: FieldChange<Bool> = .keep, comment: FieldChange<String> = .keep
    ) {
        self.stars = stars
        self.pick = pick
        self.comment = comment
    }

    /// The request, when it is within bounds; a comment without what steers terminals or turns a text around.
    public func checked() throws(ControlError) -> Self {
        guard stars.value.map(Self.starsRange.contains) ?? true else {
            throw ControlError(.invalid, "cannot give \(stars.value ?? 0) stars: give 0 to 5")
        }
        guard let comment = comment.value else { return self }
        guard comment.count <= Self.commentMax else {
            throw ControlError(
                .invalid, "cannot take a comment of more than \(Self.commentMax) characters")
        }
        var request = self
        let text = Self.plain(comment)
        request.comment = .set(text.isEmpty ? nil : text)
        return request
    }

    /// A text of a person without what steers terminals or turns a text around.
    public static func plain(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { scalar in
            scalar == "\n"
                || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
                    scalar.properties.generalCategory)
        }
        return String(String.UnicodeScalarView(plain)).trimmingCharacters { $0.isWhitespace }
    }
}

/// A picture of a shot that stays the same.
public struct StillPicture: Hashable, Sendable {
    /// Its content type.
    public static let contentType = "image/jpeg"

    /// The JPEG.
    public var jpeg: Data
    /// What changes with it.
    public var version: String

    /// Wraps a JPEG.
    public init(jpeg: Data, version: String) {
        self.jpeg = jpeg
        self.version = version
    }
}
