public import FoundationEssentials

/// A shot with its files and the opinions about it.
///
/// The reply contains no paths, serial numbers, destinations or hashes of whole files, because devices with
/// the role `client` or `screen` also receive it.
public struct ShotReply: WireValue {
    /// The number of the shot. The number decreases if an earlier file becomes part of the shot.
    public var id: ShotID
    /// The revision of the picture, or `nil` without a picture. A new revision means a new picture.
    @OrNull public var revision: String?
    /// The width of the upright picture, in pixels, or `nil` if it is not known.
    @OrNull public var width: Int?
    /// The height of the upright picture, in pixels, or `nil` if it is not known.
    @OrNull public var height: Int?
    /// The mean color of the picture as `#rrggbb`, or `nil` if it is not known.
    @OrNull public var color: String?
    /// The highest number of stars of the camera and all authors, 0...5.
    public var stars: Int
    /// `false` if the shot is rejected, `true` if the shot is picked, or `nil` for neither.
    @OrNull public var pick: Bool?
    /// The bits of ``ShotFlags``.
    public var flags: Int
    /// The time when the shot was taken, by the camera's clock in the camera's time zone.
    public var capturedAt: Date
    /// The name of the camera.
    public var cameraName: String
    /// The id of the session, or `nil` without one.
    @OrNull public var session: SessionID?
    /// The name of the session, or `nil` without one.
    @OrNull public var sessionName: String?
    /// The saved and damaged files.
    public var files: [ShotFileReply]
    /// The opinions that the caller may see, oldest first.
    public var opinions: [OpinionReply]

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.revision, "Changes with the picture", examples: ["9f86d081884c7d65"]),
            .init(CodingKeys.color, "Mean color", examples: ["#806040"]),
            .init(CodingKeys.stars, "Highest stars of the camera and all authors", range: 0...5),
            .init(CodingKeys.pick, "False: rejected, true: picked"),
            .init(CodingKeys.flags, ShotsReply.flagsDescription),
            .init(CodingKeys.opinions, "Empty for callers that may only read"),
        ]
    }

    /// Creates a reply.
    public init(
        id: ShotID, revision: String? = nil, width: Int? = nil, height: Int? = nil, color: String? = nil,
        stars: Int = 0, pick: Bool? = nil, flags: ShotFlags = [], capturedAt: Date, cameraName: String,
        session: SessionID? = nil, sessionName: String? = nil, files: [ShotFileReply] = [],
        opinions: [OpinionReply] = []
    ) {
        self.id = id
        self._revision = OrNull(wrappedValue: revision)
        self._width = OrNull(wrappedValue: width)
        self._height = OrNull(wrappedValue: height)
        self._color = OrNull(wrappedValue: color)
        self.stars = stars
        self._pick = OrNull(wrappedValue: pick)
        self.flags = flags.rawValue
        self.capturedAt = capturedAt
        self.cameraName = cameraName
        self._session = OrNull(wrappedValue: session)
        self._sessionName = OrNull(wrappedValue: sessionName)
        self.files = files
        self.opinions = opinions
    }
}

/// A file of a shot.
public struct ShotFileReply: WireValue {
    /// The number of the file in the ledger.
    public var id: CaptureID
    /// The name of the saved file without its folder, or the name on the camera if the file was not saved.
    /// Untrusted data: escape it before printing it to a terminal.
    public var name: String
    /// The size, in bytes.
    public var size: Int64
    /// Whether the file is damaged.
    public var isDamaged: Bool

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.name, "File name without a folder. Escape it before printing it to a terminal"),
            .init(CodingKeys.isDamaged, "Whether the file is damaged"),
        ]
    }

    /// Creates a reply.
    public init(id: CaptureID, name: String, size: Int64, isDamaged: Bool = false) {
        self.id = id
        self.name = name
        self.size = size
        self.isDamaged = isDamaged
    }
}

/// The opinion of one author about a shot.
public struct OpinionReply: WireValue {
    /// The name of the author. Untrusted data: escape it before printing it to a terminal.
    public var author: String
    /// The role of the author.
    @Word public var role: WebRole?
    /// Whether the caller of the request gave the opinion. Two authors may have the same name.
    public var isOwn: Bool
    /// The stars, 0...5, or `nil` if the author gave none.
    @OrNull public var stars: Int?
    /// `true` for a pick, `false` for a reject, or `nil` for neither.
    @OrNull public var pick: Bool?
    /// The comment, or `nil` without one. Untrusted data: escape it before printing it to a terminal.
    @OrNull public var comment: String?
    /// The time of the last change.
    public var at: Date

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.author, "Escape it before printing it to a terminal"),
            .init(CodingKeys.isOwn, "Whether the caller of the request gave the opinion"),
            .init(CodingKeys.comment, "Escape it before printing it to a terminal"),
            .init(CodingKeys.stars, range: 0...5),
            .init(CodingKeys.pick, "False: rejected, true: picked"),
        ]
    }

    /// Creates a reply.
    public init(
        author: String, role: WebRole, isOwn: Bool = false, stars: Int? = nil, pick: Bool? = nil,
        comment: String? = nil, at: Date
    ) {
        self.author = author
        self._role = Word(role)
        self.isOwn = isOwn
        self._stars = OrNull(wrappedValue: stars)
        self._pick = OrNull(wrappedValue: pick)
        self._comment = OrNull(wrappedValue: comment)
        self.at = at
    }
}

/// A changed shot, in the event `shot`. Devices with the role `client` or `screen` also receive this event,
/// so it names no author and contains no comment.
public struct ShotChangeReply: WireValue {
    /// The number of the shot.
    public var id: ShotID
    /// The numbers of the shot's files. A shot that had one of these numbers is now part of this shot.
    public var files: [CaptureID]
    /// The id of the session, or `nil` without one.
    @OrNull public var session: SessionID?
    /// The revision of the picture, or `nil` without a picture.
    @OrNull public var revision: String?
    /// The width of the upright picture, in pixels, or `nil` if it is not known.
    @OrNull public var width: Int?
    /// The height of the upright picture, in pixels, or `nil` if it is not known.
    @OrNull public var height: Int?
    /// The mean color of the picture as `#rrggbb`, or `nil` if it is not known.
    @OrNull public var color: String?
    /// The highest number of stars of the camera and all authors, 0...5.
    public var stars: Int
    /// `false` if the shot is rejected, `true` if the shot is picked, or `nil` for neither.
    @OrNull public var pick: Bool?
    /// The bits of ``ShotFlags``.
    public var flags: Int

    /// The descriptions of the fields in the OpenAPI document.
    public static var fields: [WireField] {
        [
            .init(CodingKeys.files, "A shot that had one of these numbers is now part of this shot"),
            .init(CodingKeys.pick, "False: rejected, true: picked"),
            .init(CodingKeys.flags, ShotsReply.flagsDescription),
        ]
    }

    /// Creates a reply.
    public init(
        id: ShotID, files: [CaptureID] = [], session: SessionID? = nil, revision: String? = nil,
        width: Int? = nil, height: Int? = nil, color: String? = nil, stars: Int = 0, pick: Bool? = nil,
        flags: ShotFlags = []
    ) {
        self.id = id
        self.files = files
        self._session = OrNull(wrappedValue: session)
        self._revision = OrNull(wrappedValue: revision)
        self._width = OrNull(wrappedValue: width)
        self._height = OrNull(wrappedValue: height)
        self._color = OrNull(wrappedValue: color)
        self.stars = stars
        self._pick = OrNull(wrappedValue: pick)
        self.flags = flags.rawValue
    }
}
